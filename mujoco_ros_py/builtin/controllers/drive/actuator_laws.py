"""Describes how the control of each kind of actuator acts on the joint."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import mujoco
import numpy as np

from ....simulation import name_of

_POSITION_INPUT, _VELOCITY_INPUT = 1, 2
"""The bits of `actuator_ctrlspec` (mjtCtrlInput, since MuJoCo 4)."""
_NONE, _FIXED = int(mujoco.mjtDyn.mjDYN_NONE), int(mujoco.mjtGain.mjGAIN_FIXED)
_AFFINE_GAINS = {_FIXED, int(mujoco.mjtGain.mjGAIN_AFFINE)}
_AFFINE_BIASES = {int(mujoco.mjtBias.mjBIAS_NONE), int(mujoco.mjtBias.mjBIAS_AFFINE)}
_FILTERS = {int(mujoco.mjtDyn.mjDYN_FILTER), int(mujoco.mjtDyn.mjDYN_FILTEREXACT)}
_INTEGRATOR = int(mujoco.mjtDyn.mjDYN_INTEGRATOR)
_PID_GAIN = int(getattr(mujoco.mjtGain, 'mjGAIN_PID', -1))
_DC_MOTOR_GAIN = int(getattr(mujoco.mjtGain, 'mjGAIN_DCMOTOR', -1))
"""The gain types with more than one control, new in MuJoCo 4; -1 in older versions."""
JOINTS = {int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT)}
"""The transmission types for joints."""
_EVERYTHING = (-math.inf, math.inf)


class Law(IntEnum):
    """How the control of an actuator acts on its joint."""

    DIRECT = 0
    """The joint has no actuator: the effort is applied to the joint itself (qfrc_applied)."""
    AFFINE = 1
    """force = gain * ctrl + bias, where gain and bias are affine in length and velocity."""
    POSITION_SERVO = 2
    """The control is the target position of a servo with an activation or its own regulator."""
    VELOCITY_SERVO = 3
    """The control is the target velocity of a servo with an activation or its own regulator."""
    INTEGRATOR = 4
    """The control is the rate at which the target position of a servo changes (intvelocity)."""
    NO_EFFECT = 5
    """The actuator cannot be driven: no control produces a known force in the same step."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ActuatorLaw:
    """How one actuator acts on its joint. Lengths are actuator lengths: gear times position."""

    name: str
    law: Law
    gear: float
    control: int
    """The address of the control in `data.ctrl`."""
    activation: int = 0
    """The address of the activation in `data.act`."""
    gain: tuple[float, float, float] = (1.0, 0.0, 0.0)
    """The coefficients of the gain: constant, per length, per velocity."""
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The coefficients of the bias: constant, per length, per velocity."""
    control_range: tuple[float, float] = _EVERYTHING
    force_range: tuple[float, float] = _EVERYTHING
    target_range: tuple[float, float] = _EVERYTHING
    """The range of a servo's target: of its control, or of its activation for intvelocity."""
    reason: str = ''
    """Why the actuator cannot be driven by effort; empty if it can."""
    regulated: bool = False
    """Whether the stiffness is unknown because the actuator has its own regulator."""
    silent: bool = False
    """Whether the actuator exerts no force at control 0."""

    @property
    def servoes_position(self) -> bool:
        """Whether the actuator pulls its joint to a position that the control determines."""
        stiff = self.law is Law.AFFINE and self.bias[1] < 0.0 and self.gain[1:] == (0.0, 0.0)
        return stiff or self.law in (Law.POSITION_SERVO, Law.INTEGRATOR)

    @property
    def servoes_velocity(self) -> bool:
        """Whether the actuator drives its joint at a velocity that the control determines."""
        damped = self.bias[1] == 0.0 and self.bias[2] < 0.0 and self.gain[1:] == (0.0, 0.0)
        affine = self.law is Law.AFFINE and damped
        return affine or self.law in (Law.VELOCITY_SERVO, Law.INTEGRATOR)

    @property
    def compliance(self) -> float:
        """How far a load deflects a position servo, in rad/(N m) or m/N; 0 if unknown."""
        known = self.servoes_position and not self.regulated
        return -1.0 / (self.bias[1] * self.gear**2) if known else 0.0

    @property
    def efforts(self) -> tuple[float, float]:
        """The range of efforts on the joint that `force_range` allows, in N m or N."""
        low, high = sorted(self.gear * bound for bound in self.force_range)
        return low, high

    @property
    def positions(self) -> tuple[float, float]:
        """The range of a servo's target positions, in rad or m; unlimited for other actuators."""
        if not self.servoes_position:
            return _EVERYTHING
        per_position = -self.bias[1] * self.gear
        low, high = sorted(
            (self.gain[0] * bound + self.bias[0]) / per_position for bound in self.target_range
        )
        return low, high


def actuators_of(model: mujoco.MjModel, joint: int) -> list[ActuatorLaw]:
    """Returns the actuators of the joint with this id, except those in disabled groups."""
    return [
        law_of(model, actuator)
        for actuator in range(len(model.actuator_trntype))
        if model.actuator_trntype[actuator] in JOINTS
        and model.actuator_trnid[actuator, 0] == joint
        and not disabled(model, actuator)
    ]


