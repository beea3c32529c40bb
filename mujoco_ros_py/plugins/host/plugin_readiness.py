"""Which plugins of a host are ready, and why the others are not."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...errors import PluginError
from .hosted_plugin import HostedPlugin
from .plugin_state import PluginState


class PluginReadiness:
    """The readiness of the plugins of one load; `PluginHost` loads and unloads them.

    Any thread may read it.
    """

    def __init__(self, plugins: Sequence[HostedPlugin], *, strict: bool) -> None:
        self.plugins = list(plugins)
        """The plugins in configuration order."""
        self.out: Collection[str] = ()
        """The names of the plugins that had failed before the model changed.

        They do not count as a reason to refuse the change.
        """
        self.unregistered: Sequence[str] = ()
        """Why entries of the configuration were not registered as plugins."""
        self.missing = ''
        """A message that the list of plugins was not found; empty if the list was found."""
        self._strict = strict

    @property
    def configured(self) -> list[HostedPlugin]:
        """The plugins, without those that the server loads automatically."""
        return [hosted for hosted in self.plugins if not hosted.config.implicit]

    @property
    def summary(self) -> list[str]:
        """Messages with the number of ready plugins, and with the fault of each other plugin."""
        return [*self._counted, *self._faults]

    def lost(self, before: Collection[str] = ()) -> list[str]:
        """Returns the summary without the faults in `before`; empty if no other fault remains."""
        faults = [each for each in self._faults if each not in before]
        return [*self._counted, *faults] if faults else []

    @property
    def counts(self) -> tuple[int, int]:
        """The number of ready plugins, and of all configured ones, including refused ones.

        Plugins that were ready until they were unloaded count as ready: the server may be shutting
        down while a caller asks.
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
        """A message for each plugin that is not ready, with the reason."""
        refused = [f'{each.name}: {each.reason}' for each in self.plugins if each.refused]
        return [*self.unregistered, *refused]

    def check(self, problems: Sequence[str] = ()) -> None:
        """With `strict`, raises PluginError for these problems, or if a plugin is not ready.

        Plugins in `out` do not count.
        """
        refused = [each for each in self.plugins if each.refused and each.name not in self.out]
        if self._strict and (refused or self.unregistered or problems):
            told = (f'{each.name}: {each.reason}' for each in refused)
            reasons = '; '.join([*self.unregistered, *told, *problems])
            raise PluginError(f'strict is true, and not every plugin is ready: {reasons}')
