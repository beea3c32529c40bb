"""A plugin that measures for how long the physics stops while a world changes."""

from __future__ import annotations

from typing import Any

import mujoco

from mujoco_ros_py.engine.compiled.system import monotonic_ns
from mujoco_ros_py.plugins import Adaptable, MujocoPlugin, compiled, new_state


class StepGaps(MujocoPlugin, Adaptable):
    """Records the longest gap between steps in ns, also across changes of the model."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Creates the state."""
        self.state = new_state(longest=0, before=0, latest=0, time=-1.0)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Keeps the state."""

    def begin(self) -> None:
        """Clears the longest gap."""
        state: Any = self.state
        state.longest = 0

    @staticmethod
    @compiled
    def last_stage_callback(state: Any, model: Any, data: Any) -> None:
        """Measures the gap; a forward pass at the same simulated time counts as part of it."""
        now = monotonic_ns()
        if data.time != state.time:
            state.before = state.latest
            state.time = data.time
        if state.before > 0:
            state.longest = max(state.longest, now - state.before)
        state.latest = now
