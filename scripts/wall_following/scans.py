"""What a scan shows, as points around the robot."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np


def points_of(
    ranges: Sequence[float], first: float, increment: float, limits: tuple[float, float]
) -> np.ndarray:
    """Returns the points that a scan has hit as complex numbers: x ahead, y to the left, in m.

    `first` is the angle of the first ray. What is too near (-inf, REP-117) counts as if it were at
    the shortest distance, and rays that hit nothing are left out.
    """
    nearest, farthest = limits
    distances = np.asarray(ranges, float)
    angles = first + increment * np.arange(len(distances))
    distances = np.where(distances == -inf, nearest, distances)
    hit = (distances >= nearest) & (distances <= farthest)
    return distances[hit] * np.exp(1j * angles[hit])
