"""The distributions of the delays of controls, one for each delay line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ConfigError
from .delays import MESSAGE_EFFECT
from .distributions import Distribution
from .effect_rows import Rows, length_for, set_latency, stream_key
from .timeline import NamedEntry

LATENCY_PLACES = 'entry', 'first', 'count'
"""The fields of these rows that must be equal in a saved state."""


def latency_rows(
    lines: Sequence[tuple[int, NamedEntry]], stream: Sequence[object]
) -> tuple[Rows, NDArray[np.float64]]:
    """Returns rows of type `MESSAGE_EFFECT`, and the measured delays of each row.

    `lines` has the entry of each delay line, with its index in the timeline. All lines of an entry
    draw the same delays. `stream` contains the parts of random number keys that entries share.
    """
    rows = np.zeros(len(lines), MESSAGE_EFFECT)
    longest = max((len(_measured(entry)) for _, entry in lines), default=0)
    measured = np.zeros((len(lines), length_for(longest)))
    for line, (index, entry) in enumerate(lines):
        rows[line]['key'] = stream_key(*stream, entry.name, 'control')
        _set(rows[line], measured[line], index, entry)
    return rows, measured


def set_latencies(state: Any, index: int, entry: NamedEntry) -> None:
    """Sets the distribution of an entry in a state. Call `check_latency` first."""
    for line in np.flatnonzero(state.control_latencies['entry'] == index):
        _set(state.control_latencies[line], state.control_delays[line], index, entry)


def check_latency(state: Any, entry: NamedEntry) -> None:
    """Raises ConfigError if a state has no room for the measured delays of an entry."""
    room, count = state.control_delays.shape[1], len(_measured(entry))
    if count > room:
        raise ConfigError(
            f'timeline.{entry.name}.delay.empirical must have at most {room} delays until a'
            f' reload, got {count}'
        )


def delay_fields(entry: NamedEntry) -> Mapping[str, Any]:
    """Returns the parameters of a row of type `CONTROL_FAULT` for an entry's delay."""
    varies = isinstance(entry.delay, Distribution) or entry.target.rate is not None
    return {
        'delay': 0.0 if isinstance(entry.delay, Distribution) else entry.delay or 0.0,
        'varies': varies,
        'rate': entry.target.rate or 0.0,
        'keep_order': entry.keep_order,
    }


def _measured(entry: NamedEntry) -> Sequence[float]:
    given = entry.delay
    return given.empirical or () if isinstance(given, Distribution) else ()


def _set(row: Any, measured: NDArray[np.float64], index: int, entry: NamedEntry) -> None:
    delays: list[float] = []
    row['entry'] = index
    set_latency(row, entry.delay, delays)
    measured[: len(delays)] = delays
