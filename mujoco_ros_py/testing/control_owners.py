"""Refuses controls that a test sets and a plugin sets too, so that the test's have no effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import ConfigError
from .server_kind import ServerKind


class ControlOwners:
    """The plugins that set controls in each step, by the names of the actuators."""

    def __init__(self, kind: ServerKind, actuators: Iterable[str]) -> None:
        """`actuators` are those of the model."""
        self._kind, self._actuators = kind, actuators
        self._owners = kind.actuator_owners()

    def check(self, ctrl: Any) -> None:
        """Raises ConfigError if one of the controls belongs to a plugin.

        `ctrl` has values by the name of the actuator, or those of all actuators.
        """
        if not self._owners:
            return
        names = ctrl if isinstance(ctrl, Mapping) else self._actuators
        if self._owners.keys().isdisjoint(names):
            return
        self._owners = self._kind.actuator_owners()  # a plugin may have failed since
        for name in names:
            if name in self._owners:
                raise ConfigError(
                    f'actuator {name!r} belongs to the plugin {self._owners[name]}, which sets its'
                    ' control in each step: give it a command by `server.command`'
                )
