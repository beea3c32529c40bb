"""What both kinds of servers do for tests: a session in this process, and a process of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import mujoco

from ..simulation import SavedState
from .derived_values import Sample
from .state_places import Write


class ServerKind(Protocol):
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

    def configure(self, plugin: str, values: Mapping[str, Any]) -> Sample:
        """Sets live values of a plugin."""

    def command(self, plugin: str, topic: str, fields: Mapping[str, Any]) -> Sample:
        """Gives a plugin a command, as `plugins.give_command` does."""

    def actuator_owners(self) -> Mapping[str, str]:
        """Returns the plugin that sets the controls of each actuator, by actuator."""

    def set_state(self, values: Any) -> Sample:
        """Writes MuJoCo's whole integration state."""

    def problems(self) -> list[str]:
        """Returns a sentence for each plugin that is not ready."""

    def log(self) -> str:
        """Returns what the server has logged."""

    def close(self) -> None:
        """Ends the server; a second call does nothing."""
