"""Reads initial joint positions and velocities from parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real

from ..errors import ConfigError
from .wording import shown


def read_joint_map(values: Mapping[str, object], where: str) -> dict[str, tuple[float, ...]]:
    """Returns the numbers of each joint by name. Raises ConfigError for any other value.

    A value is a number, a list of numbers, or a string of numbers separated by spaces. A key is
    the full name of a joint, including dots. Whether the joint takes this many numbers is checked
    later, against the model.
    """
    if not isinstance(values, Mapping):
        raise ConfigError(f'{where} must map joints to numbers, got {shown(values)}')
    joints = {}
    for joint, value in values.items():
        numbers = _numbers(value)
        if not numbers:
            raise ConfigError(
                f'{where}.{joint} must be one or more finite numbers, got {shown(value)}'
            )
        joints[joint] = numbers
    return joints


def _numbers(value: object) -> tuple[float, ...] | None:
    try:
        if isinstance(value, str):
            numbers = tuple(map(float, value.split()))
        else:
            numbers = tuple(map(_number, value if isinstance(value, Sequence) else (value,)))
    except (ValueError, OverflowError):
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def _number(part: object) -> float:
    """Returns the number as a float.

    Raises ValueError for any other value, such as True or a string in a list.
    """
    if isinstance(part, bool) or not isinstance(part, Real):
        raise ValueError
    return float(part)
