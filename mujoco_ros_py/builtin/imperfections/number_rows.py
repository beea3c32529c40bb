"""Creates rows of type `NUMBER` for compiled code. A row contains the faults of one number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .numbers import NUMBER
from .timeline import NamedEntry


def number_row(
    *,
    begin: float = 0.0,
    end: float = math.inf,
    active: bool = True,
    scale: float = 1.0,
    offset: float = 0.0,
    drift: float = 0.0,
    stick: bool = False,
    dead_zone: float = 0.0,
    quantise: float = 0.0,
) -> NDArray[Any]:
    """Returns a row of type `NUMBER`. Without arguments, the row has no faults.

    ``np.array([number_row(), number_row()])`` is an array of rows for `new_state`.
    """
    row = np.zeros((), NUMBER)
    row['begin'], row['end'], row['active'] = begin, end, active
    row['scale'], row['offset'], row['drift'] = scale, offset, drift
    row['sticks'], row['dead_zone'], row['step'] = stick, dead_zone, quantise
    return row


def entry_number(entry: NamedEntry) -> NDArray[Any]:
    """Returns the row of type `NUMBER` for a timeline entry that changes a number."""
    return number_row(
        begin=entry.at,
        end=entry.end,
        active=entry.active,
        scale=1.0 if entry.scale is None else entry.scale,
        offset=entry.offset or 0.0,
        drift=entry.drift or 0.0,
        stick=entry.stick,
        dead_zone=entry.dead_zone or 0.0,
        quantise=entry.quantise or 0.0,
    )
