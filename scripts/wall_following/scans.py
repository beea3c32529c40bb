"""Converts laser scans to points around the robot."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np


def points_of(
    ranges: Sequence[float], first: float, increment: float, limits: tuple[float, float]
) -> np.ndarray:
    """Returns the hit points of a scan as complex numbers (x forward, y left), in m.

    `first` is the angle of the first ray, in rad. A hit below the minimum range (-inf, REP-117)
    counts as a hit at the minimum range. Rays without a hit are dropped.
    """
    nearest, farthest = limits
    distances = np.asarray(ranges, float)
    angles = first + increment * np.arange(len(distances))
    distances = np.where(distances == -inf, nearest, distances)
    hit = (distances >= nearest) & (distances <= farthest)
    return distances[hit] * np.exp(1j * angles[hit])
