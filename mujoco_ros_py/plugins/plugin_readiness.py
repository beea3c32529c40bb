"""The readiness of the plugins of a host, with the reasons why some are not ready."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..errors import PluginError
from .hosted_plugin import HostedPlugin


class PluginReadiness:
    """The plugins of one load, some of which are ready; `PluginHost` loads and unloads them.

    Any thread may ask.
    """

    def __init__(self, plugins: Sequence[HostedPlugin], *, strict: bool) -> None:
        self.plugins = list(plugins)
        """The plugins in the order of their configuration."""
        self.out: Collection[str] = ()
        """The names of the plugins that had failed before the model changed.

        That these are not ready is no reason to refuse the change.
        """
        self.unregistered: Sequence[str] = ()
        """The reasons why entries of the configuration are not among the plugins."""
        self._strict = strict

    @property
    def configured(self) -> list[HostedPlugin]:
        """The plugins without those that the server loads by itself."""
        return [hosted for hosted in self.plugins if not hosted.config.implicit]

    @property
    def summary(self) -> list[str]:
        """How many plugins are ready, and a sentence for each other; empty without plugins."""
        total = len(self.configured) + len(self.unregistered)
        ready = sum(hosted.ready for hosted in self.configured)
        return [f'{ready} of {total} plugins ready', *self.refusals] if total else self.refusals

    @property
    def refusals(self) -> list[str]:
        """A sentence for each plugin that is not ready, with the reason."""
        refused = [f'{each.name}: {each.reason}' for each in self.plugins if each.refused]
        return [*self.unregistered, *refused]

    def check(self) -> None:
        """Raises PluginError if `strict` is true and a plugin is not ready.

        Plugins that are `out` already do not count.
        """
        refused = [each for each in self.plugins if each.refused and each.name not in self.out]
        if self._strict and (refused or self.unregistered):
            told = (f'{each.name}: {each.reason}' for each in refused)
            reasons = '; '.join([*self.unregistered, *told])
            raise PluginError(f'strict is true, and not every plugin is ready: {reasons}')
