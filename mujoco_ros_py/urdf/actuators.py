"""Adds a robot's actuators; their gains follow from effort limits and inertia."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from ..mjcf import RootElement
from .bodies import mjcf_name
from .drives import EFFORT, POSITION, Drive
from .servo_gains import Servo

FULL_AT = 0.02
"""The position error, in rad or m, at which a position actuator reaches the joint's effort
limit."""
FULL_AT_PART = 0.05
"""The velocity error, as a fraction of the speed limit, at which a velocity actuator reaches the
joint's effort limit."""


def add_actuators(model: RootElement, drives: list[Drive], servos: dict[str, Servo]) -> None:
    """Adds an actuator for each drive; `servos` maps joint names to gains for unlimited effort."""
    count = Counter(drive.joint.name for drive in drives)
    taken: set[str] = set()
    actuators: Any = model.actuator
    for drive in drives:
        joint = mjcf_name(drive.joint.name)
        own = joint if count[drive.joint.name] == 1 else f'{joint}_{drive.interface}'
        name = mjcf_name(drive.name)
        name = own if not name or name in taken else name
        taken.add(name)
        tag, attributes = _kind(drive, servos[drive.joint.name])
        if drive.gear != 1.0:
            attributes['gear'] = [drive.gear]
        low, high = _command_range(drive)
        if math.isfinite(low) and math.isfinite(high):
            attributes['ctrlrange'] = low, high
        actuators.add(tag, name=name, joint=joint, **attributes)


def position_gains(servo: Servo, effort: float) -> Servo:
    """Returns the gains of a position actuator for a joint with this effort limit.

    The stiffness is reduced until the effort at a position error of `FULL_AT` is within the
    limit, and the damping by the square root of the same factor, so the damping ratio stays 1.
    """
    part = min(1.0, effort / (FULL_AT * servo.stiffness))
    return Servo(servo.stiffness * part, servo.damping * math.sqrt(part))


def velocity_gain(servo: Servo, effort: float, speed: float) -> float:
    """Returns the gain of a velocity actuator for a joint with these effort and speed limits.

    The gain is reduced until the effort at a velocity error of `FULL_AT_PART` of the speed limit
    is within the effort limit.
    """
    by_limits = effort / (FULL_AT_PART * speed) if math.isfinite(speed) else math.inf
    return min(servo.damping, by_limits)


def _kind(drive: Drive, servo: Servo) -> tuple[str, dict[str, Any]]:
    """Returns the actuator's element name and its gains.

    The joint's gains are divided by the square of the gear, because an actuator's gains apply on
    the actuator's side of the gear.
    """
    joint, seen = drive.joint, drive.gear**2
    if drive.interface == EFFORT:
        return 'motor', {}
    if drive.interface == POSITION:
        stiffness, damping = position_gains(servo, joint.effort)
        return 'position', {'kp': stiffness / seen, 'kv': damping / seen}
    return 'velocity', {'kv': velocity_gain(servo, joint.effort, joint.velocity) / seen}


def _command_range(drive: Drive) -> tuple[float, float]:
    joint, gear = drive.joint, drive.gear
    if drive.interface == POSITION:
        low, high = sorted((joint.lower * gear, joint.upper * gear))
    else:
        high = abs(joint.effort / gear if drive.interface == EFFORT else joint.velocity * gear)
        low = -high
    low, high = max(low, drive.least), min(high, drive.greatest)
    return (low, high) if low < high else (-math.inf, math.inf)
