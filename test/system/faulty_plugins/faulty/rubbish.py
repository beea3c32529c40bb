"""Plugins whose methods return wrong values."""

from __future__ import annotations

import numpy as np

from mujoco_ros_py.plugins import MujocoPlugin


class Unhelpful:
    """An object that cannot be printed, compared or converted to bool."""

    def __repr__(self):
        raise ValueError('no representation')

    def __bool__(self):
        raise ValueError('neither true nor false')

    __eq__ = None
    __hash__ = None


def _stream():
    yield 1


RUBBISH = {
    'text': 'no',
    'array': np.ones(3),
    'unhelpful': Unhelpful(),
    'generator': _stream(),
    'numpy false': np.bool_(False),
}


class Rubbish(MujocoPlugin):
    """Configured by `rubbish`, one of RUBBISH."""

    def load(self, model, data):
        return RUBBISH[self.config['rubbish']]

    def reset(self, model, data):
        return RUBBISH[self.config['rubbish']]

    def unload(self):
        return RUBBISH[self.config['rubbish']]

    def control_callback(self, model, data):
        return RUBBISH[self.config['rubbish']]

    def passive_callback(self, model, data):
        return RUBBISH[self.config['rubbish']]

    def last_stage_callback(self, model, data):
        return RUBBISH[self.config['rubbish']]
