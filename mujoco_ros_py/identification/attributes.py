"""Parameters that are attributes of the model."""

from __future__ import annotations

import numpy as np

from ..mjcf import RootElement, get_place
from .parameter import Parameter

FACTOR = 10.0
"""The ratio of a bound to a positive initial value."""


def number_place(root: RootElement, place: str) -> str:
    """Returns the place of the first number of a damping or stiffness, or the place itself.

    Since MuJoCo 4, these are polynomials of the velocity or the position.
    """
    polynomial = place.endswith(('.damping', '.stiffness')) and np.ndim(get_place(root, place))
    return f'{place}[0]' if polynomial else place


def attribute_parameter(
    place: str, value: float, bounds: tuple[float, float], unit: str
) -> Parameter:
    """Returns the parameter of an attribute; its coordinate is a logarithm if it can be one."""
    return Parameter(
        name=place.partition(':')[2], effect='attribute', targets=(place,), initial=value,
        bounds=bounds, logarithmic=bounds[0] > 0.0, unit=unit,
    )  # fmt: skip


def bounds_around(value: float) -> tuple[float, float]:
    """Returns the default bounds of a value that is not 0."""
    low, high = sorted((value / FACTOR, value * FACTOR))
    return low, high
