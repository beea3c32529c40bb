"""Faults of the forces of actuators: weak and dead motors, limits of force and speed.

A fault changes the gain, the bias and the force range of the actuator in the model. MuJoCo then
computes the force, its derivatives for implicit integrators and its sensors from the same numbers,
even in copies of the data. The original values are restored when no fault is in effect.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...errors import ConfigError
from ...plugins.compiled_code import inlined
from .actuator_names import actuator_numbers, output_of
from .force_laws import ForceLaw, force_law
from .numbers import within
from .rows import WINDOW, Key, KeyedRows, Rows, array_of, filled, window
from .timeline import NamedEntry

_PARAMETERS = int(mujoco.mjNGAIN)
assert int(mujoco.mjNBIAS) == _PARAMETERS
MOTOR = np.dtype(
    [
        ('actuator', np.int64),
        ('output', np.int64),
        ('first', np.int64),
        ('count', np.int64),
        ('linear', np.int64),
        ('norm', np.int64),
        ('scales_gain', np.int64, _PARAMETERS),
        ('scales_bias', np.int64, _PARAMETERS),
        ('engaged', np.int64),
        ('scale', np.float64),
        ('gain', np.float64, _PARAMETERS),
        ('bias', np.float64, _PARAMETERS),
        ('limited', np.int64),
        ('low', np.float64),
        ('high', np.float64),
    ]
)
"""An actuator with faults: its id, the address of its force and speed, the index of its first
fault, the number of its faults, and its `ForceLaw`. While `engaged` is 1, the model contains the
gain and the bias scaled by `scale`, and a changed force range; the original values are stored
here."""
FORCE_FAULT = np.dtype(
    [*WINDOW, ('scale', np.float64), ('force', np.float64), ('velocity', np.float64)]
)
"""A fault of a force: its time window, a factor, and limits of force and speed (or infinity)."""
MOTOR_PLACES = (
    'actuator', 'output', 'first', 'count', 'linear', 'norm', 'scales_gain', 'scales_bias'
)  # fmt: skip
FORCE_EFFECTS = 'scale', 'stop', 'saturate'


@dataclass(frozen=True, slots=True)
class ForceRows:
    """The actuators that have faults of their forces, and these faults."""

    motors: KeyedRows
    faults: KeyedRows

    def remember(self, before: ForceRows, state: Any) -> None:
        """Copies the faults' parameters from an old state with the rows `before`.

        The original values must already be restored in the old model.
        """
        self.faults.remember(before.faults.keys, state.force_faults)


def force_rows(model: mujoco.MjModel, prefix: str, timeline: Sequence[NamedEntry]) -> ForceRows:
    """Returns the rows for all entries that have effects on forces.

    Raises ConfigError for unknown actuators, and for effects that an actuator cannot have.
    """
    faults: dict[tuple[str, int], list[tuple[int, NamedEntry]]] = {}
    for index, entry in enumerate(timeline):
        if set(FORCE_EFFECTS) & set(entry.effects):
            for name, actuator in actuator_numbers(model, prefix, entry).items():
                check_force(model, entry, name, actuator)
                faults.setdefault((name, actuator), []).append((index, entry))
    rows: list[Rows] = []
    keys: list[Key] = []
    own: list[Rows] = []
    own_keys: list[Key] = []
    for (name, actuator), found in faults.items():
        law, output = force_law(model, actuator), output_of(model, actuator)[0]
        values = {'actuator': actuator, 'output': output, 'first': len(own), 'count': len(found)}
        rows.append(filled(MOTOR, {**values, **_law_fields(law)}))
        keys.append((-1, name, 0))
        for index, entry in found:
            own.append(filled(FORCE_FAULT, force_fault(index, entry)))
            own_keys.append((index, name, 0))
    return ForceRows(
        KeyedRows(array_of(MOTOR, rows), tuple(keys), MOTOR_PLACES),
        KeyedRows(array_of(FORCE_FAULT, own), tuple(own_keys), ()),
    )


def force_fault(index: int, entry: NamedEntry) -> Mapping[str, Any]:
    """Returns the parameters of an entry's effects on a force."""
    scale = 1.0 if entry.scale is None else entry.scale
    limits = entry.saturate
    return {
        **window(index, entry),
        'scale': 0.0 if entry.stop else scale,
        'force': math.inf if limits is None or limits.force is None else limits.force,
        'velocity': math.inf if limits is None or limits.velocity is None else limits.velocity,
    }


