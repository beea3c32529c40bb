"""A plugin that reads an array at the index that its configuration gives."""

# The first parameter of a compiled callback is the state.

from __future__ import annotations

import numpy as np

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state


class Reads(MujocoPlugin):
    """Reads one of two values by the configured `index`; a third value lies behind them."""

    def load(self, model, data):
        self.state = new_state(
            values=np.zeros(2), behind=7.0, index=self.config['index'], read=0.0
        )

    @compiled
    def control_callback(state, model, data):
        state.read = state.values[state.index]
