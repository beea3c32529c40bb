"""The CPU time of accessing elements' arrays, relative to dm_control's PyMJCF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco

from mujoco_ros_py import mjcf

from .pairs import in_turn, peer
from .rounds import Rounds

_TIMES = 1000


def measure_bind_cold() -> Rounds:
    """Binds elements for the first time: each joint, and all joints at once."""
    return _in_turn('bind_each', 'bind_all')


def measure_bind() -> Rounds:
    """Reads and writes elements' arrays a thousand times, also between steps."""
    return _in_turn(
        'read_one', 'read_several', 'read_some', 'read_derived', 'write_one', 'write_several',
        'write_some', 'write_number', 'read_named', 'write_named', 'step',
    )  # fmt: skip


def _in_turn(*uses: str) -> Rounds:
    both = _Used(mjcf), _Used(_peer_of_physics())
    return in_turn(**{use: tuple(getattr(each, use) for each in both) for use in uses})


def _peer_of_physics() -> Any:
    """Returns PyMJCF's physics, without the parts that fail with the installed MuJoCo."""
    library = peer()
    from dm_control.mujoco.wrapper.mjbindings import sizes

    for struct, kind in (('mjmodel', mujoco.MjModel), ('mjdata', mujoco.MjData)):
        arrays = sizes.array_sizes[struct]
        for gone in [array for array in arrays if not hasattr(kind, array)]:
            del arrays[gone]
    return library


class _Used:
    """Accesses and steps a physics of one of the libraries."""

    def __init__(self, library: Any) -> None:
        model = library.from_path(str(Path(__file__).with_name('humanoid.xml')))
        self.physics = library.Physics.from_mjcf_model(model)
        self.joints = model.find_all('joint')[1:]
        self.one, self.some = self.joints[3], [*self.joints[2:9:3], self.joints[0]]
        self.bodies, self.motors = model.find_all('body'), model.find_all('actuator')

    def read_one(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.one).qpos  # noqa: B018

    def read_several(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.joints).qpos  # noqa: B018

    def read_some(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.some).qpos  # noqa: B018

    def read_derived(self) -> None:
        self.physics.forward()
        for _ in range(_TIMES):
            self.physics.bind(self.bodies).xpos  # noqa: B018

    def write_one(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.one).qpos = 0.1

    def write_several(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.joints).qpos = 0.1

    def write_some(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.some).qpos = 0.1

    def write_number(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.some).qpos[1] = 0.1

    def read_named(self) -> None:
        for _ in range(_TIMES):
            self.physics.named.data.xpos['torso', 'z']

    def write_named(self) -> None:
        for _ in range(_TIMES):
            self.physics.named.data.qvel[self.one.name] = 0.1

    def bind_each(self) -> None:
        self._forget()
        for joint in self.joints:
            self.physics.bind(joint).qpos  # noqa: B018

    def bind_all(self) -> None:
        self._forget()
        self.physics.bind(self.joints).qpos  # noqa: B018
        self.physics.bind(self.bodies).xpos  # noqa: B018

    def _forget(self) -> None:
        self.physics._bindings.clear()

    def step(self) -> None:
        with self.physics.reset_context():
            pass
        for _ in range(_TIMES // 10):
            self.physics.bind(self.motors).ctrl = 0.1
            self.physics.step()
            self.physics.bind(self.bodies).xpos  # noqa: B018
