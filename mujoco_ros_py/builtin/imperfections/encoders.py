"""Faults in the joint positions, velocities and sensor values that control callbacks read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import mujoco
import numpy as np

from ...config import unknown
from ...errors import ConfigError
from ...plugins.compiled_code import inlined
from ...simulation import given_name
from .number_rows import entry_number
from .numbers import NUMBER, impaired, impaired_velocity
from .rows import Key, KeyedRows, Rows, array_of, by_effect, filled
from .timeline import NUMBER_EFFECTS, NamedEntry

ENCODER = np.dtype(
    [
        ('entry', np.int64),
        ('position', np.int64),
        ('velocity', np.int64),
        ('shown', np.int64),
        ('true_position', np.float64),
        ('true_velocity', np.float64),
        ('fault', NUMBER),
    ]
)
"""A faulty encoder: the index of its entry, and the addresses of joint position and velocity.
While `shown` is 1, the data contain the faulty values, and the true values are stored here."""
SENSOR = np.dtype(
    [
        ('entry', np.int64),
        ('address', np.int64),
        ('shown', np.int64),
        ('true_value', np.float64),
        ('fault', NUMBER),
    ]
)
"""A faulty number of a sensor: the index of its entry, and its address; see `ENCODER`."""
MEMORY = 'stuck', 'held'
"""The fields of `NUMBER` that compiled code writes."""
ENCODER_PLACES = 'position', 'velocity'
SENSOR_PLACES = ('address',)
_SCALAR = int(mujoco.mjtJoint.mjJNT_SLIDE), int(mujoco.mjtJoint.mjJNT_HINGE)
_JOINT, _SENSOR = mujoco.mjtObj.mjOBJ_JOINT, mujoco.mjtObj.mjOBJ_SENSOR


def encoder_rows(model: mujoco.MjModel, prefix: str, timeline: Sequence[NamedEntry]) -> KeyedRows:
    """Returns a row of type `ENCODER` for each entry whose target is a joint.

    `prefix` precedes the names in the model. Raises ConfigError for an unknown joint, and for a
    joint with more than one position.
    """
    rows, keys = [], []
    for index, entry in _sorted(timeline, 'joint'):
        joint = _joint(model, prefix, entry)
        values = {
            'entry': index,
            'position': model.jnt_qposadr[joint],
            'velocity': model.jnt_dofadr[joint],
            'fault': entry_number(entry),
        }
        rows.append(filled(ENCODER, values))
        keys.append((index, entry.target.joint, 0))
    return KeyedRows(array_of(ENCODER, rows), tuple(keys), ENCODER_PLACES)


def sensor_rows(model: mujoco.MjModel, prefix: str, timeline: Sequence[NamedEntry]) -> KeyedRows:
    """Returns a row of type `SENSOR` for each number of each sensor that is a target of an entry.

    Raises ConfigError for an unknown sensor.
    """
    rows: list[Rows] = []
    keys: list[Key] = []
    for index, entry in _sorted(timeline, 'sensor'):
        name = entry.target.sensor
        sensor = mujoco.mj_name2id(model, _SENSOR, f'{prefix}{name}')
        if sensor < 0:
            known = own_names(model, _SENSOR, prefix, range(model.nsensor))
            raise ConfigError(f'timeline.{entry.name}.of: {unknown("sensor", name, known)}')
        for k in range(model.sensor_dim[sensor]):
            address = model.sensor_adr[sensor] + k
            values = {'entry': index, 'address': address, 'fault': entry_number(entry)}
            rows.append(filled(SENSOR, values))
            keys.append((index, name, k))
    return KeyedRows(array_of(SENSOR, rows), tuple(keys), SENSOR_PLACES)


def own_names(
    model: mujoco.MjModel, kind: mujoco.mjtObj, prefix: str, ids: Sequence[int]
) -> list[str]:
    """Returns the names that begin with a prefix, without the prefix."""
    names = (given_name(model, kind, each) for each in ids)
    return [name.removeprefix(prefix) for name in names if name and name.startswith(prefix)]


def _sorted(timeline: Sequence[NamedEntry], kind: str) -> Iterator[tuple[int, NamedEntry]]:
    """Yields the entries whose target has this kind, in the order of application."""
    order = by_effect(NUMBER_EFFECTS)
    own = [(index, entry) for index, entry in enumerate(timeline) if entry.target.kind == kind]
    yield from sorted(own, key=lambda pair: order(pair[1]))


def _joint(model: mujoco.MjModel, prefix: str, entry: NamedEntry) -> int:
    name = entry.target.joint
    joint = int(mujoco.mj_name2id(model, _JOINT, f'{prefix}{name}'))
    if joint >= 0 and model.jnt_type[joint] in _SCALAR:
        return joint
    scalar = [each for each in range(model.njnt) if model.jnt_type[each] in _SCALAR]
    known = own_names(model, _JOINT, prefix, scalar)
    if joint < 0:
        raise ConfigError(f'timeline.{entry.name}.of: {unknown("joint", name, known)}')
    kind = mujoco.mjtJoint(model.jnt_type[joint]).name.removeprefix('mjJNT_').lower()
    raise ConfigError(
        f'timeline.{entry.name}.of: joint must be a hinge or a slide, got {name!r}, which is a'
        f' {kind} joint; known: {", ".join(known) or "none"}'
    )


# All functions below are compiled.


@inlined
def show_readings(state: Any, data: mujoco.MjData) -> None:
    """Writes faulty encoder and sensor values into the data; `hide_readings` undoes this."""
    time = data.time
    for row in state.encoders:
        row.true_position = data.qpos[row.position]
        row.true_velocity = data.qvel[row.velocity]
        data.qpos[row.position] = impaired(row.fault, row.true_position, time)
        data.qvel[row.velocity] = impaired_velocity(row.fault, row.true_velocity, time)
        row.shown = 1
    for row in state.sensors:
        row.true_value = data.sensordata[row.address]
        data.sensordata[row.address] = impaired(row.fault, row.true_value, time)
        row.shown = 1


@inlined
def hide_readings(state: Any, data: mujoco.MjData) -> None:
    """Restores the true values, in reverse order because an element can have several rows."""
    for k in range(len(state.encoders) - 1, -1, -1):
        row = state.encoders[k]
        if row.shown:
            data.qpos[row.position] = row.true_position
            data.qvel[row.velocity] = row.true_velocity
            row.shown = 0
    for k in range(len(state.sensors) - 1, -1, -1):
        reading = state.sensors[k]
        if reading.shown:
            data.sensordata[reading.address] = reading.true_value
            reading.shown = 0
