"""Checks numbers from outside before they are written into a model or its data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...config.wording import shown
from ...errors import ConfigError

Array = np.ndarray[Any, np.dtype[np.float64]]
_LEAST_NORM = 1e-6


def finite(what: str, values: Sequence[float]) -> Array:
    """Returns the values as an array. Raises ConfigError if a value is not finite."""
    array = np.array(values, dtype=np.float64)
    if not np.isfinite(array).all():
        raise ConfigError(f'{what} must be finite, got {shown(array.tolist())}')
    return array


def unit_quat(what: str, quat: Sequence[float]) -> Array:
    """Returns the normalized quaternion (w, x, y, z).

    Raises ConfigError if the quaternion is zero or not finite.
    """
    array = finite(what, quat)
    norm = float(np.linalg.norm(array))
    if norm < _LEAST_NORM:
        raise ConfigError(f'{what} must be a rotation, got the quaternion {shown(array.tolist())}')
    return np.asarray(array / norm)
