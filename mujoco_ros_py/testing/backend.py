"""The backends of test servers: a session in this process, or a separate server process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import mujoco

from ..errors import ConfigError
from ..simulation import SavedState
from .derived_values import Numbers, Sample
from .state_places import Write


class Backend(Protocol):
    """A server that steps only on request; each method returns when its work is done."""

    @property
    def model(self) -> mujoco.MjModel:
        """The running model; a reload replaces it."""

    @property
    def domain_id(self) -> int | None:
        """The server's ROS domain; None if the server runs without ROS."""

    def step(self, count: int, writes: Sequence[Write]) -> Sample:
        """Applies the writes, runs `count` steps (may be 0), and returns the resulting state.

        Raises SimulationError if the steps fail, PluginError if the server is strict and a plugin
        has failed, and EndedError if the server has ended.
        """

    def reset(self, keyframe: str | None) -> Sample:
        """Resets the data to the initial state or to a keyframe."""

    def reload(self, changes: Mapping[str, Any]) -> None:
        """Reloads model and plugins. Raises the errors of a start, and then changes nothing."""

    def save(self) -> SavedState:
        """Saves the full state, including the plugins' states."""

    def restore(self, saved: SavedState) -> tuple[Sample, list[str]]:
        """Restores a saved state; returns a message for each plugin that it could not restore."""

    def configure(self, plugin: str, values: Mapping[str, object]) -> Sample:
        """Sets live values of a plugin."""

    def command(self, plugin: str, topic: str, fields: Mapping[str, object]) -> Sample:
        """Passes a command to a plugin, like `plugins.give_command`."""

    def actuator_owners(self) -> Mapping[str, str]:
        """Maps each driven actuator to the plugin that sets its control."""

    def set_state(self, values: Numbers) -> Sample:
        """Writes MuJoCo's full integration state."""

    def problems(self) -> list[str]:
        """Returns a message for each plugin that is not ready."""

    def log(self) -> str:
        """Returns the server's log."""

    def close(self) -> None:
        """Ends the server; closing it again has no effect."""


class ControlOwners:
    """The actuators whose controls a plugin sets in each step.

    The plugin would overwrite a control that the test sets, so the test's control is refused.
    """

    def __init__(self, backend: Backend, actuators: Iterable[str]) -> None:
        """`actuators` are the names of all actuators in the model."""
        self._backend, self._actuators = backend, actuators
        self._owners = backend.actuator_owners()

    def check(self, ctrl: object) -> None:
        """Raises ConfigError if one of the controls belongs to a plugin.

        `ctrl` maps actuator names to values, or has the values of all actuators.
        """
        if not self._owners:
            return
        names = ctrl if isinstance(ctrl, Mapping) else self._actuators
        if self._owners.keys().isdisjoint(names):
            return
        self._owners = self._backend.actuator_owners()  # a plugin may have failed since
        for name in names:
            if name in self._owners:
                raise ConfigError(
                    f'actuator {name!r} belongs to the plugin {self._owners[name]}, which sets its'
                    ' control in each step: use `server.command` instead'
                )
