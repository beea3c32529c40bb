"""Reads and sets positions, velocities, controls, activations and mocap poses by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import mujoco

from ...config.wording import listed, unknown
from ...errors import ConfigError
from ..models.coupled_joints import Given, complete, couplings
from ..models.object_names import given_name
from .edit import Edit
from .given_numbers import Array, finite, unit_quat
from .named_elements import find_mocap

Kind = Literal['position', 'velocity', 'control', 'activation', 'mocap pose']
"""The kind of a value: position or velocity of a joint, control or activation of an actuator, pose
of a mocap body."""
_OBJECT, _JOINT = mujoco.mjtObj, mujoco.mjtJoint
_SIZES = {
    int(_JOINT.mjJNT_FREE): (7, 6, 3),
    int(_JOINT.mjJNT_BALL): (4, 3, 0),
    int(_JOINT.mjJNT_SLIDE): (1, 1, None),
    int(_JOINT.mjJNT_HINGE): (1, 1, None),
}
"""By joint type: the sizes of a position and a velocity, and the index of the quaternion in the
position."""
_POSE = 7, 3
"""The size of a pose, and the index of its quaternion."""


@dataclass(frozen=True, slots=True)
class NamedNumbers:
    """The numbers of an element, in MuJoCo's order."""

    kind: Kind
    name: str
    """The name of the joint, the actuator or the body."""
    numbers: Sequence[float]
    """Position: 1 number in rad or m for a hinge or slide, 4 for a ball (a quaternion, w first), 7
    for a free joint or a mocap body (x y z in m in the world, then a quaternion, w first).
    Velocity: 1 number in rad/s or m/s, 3 for a ball (in the body frame), 6 for a free joint
    (linear in the world, then angular in the body frame). Control and activation: all numbers of
    the actuator.
    """


@dataclass(frozen=True, slots=True)
class _Place:
    """Views of the data that contain the numbers of an element, and the index of a quaternion."""

    arrays: tuple[Array, ...]
    quat: int | None = None

    @property
    def size(self) -> int:
        return sum(map(len, self.arrays))

    def write(self, numbers: Array) -> None:
        for array in self.arrays:
            array[:], numbers = numbers[: len(array)], numbers[len(array) :]


def set_numbers(
    model: mujoco.MjModel, data: mujoco.MjData, given: Iterable[NamedNumbers], edit: Edit
) -> None:
    """Sets all of the numbers; if any is invalid, sets nothing and adds the reasons to `edit`.

    Also moves joints that equality constraints couple with the given joints, unless numbers for
    them are given too.
    """
    found: dict[tuple[str, str], tuple[_Place, Array]] = {}
    for each in given:
        what = f'{each.kind} of {each.name!r}'
        try:
            if (each.kind, each.name) in found:
                raise ConfigError(f'{what} must be given only once')
            place = _place(model, data, each.kind, each.name)
            found[each.kind, each.name] = place, _checked(what, each.numbers, place)
        except ConfigError as error:
            edit.refused.append(str(error))
    if edit.refused:
        edit.refused.append('nothing was set')
        return
    for (kind, name), (place, numbers) in found.items():
        place.write(numbers)
        edit.done.append(f'{kind} of {name!r} set')
    joints = Given(_joints_of(model, found, 'position'), _joints_of(model, found, 'velocity'))
    along = complete(model, data, joints, couplings(model), touched_only=True)
    if along.moved:
        edit.done.append(f'joints moved by their equalities: {listed(along.moved)}')
    edit.done += along.misfits


def _joints_of(model: mujoco.MjModel, given: Iterable[tuple[str, str]], kind: Kind) -> set[int]:
    """Returns the ids of the joints with given numbers of this kind."""
    names = (name for each, name in given if each == kind)
    return {int(mujoco.mj_name2id(model, _OBJECT.mjOBJ_JOINT, name)) for name in names}


def read_numbers(
    model: mujoco.MjModel, data: mujoco.MjData, kind: Kind, names: Sequence[str] | None = None
) -> list[NamedNumbers]:
    """Returns the numbers of the named elements, or of all elements with numbers of this kind.

    Raises ConfigError for an unknown name.
    """
    every = names is None
    read = []
    for name in _names(model, kind) if names is None else names:
        place = _place(model, data, kind, name)
        if place.size or not every:
            numbers = [float(number) for array in place.arrays for number in array]
            read.append(NamedNumbers(kind, name, numbers))
    return read


def _checked(what: str, numbers: Sequence[float], place: _Place) -> Array:
    """Returns the numbers with a normalized quaternion. Raises ConfigError for invalid numbers."""
    if len(numbers) != place.size:
        raise ConfigError(f'{what} must have {place.size} numbers, got {len(numbers)}')
    checked = finite(what, numbers)
    if place.quat is not None:
        checked[place.quat :] = unit_quat(what, checked[place.quat :].tolist())
    return checked


def _place(model: mujoco.MjModel, data: mujoco.MjData, kind: Kind, name: str) -> _Place:
    if kind == 'mocap pose':
        mocap = find_mocap(model, name)
        return _Place((data.mocap_pos[mocap], data.mocap_quat[mocap]), _POSE[1])
    objects = _OBJECT.mjOBJ_JOINT if kind in ('position', 'velocity') else _OBJECT.mjOBJ_ACTUATOR
    number = mujoco.mj_name2id(model, objects, name) if name else -1
    if number < 0:
        what = 'joint' if objects == _OBJECT.mjOBJ_JOINT else 'actuator'
        raise ConfigError(unknown(what, name, _names(model, kind)))
    return _PLACES[kind](model, data, number)


def _position(model: mujoco.MjModel, data: mujoco.MjData, joint: int) -> _Place:
    size, _, quat = _SIZES[int(model.jnt_type[joint])]
    first = int(model.jnt_qposadr[joint])
    return _Place((data.qpos[first : first + size],), quat)


def _velocity(model: mujoco.MjModel, data: mujoco.MjData, joint: int) -> _Place:
    _, size, _ = _SIZES[int(model.jnt_type[joint])]
    first = int(model.jnt_dofadr[joint])
    return _Place((data.qvel[first : first + size],))


def _control(model: mujoco.MjModel, data: mujoco.MjData, actuator: int) -> _Place:
    first, count = actuator, 1
    if hasattr(model, 'actuator_ctrladr'):  # since MuJoCo 4
        first = int(model.actuator_ctrladr[actuator])
        count = int(model.actuator_ctrlnum[actuator])
    return _Place((data.ctrl[first : first + count],))


def _activation(model: mujoco.MjModel, data: mujoco.MjData, actuator: int) -> _Place:
    first, count = int(model.actuator_actadr[actuator]), int(model.actuator_actnum[actuator])
    return _Place((data.act[first : first + count] if count else data.act[:0],))


_PLACES: dict[str, Callable[[mujoco.MjModel, mujoco.MjData, int], _Place]] = {
    'position': _position,
    'velocity': _velocity,
    'control': _control,
    'activation': _activation,
}


def _names(model: mujoco.MjModel, kind: Kind) -> list[str]:
    """Returns the names of the elements that may have numbers of this kind."""
    ids: Any
    if kind == 'mocap pose':
        objects = _OBJECT.mjOBJ_BODY
        ids = [body for body in range(model.nbody) if model.body_mocapid[body] >= 0]
    elif kind in ('position', 'velocity'):
        objects, ids = _OBJECT.mjOBJ_JOINT, range(model.njnt)
    else:
        objects, ids = _OBJECT.mjOBJ_ACTUATOR, range(len(model.actuator_trntype))
    names = (given_name(model, objects, number) for number in ids)
    return [name for name in names if name]
