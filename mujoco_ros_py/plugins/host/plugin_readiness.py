"""The readiness of the plugins of a host, with the reasons why some are not ready."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...errors import PluginError
from .hosted_plugin import HostedPlugin
from .plugin_state import PluginState


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
        self.missing = ''
        """A sentence that says where a list of plugins was looked for in vain."""
        self._strict = strict

    @property
    def configured(self) -> list[HostedPlugin]:
        """The plugins without those that the server loads by itself."""
        return [hosted for hosted in self.plugins if not hosted.config.implicit]

    @property
    def summary(self) -> list[str]:
        """How many plugins are ready, and a sentence for each other; empty without plugins."""
        return [*self._counted, *self._faults]

    def lost(self, before: Collection[str] = ()) -> list[str]:
        """The summary without the sentences that are in `before`; empty if there are no others."""
        faults = [each for each in self._faults if each not in before]
        return [*self._counted, *faults] if faults else []

    @property
    def counts(self) -> tuple[int, int]:
        """How many plugins are ready, and how many the configuration lists, refused ones too.

        Plugins that were ready until the end count: a server may end while somebody asks.
        """
        ready = sum(
            each.ready or (each.state is PluginState.UNLOADED and not each.reason)
            for each in self.configured
        )
        return ready, len(self.configured) + len(self.unregistered)

    @property
    def _counted(self) -> list[str]:
        ready, total = self.counts
        return [f'{ready} of {total} plugins ready'] if total else []

    @property
    def _faults(self) -> list[str]:
        return [self.missing, *self.refusals] if self.missing else self.refusals

    @property
    def refusals(self) -> list[str]:
        """A sentence for each plugin that is not ready, with the reason."""
        refused = [f'{each.name}: {each.reason}' for each in self.plugins if each.refused]
        return [*self.unregistered, *refused]

    def check(self, problems: Sequence[str] = ()) -> None:
        """Raises PluginError if `strict` is true and a plugin is not ready, or for these problems.

        Plugins that are `out` already do not count.
        """
        refused = [each for each in self.plugins if each.refused and each.name not in self.out]
        if self._strict and (refused or self.unregistered or problems):
            told = (f'{each.name}: {each.reason}' for each in refused)
            reasons = '; '.join([*self.unregistered, *told, *problems])
            raise PluginError(f'strict is true, and not every plugin is ready: {reasons}')
