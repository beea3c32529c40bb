"""Plugins that read past the end of an array, and at an address without memory."""

# The first parameter of a compiled callback is the state.

from __future__ import annotations

import numpy as np
from std_msgs.msg import Float64

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state
from mujoco_ros_py.plugins.compiled_code import numbers_at


class Reads(MujocoPlugin):
    """Reads one of two values by the configured `index`; a third value lies behind them."""

    def load(self, model, data):
        self.state = new_state(
            values=np.zeros(2), behind=7.0, index=self.config['index'], read=0.0
        )

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        state.read = state.values[state.index]


class Crashes(MujocoPlugin):
    """Ends the process in the function that its configuration names in `where`."""

    def load(self, model, data):
        places = {'in_callback': 0, 'in_fill': 0, 'in_take': 0, f'in_{self.config["where"]}': 8}
        self.state = new_state(**places)
        self.ros.create_compiled_publisher(
            Float64, '~/out', self.fill, rate_hz=100.0, state=self.state
        )
        self.ros.create_compiled_subscription(Float64, '~/in', self.take, state=self.state)

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        if state.in_callback:
            data.time += numbers_at(state.in_callback, 1)[0]

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        if state.in_fill:
            message.data = numbers_at(state.in_fill, 1)[0]

    @staticmethod
    @compiled
    def take(state, model, data, message):
        if state.in_take:
            data.time += numbers_at(state.in_take, 1)[0]