def check_force(model: mujoco.MjModel, entry: NamedEntry, name: str, actuator: int) -> None:
    """Raises ConfigError if an actuator cannot have the effects of an entry."""
    law, where = force_law(model, actuator), f'timeline.{entry.name}'
    if entry.scale is not None and law.reason:
        raise ConfigError(
            f'{where}.scale is not possible for actuator {name!r}: {law.reason}; use stop or'
            ' saturate'
        )
    if entry.scale is not None and entry.scale < 0.0 and not law.signed:
        raise ConfigError(
            f'{where}.scale must be at least 0 for actuator {name!r}, which is a muscle, got'
            f' {entry.scale:g}'
        )
    limited = entry.saturate is not None and entry.saturate.velocity is not None
    if limited and output_of(model, actuator)[1] != 1:
        raise ConfigError(
            f'{where}.saturate.velocity is not possible for actuator {name!r}: it has several'
            ' outputs, each with its own speed'
        )


def _law_fields(law: ForceLaw) -> Mapping[str, Any]:
    numbers = range(_PARAMETERS)
    return {
        'linear': not law.reason,
        'norm': law.norm,
        'scales_gain': [k in law.gains for k in numbers],
        'scales_bias': [k in law.biases for k in numbers],
    }


# All functions below are compiled.


@inlined
def write_forces(state: Any, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Changes gains, biases and force ranges for the faults in effect, or restores them."""
    for motor in state.motors:
        faulty, scale, force, velocity = False, 1.0, np.inf, np.inf
        for k in range(motor.first, motor.first + motor.count):
            fault = state.force_faults[k]
            if within(fault, data.time):
                faulty = True
                scale *= fault.scale
                force, velocity = min(force, fault.force), min(velocity, fault.velocity)
        if faulty:
            if motor.engaged == 0:
                _keep_motor(motor, model)
            if scale != motor.scale:
                _scale_motor(motor, model, scale)
            speed = data.actuator_velocity[motor.output]
            _limit_motor(motor, model, scale, force, speed, velocity)
        elif motor.engaged:
            restore_motor(motor, model)


@inlined
def restore_motor(motor: Any, model: mujoco.MjModel) -> None:
    """Writes the original values back into the model."""
    actuator = motor.actuator
    for k in range(_PARAMETERS):
        if motor.scales_gain[k]:
            model.actuator_gainprm[actuator, k] = motor.gain[k]
        if motor.scales_bias[k]:
            model.actuator_biasprm[actuator, k] = motor.bias[k]
    model.actuator_forcerange[actuator, 0] = motor.low
    model.actuator_forcerange[actuator, 1] = motor.high
    model.actuator_forcelimited[actuator] = motor.limited
    motor.engaged = 0


@inlined
def _keep_motor(motor: Any, model: mujoco.MjModel) -> None:
    actuator = motor.actuator
    for k in range(_PARAMETERS):
        motor.gain[k] = model.actuator_gainprm[actuator, k]
        motor.bias[k] = model.actuator_biasprm[actuator, k]
    motor.low = model.actuator_forcerange[actuator, 0]
    motor.high = model.actuator_forcerange[actuator, 1]
    motor.limited = model.actuator_forcelimited[actuator]
    motor.engaged, motor.scale = 1, 1.0


@inlined
def _scale_motor(motor: Any, model: mujoco.MjModel, scale: float) -> None:
    actuator = motor.actuator
    for k in range(_PARAMETERS):
        if motor.scales_gain[k]:
            model.actuator_gainprm[actuator, k] = scale * motor.gain[k]
        if motor.scales_bias[k]:
            model.actuator_biasprm[actuator, k] = scale * motor.bias[k]
    motor.scale = scale


@inlined
def _limit_motor(
    motor: Any, model: mujoco.MjModel, scale: float, force: float, speed: float, velocity: float
) -> None:
    """Scales the force range and limits it to `force`; above `velocity`, allows only braking."""
    low, high = -np.inf, np.inf
    if motor.limited:
        low, high = scale * motor.low, scale * motor.high
        if scale < 0.0:
            low, high = high, low
    if motor.linear == 0 and scale == 0.0:
        low, high = 0.0, 0.0
    low, high = max(low, -force), min(high, force)
    if speed > velocity:
        high = min(high, 0.0)
        low = min(low, high)
    elif speed < -velocity:
        low = max(low, 0.0)
        high = max(high, low)
    actuator = motor.actuator
    if low == -np.inf and high == np.inf:
        model.actuator_forcelimited[actuator] = 0
        model.actuator_forcerange[actuator, 0] = motor.low
        model.actuator_forcerange[actuator, 1] = motor.high
    else:
        model.actuator_forcelimited[actuator] = 1
        model.actuator_forcerange[actuator, 0] = 0.0 if motor.norm else low
        model.actuator_forcerange[actuator, 1] = abs(high) if motor.norm else high
