"""The directions of rays that fill a cone."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np


def cone(opening: float, samples: int) -> np.ndarray[Any, Any]:
    """Returns unit vectors about the x axis, shape (samples, 3), evenly spread over a cone.

    `opening` is the angle of the whole cone in rad. The first vector is the axis. The others are
    on rings, of which the outermost lies on the cone itself, with six times as many vectors on the
    second as on the first, and so on.
    """
    rays = [np.array([[1.0, 0.0, 0.0]])]
    rings = _rings(samples - 1)
    for number, count in enumerate(rings, 1):
        away, about = opening / 2 * number / len(rings), 2 * np.pi * np.arange(count) / count
        ahead = np.full(count, np.cos(away))
        rays.append(
            np.stack([ahead, np.sin(away) * np.cos(about), np.sin(away) * np.sin(about)], axis=1)
        )
    return np.concatenate(rays)


def _rings(others: int) -> list[int]:
    """Returns the number of vectors on each ring, about six more from one to the next."""
    count = 1
    while 3 * count * (count + 1) < others:
        count += 1
    ends = [round(others * n * (n + 1) / (count * (count + 1))) for n in range(count + 1)]
    return [after - before for before, after in pairwise(ends)]
