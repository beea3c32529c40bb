"""Finds the parameters of an actuator that scale its force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import mujoco

_FEEDFORWARD_INPUT = 4
"""The bit of a feedforward input in `actuator_ctrlspec` (mjtCtrlInput, since MuJoCo 4)."""
_MUSCLE_FORCE, _MUSCLE_SCALE = 2, 3
"""The parameters that scale the force of a muscle: its peak force, or `scale` if that is
negative."""


def _value(enum: type, name: str) -> int:
    """Returns a value of an enumeration; -1 if this MuJoCo version does not define it."""
    return int(getattr(enum, name, -1))


_GAINS: Mapping[int, tuple[int, ...]] = MappingProxyType({
    int(mujoco.mjtGain.mjGAIN_FIXED): (0,),
    int(mujoco.mjtGain.mjGAIN_AFFINE): (0, 1, 2),
    _value(mujoco.mjtGain, 'mjGAIN_PID'): (0,),
    _value(mujoco.mjtGain, 'mjGAIN_SO3'): (0,),
})  # fmt: skip
_BIASES: Mapping[int, tuple[int, ...]] = MappingProxyType({
    int(mujoco.mjtBias.mjBIAS_NONE): (),
    int(mujoco.mjtBias.mjBIAS_AFFINE): (0, 1, 2),
    _value(mujoco.mjtBias, 'mjBIAS_SO3'): (0, 1, 2),
})  # fmt: skip
"""Maps a type of gain or bias to the parameters in which the force is linear."""
_PID, _SO3 = _value(mujoco.mjtGain, 'mjGAIN_PID'), _value(mujoco.mjtGain, 'mjGAIN_SO3')
_MUSCLE_GAIN = int(mujoco.mjtGain.mjGAIN_MUSCLE)
_MUSCLE_BIAS = int(mujoco.mjtBias.mjBIAS_MUSCLE)
_DC_MOTORS = _value(mujoco.mjtGain, 'mjGAIN_DCMOTOR'), _value(mujoco.mjtBias, 'mjBIAS_DCMOTOR')


@dataclass(frozen=True, slots=True)
class ForceLaw:
    """The parameters in which the force of an actuator is linear."""

    gains: tuple[int, ...] = ()
    """Indices of the parameters of the gain."""
    biases: tuple[int, ...] = ()
    """Indices of the parameters of the bias."""
    reason: str = ''
    """Why no parameters scale the force; empty if scaling `gains` and `biases` scales it."""
    signed: bool = True
    """Whether the force can be scaled by a negative factor."""
    norm: bool = False
    """Whether `actuator_forcerange` limits the norm of a torque vector."""


def force_law(model: mujoco.MjModel, actuator: int) -> ForceLaw:
    """Returns the parameters that scale the force of an actuator."""
    gain, bias = int(model.actuator_gaintype[actuator]), int(model.actuator_biastype[actuator])
    if model.actuator_plugin[actuator] >= 0:
        return ForceLaw(reason='an engine plugin computes its force')
    if gain == _DC_MOTORS[0] or bias == _DC_MOTORS[1]:
        return ForceLaw(
            reason='it is a DC motor, whose currents and friction are not scaled alike'
        )
    if gain == _PID and int(model.actuator_ctrlspec[actuator]) & _FEEDFORWARD_INPUT:
        return ForceLaw(reason='no parameter scales its feedforward input')
    muscle = gain == _MUSCLE_GAIN or bias == _MUSCLE_BIAS
    gains = _muscle(model.actuator_gainprm[actuator]) if gain == _MUSCLE_GAIN else _GAINS.get(gain)
    biases = (
        _muscle(model.actuator_biasprm[actuator]) if bias == _MUSCLE_BIAS else _BIASES.get(bias)
    )
    if gains is None or biases is None:
        return ForceLaw(reason='a callback of the program computes its force')
    return ForceLaw(gains=gains, biases=biases, signed=not muscle, norm=gain == _SO3)


def _muscle(parameters: Any) -> tuple[int, ...]:
    force = parameters[_MUSCLE_FORCE]
    return (_MUSCLE_FORCE,) if force >= 0.0 else (_MUSCLE_SCALE,)
