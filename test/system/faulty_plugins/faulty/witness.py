"""Plugins that report the server's calls on the topic `<name>/calls` and in the output."""

# The first parameter of a compiled callback is the state.

from __future__ import annotations

import json
import threading

from std_msgs.msg import String

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state

from .lines import say

PERIOD_S = 0.05


class _Telling(MujocoPlugin):
    def load(self, model, data):
        self.state = new_state(control=0, passive=0, last_stage=0, reset=0)
        self._lock = threading.Lock()  # `unload` is called on another thread than the timer
        self._publisher = self.node.create_publisher(String, f'{self.name}/calls', 1)
        self._timer = self.node.create_timer(PERIOD_S, self._tell)

    def reset(self, model, data):
        self.state.reset += 1

    def unload(self):
        say(f'{self.name} unloads')
        with self._lock:
            self.node.destroy_timer(self._timer)
            self.node.destroy_publisher(self._publisher)
            self._publisher = None

    def _tell(self):
        counts = {name: int(self.state[name]) for name in self.state.dtype.names}
        with self._lock:
            if self._publisher is not None:
                self._publisher.publish(String(data=json.dumps(counts)))


class Witness(_Telling):
    def control_callback(self, model, data):
        self.state.control += 1

    def passive_callback(self, model, data):
        self.state.passive += 1

    def last_stage_callback(self, model, data):
        self.state.last_stage += 1


class CompiledWitness(_Telling):
    @staticmethod
    @compiled
    def control_callback(state, model, data):
        state.control += 1

    @staticmethod
    @compiled
    def passive_callback(state, model, data):
        state.passive += 1

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        state.last_stage += 1
