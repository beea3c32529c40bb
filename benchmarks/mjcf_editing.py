"""The CPU time of setting attributes of MJCF elements, relative to dm_control's PyMJCF."""

from __future__ import annotations

from typing import Any

import numpy as np

from mujoco_ros_py import mjcf

from .pairs import in_turn, peer
from .rounds import Rounds

_TIMES = 1000


def measure_set() -> Rounds:
    """Sets attributes of each type a thousand times."""
    both = [_Edited(each) for each in (mjcf, peer())]
    kinds = (
        'list', 'array', 'text', 'number', 'whole', 'word', 'name', 'element', 'several',
    )  # fmt: skip
    return in_turn(**{kind: tuple(getattr(each, kind) for each in both) for kind in kinds})


class _Edited:
    """A model to edit, made with one of the libraries and attached to another model."""

    def __init__(self, library: Any) -> None:
        host, model = (library.RootElement(model=name) for name in ('host', 'edited'))
        host.attach(model)
        self.body = model.worldbody.add('body', name='body')
        self.geom = self.body.add('geom', type='box', size=[0.1, 0.2, 0.3])
        self.joint = self.body.add('joint', name='hinge', type='hinge')
        self.motor = model.actuator.add('motor', joint=self.joint)
        self.numbers = np.array([1.0, 2.0, 3.0])

    def list(self) -> None:
        for _ in range(_TIMES):
            self.geom.pos = [1, 2.5, 3]

    def array(self) -> None:
        for _ in range(_TIMES):
            self.geom.pos = self.numbers

    def text(self) -> None:
        for _ in range(_TIMES):
            self.geom.pos = '1 2.5 3'

    def number(self) -> None:
        for _ in range(_TIMES):
            self.geom.mass = 1.5

    def whole(self) -> None:
        for _ in range(_TIMES):
            self.geom.group = 2

    def word(self) -> None:
        for _ in range(_TIMES):
            self.geom.type = 'box'

    def name(self) -> None:
        for _ in range(_TIMES // 2):
            self.body.name = 'other'
            self.body.name = 'body'

    def element(self) -> None:
        for _ in range(_TIMES):
            self.motor.joint = self.joint

    def several(self) -> None:
        for _ in range(_TIMES):
            self.geom.set_attributes(pos=[1, 2, 3], mass=2.0)
