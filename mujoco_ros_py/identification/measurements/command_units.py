"""Converts arrays of commands in degrees, and finds commands that are in degrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from ...errors import RecordingError
from ..sequences import Array, Commands
from .actuator_inputs import followed_field, joint_of
from .measured import Topic
from .units import factor_of, seem_degrees


def array_factors(topic: Topic, actuators: Sequence[str]) -> Array:
    """Returns the factor that converts the command of each actuator to SI units."""
    return np.array([_factor(topic, topic.model.actuator(name)) for name in actuators])


def check_command_units(topic: Topic, commands: Commands) -> None:
    """Raises RecordingError if commands of positions are far beyond their range, in degrees."""
    if topic.units[0]:
        return
    for name, values in zip(commands.actuators, commands.values.T, strict=True):
        actuator = topic.model.actuator(name)
        if not actuator.ctrllimited[0] or _hinge_field(topic, actuator) != 'position':
            continue
        low, high = map(float, actuator.ctrlrange)
        largest = int(np.argmax(np.abs(values)))
        if seem_degrees(values[largest], low, high):
            raise RecordingError(
                f'{topic.where}: the command of actuator {name} is {values[largest]:.4g} at'
                f' {commands.times[largest]:.6g} s, far beyond its range of {low:.4g} to'
                f' {high:.4g} rad: the commands are in degrees; set {topic.option}.units: degrees,'
                ' or radians if the range of the model is wrong'
            )


def _factor(topic: Topic, actuator: Any) -> float:
    field = _hinge_field(topic, actuator)
    return (
        factor_of(topic.units[field == 'velocity']) if field in ('position', 'velocity') else 1.0
    )


def _hinge_field(topic: Topic, actuator: Any) -> str:
    """Returns the quantity of a hinge that the control of an actuator sets; empty for others."""
    joint = joint_of(actuator)
    hinge = joint >= 0 and topic.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE
    return followed_field(actuator) if hinge else ''
