"""The indices of a model's named objects in its state."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ..config.wording import shown, unknown
from ..errors import ConfigError
from ..simulation import given_name

STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
"""MuJoCo's signature of the state."""
Write = tuple[str, int, tuple[float, ...]]
"""A field of MjData, the index of the first number to write, and the numbers."""
Values = Mapping[str, Any] | Sequence[float] | np.ndarray[Any, Any]
"""Numbers by object name, or the numbers of all objects in the model's order."""

_WIDTHS = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}
"""The sizes of position and velocity, by joint type: free, ball, slide, hinge."""
_Object = mujoco.mjtObj
_KINDS = {
    'joint': (_Object.mjOBJ_JOINT, 'njnt'),
    'body': (_Object.mjOBJ_BODY, 'nbody'),
    'site': (_Object.mjOBJ_SITE, 'nsite'),
    'sensor': (_Object.mjOBJ_SENSOR, 'nsensor'),
    'actuator': (_Object.mjOBJ_ACTUATOR, 'nactuator'),
}


class StatePlaces:
    """Finds the numbers of named objects in a state, and converts values by name to writes."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self.model = model
        self.parts = _parts(model)
        """The slice of each part of the state, by its field name in MjData."""
        self.size = sum(part.stop - part.start for part in self.parts.values())
        self._ids = {
            what: _names(model, kind, getattr(model, count, model.nu))
            for what, (kind, count) in _KINDS.items()
        }
        mocap = {
            name: int(model.body_mocapid[number]) for name, number in self._ids['body'].items()
        }
        self._ids['mocap body'] = {name: number for name, number in mocap.items() if number >= 0}
        self._controls = _slices(model, self._ids['actuator'], 'ctrl')
        self._outputs = _slices(model, self._ids['actuator'], 'out')
        self._joints = {
            name: _joint_slices(model, number) for name, number in self._ids['joint'].items()
        }
        starts = self.parts['qpos'].start, self.parts['qvel'].start
        self.single_joints = {
            name: (starts[0] + position.start, starts[1] + velocity.start)
            for name, (position, velocity) in self._joints.items()
            if position.stop - position.start == 1
        }
        """The indices of position and velocity in the state, for each hinge and slide."""

        self._single = {
            'qpos': _starts(self._joints, 0),
            'qvel': _starts(self._joints, 1),
            'ctrl': {
                name: part.start
                for name, part in self._controls.items()
                if part.stop - part.start == 1
            },
        }
        """The index of each object with a single number, by field and name."""

    def number(self, what: str, name: str) -> int:
        """Returns the id of an object. Raises ConfigError, with the known names, if unknown."""
        __tracebackhide__ = True
        found = self._ids[what].get(name)
        if found is None:
            raise ConfigError(unknown(what, name, self._ids[what]))
        return found

    def names(self, what: str) -> list[str]:
        """Returns the names of all named objects of a kind, in the model's order."""
        return list(self._ids[what])

    def joint(self, name: str) -> tuple[slice, slice]:
        """Returns a joint's slices of `qpos` and `qvel`. Raises ConfigError."""
        self.number('joint', name)
        return self._joints[name]

    def control(self, name: str) -> slice:
        """Returns an actuator's slice of `ctrl`. Raises ConfigError."""
        self.number('actuator', name)
        return self._controls[name]

    def output(self, name: str) -> slice:
        """Returns an actuator's slice of `actuator_force`. Raises ConfigError."""
        self.number('actuator', name)
        return self._outputs[name]

    def writes(
        self,
        *,
        qpos: Values | None = None,
        qvel: Values | None = None,
        ctrl: Values | None = None,
        mocap: Mapping[str, object] | None = None,
    ) -> list[Write]:
        """Checks the values and returns them as writes. Raises ConfigError."""
        made: list[Write] = []
        for field, values in (('qpos', qpos), ('qvel', qvel), ('ctrl', ctrl)):
            if values is None:
                continue
            if type(values) is dict or isinstance(values, Mapping):  # the first test is faster
                made += [self._write(field, name, value) for name, value in values.items()]
            else:
                count = self.parts[field].stop - self.parts[field].start
                made.append((field, 0, _numbers(values, count, field)))
        for name, pose in (mocap or {}).items():
            made += self._mocap(name, pose)
        return made

    def _write(self, field: str, name: str, value: object) -> Write:
        start = self._single[field].get(name)
        if start is not None and type(value) is float and math.isfinite(value):
            return field, start, (value,)  # the common case: saves time in single steps
        if field == 'ctrl':
            what, place = 'actuator', self.control(name)
        else:
            what, place = 'joint', self.joint(name)[field == 'qvel']
        count = place.stop - place.start
        return field, place.start, _numbers(value, count, f'{field} of {what} {name!r}')

    def _mocap(self, name: str, pose: Any) -> Iterable[Write]:
        """Yields the position and, for a pose of 7 numbers, the orientation of a mocap body."""
        number = self.number('mocap body', name)
        count = 7 if np.size(pose) == 7 else 3
        numbers = _numbers(pose, count, f'mocap of {name!r} (x y z, or x y z and w x y z)')
        yield 'mocap_pos', 3 * number, numbers[:3]
        if count == 7:
            yield 'mocap_quat', 4 * number, numbers[3:]


