"""Converts commands for joints to controls of their actuators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco

from ...config.wording import listed
from ...errors import ConfigError
from ...simulation import names_of
from ..sequences import Array
from .measured import Topic
from .units import factor_of

_JOINTS = {int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT)}
_FIXED, _NONE = int(mujoco.mjtGain.mjGAIN_FIXED), int(mujoco.mjtBias.mjBIAS_NONE)
_AFFINE = int(mujoco.mjtBias.mjBIAS_AFFINE)
_FIELDS = 'effort', 'position', 'velocity'
"""The joint's quantity that a constant bias, or a bias per length or velocity, sets."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Input:
    """The control of an actuator as a linear function of a command."""

    actuator: str
    factor: float = 1.0
    offset: float = 0.0

    def controls(self, values: Array) -> Array:
        """Returns the controls for commands."""
        return self.factor * values + self.offset


def input_of(topic: Topic, joint: int, field: str) -> Input:
    """Returns the input of the joint's actuator that follows this field of joint states.

    Raises ConfigError if no actuator follows it, or several do.
    """
    names = names_of(topic.model, mujoco.mjtObj.mjOBJ_ACTUATOR, '')
    all_own = [each for name in names if joint_of(each := topic.model.actuator(name)) == joint]
    fit = [each for each in all_own if followed_field(each) == field]
    if len(fit) != 1:
        known = listed([each.name for each in fit or all_own], 20) or 'none'
        which = 'several actuators' if fit else 'no actuator'
        raise ConfigError(
            f'{topic.where}: {which} of joint {topic.model.joint(joint).name} can follow a command'
            f' of its {field}; its actuators: {known}; set {topic.option}.field, or name actuators'
            ' in the messages'
        )
    factor = 1.0
    if topic.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE and field != 'effort':
        factor = factor_of(topic.units[field == 'velocity'])
    return _input(fit[0], field, factor)


def joint_of(actuator: Any) -> int:
    """Returns the joint that an actuator drives; -1 for other transmissions."""
    return int(actuator.trnid[0]) if int(actuator.trntype[0]) in _JOINTS else -1


def followed_field(actuator: Any) -> str:
    """Returns the quantity of the joint that the control sets; empty for other controls."""
    bias = tuple(actuator.biasprm[:3]) if int(actuator.biastype[0]) != _NONE else (0.0, 0.0, 0.0)
    if int(actuator.gaintype[0]) != _FIXED or int(actuator.biastype[0]) not in (_NONE, _AFFINE):
        return ''
    if bias[1] < 0.0:
        return 'position'
    if bias[2] < 0.0:
        return 'velocity'
    return '' if any(bias) else 'effort'


def _input(actuator: Any, field: str, factor: float) -> Input:
    """Returns the control for a position, velocity or effort, which `factor` converts to SI."""
    gain, gear = float(actuator.gainprm[0]), float(actuator.gear[0])
    if field == 'effort':
        return Input(actuator=actuator.name, factor=factor / (gear * gain))
    bias = actuator.biasprm
    return Input(
        actuator=actuator.name,
        factor=-factor * gear * float(bias[_FIELDS.index(field)]) / gain,
        offset=-float(bias[0]) / gain,
    )
