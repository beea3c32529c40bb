"""Gives plugins their configuration with other live values."""

from __future__ import annotations

import logging
from typing import Any

from ...errors import ConfigError
from ...log_throttle import Throttle
from ..contract import AnyPlugin
from ..mixins import Reconfigurable
from .hosted_plugin import HostedPlugin

_log = logging.getLogger(__name__)


class LiveValues:
    """Sets live values, and logs each refusal once in a while; for the physics thread."""

    def __init__(self) -> None:
        self._refusals = Throttle()

    def __call__(self, hosted: HostedPlugin, config: Any) -> ConfigError | None:
        """Gives a plugin its configuration with other live values.

        Returns the error by which the plugin refuses them, which is logged too, or None.
        """

        def configure(plugin: AnyPlugin) -> ConfigError | None:
            try:
                if isinstance(plugin, Reconfigurable):
                    plugin.configure(config)
            except ConfigError as error:
                self._keeps(hosted, error)
                return error
            plugin.config = config
            return None

        refused: ConfigError | None = hosted.tell('configure', configure)
        return refused

    def _keeps(self, hosted: HostedPlugin, error: ConfigError) -> None:
        text = f'plugin {hosted.name!r} keeps its configuration: {error}'
        line = self._refusals.line(text, error, hosted.name)
        if line is not None:
            _log.error('%s', line)
