"""Plugins that the benchmarks load into the server."""

from __future__ import annotations

import time
from typing import Any

import mujoco

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state


class Observer(MujocoPlugin):
    """Has all three compiled callbacks. They read and write, but do not change the result."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Creates the state."""
        self.state = new_state(command=0.0, force=0.0, travelled=0.0)

    @staticmethod
    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Sets a control."""
        data.ctrl[0] = state.command

    @staticmethod
    @compiled
    def passive_callback(state: Any, model: Any, data: Any) -> None:
        """Adds a force."""
        data.qfrc_passive[0] += state.force

    @staticmethod
    @compiled
    def last_stage_callback(state: Any, model: Any, data: Any) -> None:
        """Adds a velocity to a sum."""
        state.travelled += abs(data.qvel[0]) * model.opt.timestep


class Damper(MujocoPlugin):
    """A minimal compiled controller."""

    @staticmethod
    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Brakes the first joint."""
        data.ctrl[0] = -0.1 * data.qvel[0]


class Brake(MujocoPlugin):
    """A compiled controller that damps each motor by its velocity."""

    @staticmethod
    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Sets the controls."""
        for motor in range(model.nu):
            data.ctrl[motor] = -0.2 * data.actuator_velocity[motor]


class FirstStep(Damper):
    """Prints `FIRST` and the time since the epoch (s) at the first step."""

    _said = False

    def last_stage_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Prints the time at the first call."""
        if not self._said:
            self._said = True
            print('FIRST', time.time(), flush=True)
