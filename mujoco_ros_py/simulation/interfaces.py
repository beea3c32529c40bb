"""What a simulation asks of those above it: plugins, and whoever reports."""

from __future__ import annotations

from typing import Protocol

import mujoco

from ..engine import CallbackTable


class Extensions(Protocol):
    """What is attached to a model while it is loaded. All calls come on the physics thread."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """The model is there, initial joint states are applied; returns the callbacks to run."""

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """The callbacks are in use, and nothing of what was attached before is left."""

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """The data are back at the start."""

    def unload(self) -> None:
        """The model goes, or the simulation ends."""

    def describe(self, callback: int) -> str:
        """Names a callback of the table for a message."""


class NoExtensions:
    """A model without plugins."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """No callbacks."""
        return CallbackTable()

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Nothing to tell."""

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Nothing to tell."""

    def unload(self) -> None:
        """Nothing to tell."""

    def describe(self, callback: int) -> str:
        """There is none to describe."""
        return f'callback {callback}'


class Listener:
    """Told what happens, on the physics thread: methods must return soon."""

    def on_time_jump(self, time_s: float) -> None:
        """An epoch begins at `time_s`: by a load or reset, or because somebody set the time."""

    def on_standstill(self) -> None:
        """The simulation was paused or stopped, or steps asked for while paused have been made."""

    def on_finished(self) -> None:
        """The number of steps that was asked for has been made."""
