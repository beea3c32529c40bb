"""Plugins that write NaN, and plugins that make libmujoco report a fatal error."""

# The first parameter of a compiled callback is the state.

from __future__ import annotations

import mujoco
import numpy as np

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state

from .lines import say

TOO_MANY = 1 << 30
"""A state signature that libmujoco does not know, which is a fatal error."""


class WritesNan(MujocoPlugin):
    """Writes NaN; configured by `field` of the data, `after` (s) and `once`."""

    def load(self, model, data):
        self.written = False

    def control_callback(self, model, data):
        if data.time >= self.config.get('after', 0.0) and not self.written:
            self.written = self.config.get('once', False)
            getattr(data, self.config['field'])[0] = np.nan


class Fatal(MujocoPlugin):
    """Makes a fatal error in compiled code; configured by `stage` and `after` (s)."""

    def load(self, model, data):
        self.state = new_state(
            last_stage=self.config['stage'] == 'last_stage_callback',
            after=float(self.config.get('after', 0.0)),
        )

    def unload(self):
        say(f'{self.name} unloads')

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        if not state.last_stage and data.time >= state.after:
            mujoco.mj_stateSize(model, TOO_MANY)

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        if state.last_stage and data.time >= state.after:
            mujoco.mj_stateSize(model, TOO_MANY)


class FatalFromPython(MujocoPlugin):
    """Makes a fatal error through the bindings; with `guarded` a function catches it."""

    def control_callback(self, model, data):
        if data.time < self.config.get('after', 0.0):
            return
        if self.config['guarded']:
            mujoco.mj_stateSize(model, TOO_MANY)
        mujoco.mj_getState(model, data, np.zeros(1), TOO_MANY)
