"""Rounds fitted numbers to the digits that their confidence intervals justify."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import floor, inf, isfinite, log10
from typing import Any

import numpy as np

from ..result import FittedParameter, Result

_PART = 100
"""Numbers are rounded to a power of ten that is at most this part of the half interval."""
_LEAST = 3
"""The minimum number of significant digits."""
_UNKNOWN = 6
"""The number of significant digits without an interval."""
_ALL = 300
"""The number of decimals that keeps all digits of a number."""


def written_edits(result: Result) -> dict[str, Any]:
    """Returns the result's edits, rounded for files: numbers, lists and mappings of these."""
    return {place: _written(place, value, result) for place, value in result.edits.items()}


def rounded(number: float, half_width: float) -> float:
    """Rounds a number to a hundredth of the half interval; keeps three significant digits."""
    if not number or not isfinite(number):
        return number
    decimals = _LEAST - 1 - floor(log10(abs(number)))
    if half_width <= 0:
        decimals = _ALL
    elif isfinite(half_width):
        decimals = max(decimals, -floor(log10(half_width / _PART)))
    else:
        decimals += _UNKNOWN - _LEAST
    return float(round(number, min(decimals, _ALL)))


def half_width(parameter: FittedParameter) -> float:
    """Returns half the width of a parameter's interval; infinite if it is not determined."""
    width = (parameter.high - parameter.low) / 2
    return width if isfinite(width) else inf


def _written(place: str, value: Any, result: Result) -> Any:
    owners = [each for each in result.parameters if place in each.places]
    if isinstance(value, Mapping):
        share = _relative(owners)
        return _rounded_inertial(value, lambda numbers, part: _group(numbers, share / part))
    if np.ndim(value):
        return _group(value, _relative(owners))
    number = float(value)
    if len(owners) == 1 and owners[0].after:
        return rounded(number, half_width(owners[0]) * abs(number / owners[0].after))
    return rounded(number, min(map(half_width, owners), default=inf))


def _relative(owners: list[FittedParameter]) -> float:
    """Returns the smallest half interval relative to its number; infinite if unknown."""
    shares = (half_width(each) / abs(each.after) for each in owners if each.after)
    return min(shares, default=inf)


def _group(numbers: Any, share: float) -> list[float]:
    """Rounds numbers to the same digits, for an interval relative to the largest number."""
    values = [float(each) for each in np.ravel(numbers)]
    largest = max(map(abs, values), default=0.0)
    if not largest:
        return values
    if not isfinite(share):
        share = 10.0 ** (3 - _UNKNOWN)
    decimals = _LEAST - 1 - floor(log10(largest))
    if share > 0:
        decimals = max(decimals, -floor(log10(share * largest / _PART)))
    return [float(round(each, decimals if share > 0 else _ALL)) for each in values]


def _rounded_inertial(
    value: Mapping[str, Any], group: Callable[[Any, int], list[float]]
) -> dict[str, Any]:
    """Rounds an inertia, with as many digits as keep it physically possible."""
    exact = {key: np.ravel(each).astype(float) for key, each in value.items()}
    for digits in range(12):
        found: dict[str, Any] = {key: group(each, 10**digits) for key, each in exact.items()}
        if _possible(found['fullinertia']):
            return {**found, 'mass': found['mass'][0]}
    return {**{key: each.tolist() for key, each in exact.items()}, 'mass': float(exact['mass'][0])}


def _possible(moments: list[float]) -> bool:
    xx, yy, zz, xy, xz, yz = moments
    a, b, c = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return bool(a > 0 and a + b >= c)
