"""What the servers of tests run on: a session in this process, or a process of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import mujoco

from ..errors import ConfigError
from ..simulation import SavedState
from .derived_values import Numbers, Sample
from .state_places import Write


class Backend(Protocol):
    """A server that steps only when it is told to; each method returns when its work is done."""

    @property
    def model(self) -> mujoco.MjModel:
        """The model that runs; after a reload it is another one."""

    @property
    def domain_id(self) -> int | None:
        """The ROS domain of the server; None: it has no ROS."""

    def step(self, count: int, writes: Sequence[Write]) -> Sample:
        """Writes, makes steps, of which there may be none, and returns the moment after them.

        Raises SimulationError if they cannot be made, PluginError if the server is strict and a
        plugin is not ready any more, and EndedError if the server is gone.
        """

    def reset(self, keyframe: str | None) -> Sample:
        """Puts the data back to the start, or to a keyframe."""

    def reload(self, changes: Mapping[str, Any]) -> None:
        """Loads model and plugins anew. Raises what the start raises; then nothing changes."""

    def save(self) -> SavedState:
        """Saves the whole state."""

    def restore(self, saved: SavedState) -> tuple[Sample, list[str]]:
        """Goes on from a saved state; returns sentences about plugins that have no part in it."""

    def configure(self, plugin: str, values: Mapping[str, object]) -> Sample:
        """Sets live values of a plugin."""

    def command(self, plugin: str, topic: str, fields: Mapping[str, object]) -> Sample:
        """Gives a plugin a command, as `plugins.give_command` does."""

    def actuator_owners(self) -> Mapping[str, str]:
        """Returns the plugin that sets the controls of each actuator, by actuator."""

    def set_state(self, values: Numbers) -> Sample:
        """Writes MuJoCo's whole integration state."""

    def problems(self) -> list[str]:
        """Returns a sentence for each plugin that is not ready."""

    def log(self) -> str:
        """Returns what the server has logged."""

    def close(self) -> None:
        """Ends the server; a second call does nothing."""


class ControlOwners:
    """The plugins that set controls in each step, by the names of the actuators.

    Controls that a test sets too would have no effect, and are refused.
    """

    def __init__(self, backend: Backend, actuators: Iterable[str]) -> None:
        """`actuators` are those of the model."""
        self._backend, self._actuators = backend, actuators
        self._owners = backend.actuator_owners()

    def check(self, ctrl: object) -> None:
        """Raises ConfigError if one of the controls belongs to a plugin.

        `ctrl` has values by the name of the actuator, or those of all actuators.
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
                    ' control in each step: give it a command by `server.command`'
                )