def write(data: mujoco.MjData, writes: Iterable[Write]) -> None:
    """Applies writes to the data, between two steps."""
    for field, start, numbers in writes:
        array = getattr(data, field)
        flat = array if array.ndim == 1 else array.reshape(-1)
        if len(numbers) == 1:
            flat[start] = numbers[0]  # twice as fast as a slice
        else:
            flat[start : start + len(numbers)] = numbers


def _numbers(values: object, count: int, what: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(value) for value in np.asarray(values, float).ravel())
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        wanted = 'a finite number' if count == 1 else f'{count} finite numbers'
        raise ConfigError(f'{what} must be {wanted}, got {shown(values)}')
    return numbers


def _parts(model: mujoco.MjModel) -> dict[str, slice]:
    """Returns the slice of each part of the state. MuJoCo orders the parts by their bits."""
    parts, start = {}, 0
    for name, bit in sorted(mujoco.mjtState.__members__.items(), key=lambda item: int(item[1])):
        value = int(bit)
        if value & STATE and value.bit_count() == 1:
            size = mujoco.mj_stateSize(model, value)
            parts[name.removeprefix('mjSTATE_').lower()] = slice(start, start + size)
            start += size
    return parts


def _names(model: mujoco.MjModel, kind: mujoco.mjtObj, count: int) -> dict[str, int]:
    given = ((given_name(model, kind, number), number) for number in range(count))
    return {name: number for name, number in given if name}


def _slices(model: mujoco.MjModel, ids: Mapping[str, int], what: str) -> dict[str, slice]:
    """Returns each actuator's slice.

    Up to MuJoCo 3, each actuator has one control and one force.
    """
    starts = getattr(model, f'actuator_{what}adr', range(model.nu))
    counts = getattr(model, f'actuator_{what}num', [1] * model.nu)
    return {
        name: slice(int(starts[number]), int(starts[number] + counts[number]))
        for name, number in ids.items()
    }


def _starts(joints: Mapping[str, tuple[slice, slice]], field: int) -> dict[str, int]:
    """Returns the index of each joint with a single number in a field."""
    places = {name: both[field] for name, both in joints.items()}
    return {name: part.start for name, part in places.items() if part.stop - part.start == 1}


def _joint_slices(model: mujoco.MjModel, joint: int) -> tuple[slice, slice]:
    position, velocity = _WIDTHS[int(model.jnt_type[joint])]
    start, dof = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
    return slice(start, start + position), slice(dof, dof + velocity)
