"""Sets attributes of MJCF elements, against dm_control's PyMJCF, in CPU time."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from mujoco_ros_py import mjcf

from .pairs import paired, peer, worst
from .result import Result

_TIMES = 1000


def measure_set(name: str, limit: float) -> Result:
    """Sets attributes of each kind a thousand times."""
    ours, theirs = (_Edited(each) for each in (mjcf, peer()))
    pairs = [
        paired(partial(edit, ours), partial(edit, theirs))
        for edit in (
            _Edited.list, _Edited.array, _Edited.text, _Edited.number, _Edited.whole,
            _Edited.word, _Edited.name, _Edited.element, _Edited.several,
        )
    ]  # fmt: skip
    return worst(name, limit, pairs)


class _Edited:
    """A model of one of the libraries, attached to another one, that is edited."""

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