def law_of(model: mujoco.MjModel, actuator: int) -> ActuatorLaw:
    """Returns the law of an actuator on a hinge or slide joint."""
    control = address_of(model, 'actuator_ctrladr', actuator, actuator)
    about: dict[str, Any] = {
        'name': name_of(model, mujoco.mjtObj.mjOBJ_ACTUATOR, actuator),
        'control': control,
        'activation': max(int(model.actuator_actadr[actuator]), 0),
        'gear': float(
            model.actuator_gear[address_of(model, 'actuator_outadr', actuator, actuator), 0]
        ),
        'control_range': _range(model, 'actuator_ctrl', control),
        'force_range': _range(model, 'actuator_force', actuator),
        'silent': _silent(model, actuator),
        **_law(model, actuator),
    }
    integrates = about['law'] is Law.INTEGRATOR
    about['target_range'] = (
        _range(model, 'actuator_act', actuator) if integrates else about['control_range']
    )
    if about['gear'] == 0.0 or about.get('gain', (1.0,))[0] == 0.0:
        about |= {'law': Law.NO_EFFECT, 'reason': 'its gain or its gear is 0'}
    return ActuatorLaw(**about)


def address_of(model: mujoco.MjModel, field: str, actuator: int, before: int) -> int:
    """Returns the actuator's entry in a model array that MuJoCo 4 introduced.

    Returns `before` with older versions of MuJoCo, which lack the array.
    """
    values = getattr(model, field, None)
    return before if values is None else int(values[actuator])


def disabled(model: mujoco.MjModel, actuator: int) -> bool:
    """Returns whether the actuator is in a group that the model disables."""
    group = int(model.actuator_group[actuator])
    return 0 <= group < 31 and bool(model.opt.disableactuator & (1 << group))


def _law(model: mujoco.MjModel, actuator: int) -> dict[str, Any]:
    """Returns the fields of `ActuatorLaw` that depend on the actuator's type.

    For an actuator that cannot be driven, the fields are the law NO_EFFECT and the reason.
    """
    dynamics, gain = model.actuator_dyntype[actuator], model.actuator_gaintype[actuator]
    delayed = getattr(model, 'actuator_delay', np.zeros(actuator + 1))[actuator] > 0.0
    if model.actuator_plugin[actuator] >= 0:
        return _unfit('it is an engine plugin')
    if gain in (_PID_GAIN, _DC_MOTOR_GAIN):
        return _regulator(model, actuator, plain=dynamics == _NONE and not delayed)
    affine = gain in _AFFINE_GAINS and model.actuator_biastype[actuator] in _AFFINE_BIASES
    if not affine:
        return _unfit('it is a muscle or of a user-defined type')
    made = {'gain': _three(model, 'gain', actuator), 'bias': _three(model, 'bias', actuator)}
    if dynamics == _NONE and not delayed:
        return {'law': Law.AFFINE, **made}
    if gain == _FIXED and (dynamics in _FILTERS or dynamics == _NONE):
        if made['bias'][1] < 0.0:
            return {'law': Law.POSITION_SERVO, **made, 'reason': _WITH_ACTIVATION}
        if made['bias'][1] == 0.0 and made['bias'][2] < 0.0:
            return {'law': Law.VELOCITY_SERVO, **made, 'reason': _WITH_ACTIVATION}
    if gain == _FIXED and dynamics == _INTEGRATOR and made['bias'][1] < 0.0 and not delayed:
        return {'law': Law.INTEGRATOR, **made, 'reason': _WITH_ACTIVATION}
    return _unfit(_WITH_ACTIVATION)


_WITH_ACTIVATION = 'its force lags behind its control (an activation or a delay)'


def _regulator(model: mujoco.MjModel, actuator: int, *, plain: bool) -> dict[str, Any]:
    """Returns the fields of a `pid` or `dcmotor` actuator, which is driven by its first control.

    `plain` is whether the actuator has neither dynamics nor a delay.
    """
    inputs = int(model.actuator_ctrlspec[actuator])
    if model.actuator_gaintype[actuator] == _PID_GAIN and plain:
        bias = _three(model, 'bias', actuator)
        position, velocity = inputs & _POSITION_INPUT, inputs & _VELOCITY_INPUT
        first = -bias[1] if position else -bias[2] if velocity else 1.0
        return {'law': Law.AFFINE, 'gain': (first, 0.0, 0.0), 'bias': bias}
    reason = 'it has a regulator of its own'
    if inputs & _POSITION_INPUT:
        return {
            'law': Law.POSITION_SERVO,
            'bias': (0.0, -1.0, 0.0),
            'regulated': True,
            'reason': reason,
        }
    if inputs & _VELOCITY_INPUT:
        return {'law': Law.VELOCITY_SERVO, 'bias': (0.0, 0.0, -1.0), 'reason': reason}
    return _unfit('it is a motor with a winding')


def _unfit(reason: str) -> dict[str, Any]:
    return {'law': Law.NO_EFFECT, 'reason': reason}


def _silent(model: mujoco.MjModel, actuator: int) -> bool:
    return bool(
        model.actuator_plugin[actuator] < 0
        and model.actuator_gaintype[actuator] in _AFFINE_GAINS
        and model.actuator_biastype[actuator] == int(mujoco.mjtBias.mjBIAS_NONE)
    )


def _three(model: mujoco.MjModel, what: str, actuator: int) -> tuple[float, float, float]:
    """Returns the coefficients of a gain or a bias: constant, per length, per velocity."""
    values = getattr(model, f'actuator_{what}prm')[actuator]
    kind = getattr(model, f'actuator_{what}type')[actuator]
    if what == 'gain' and kind == _FIXED:
        return float(values[0]), 0.0, 0.0
    if what == 'bias' and kind == int(mujoco.mjtBias.mjBIAS_NONE):
        return 0.0, 0.0, 0.0
    return float(values[0]), float(values[1]), float(values[2])


def _range(model: mujoco.MjModel, what: str, index: int) -> tuple[float, float]:
    if not getattr(model, f'{what}limited')[index]:
        return _EVERYTHING
    low, high = getattr(model, f'{what}range')[index]
    return float(low), float(high)
