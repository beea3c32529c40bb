"""Creates rows of type `MESSAGE_EFFECT` for compiled code."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .delays import CONSTANT, EMPIRICAL, GAMMA, MESSAGE_EFFECT, NORMAL, UNIFORM
from .distributions import Distribution, Drop, Stale
from .timeline import NamedEntry

Rows = NDArray[Any]
EFFECT_MEMORY = frozenset(
    ('burst_number', 'burst', 'lost', 'doubled', 'repeated', 'drawn', 'extra')
)
"""The fields of `MESSAGE_EFFECT` that compiled code writes."""
_LARGEST_NORMAL = math.sqrt(2.0 * 53.0 * math.log(2.0))
"""The largest number that `random_numbers.normal` draws: it uses 53 random bits."""
_LENGTH, _GROWTH = 16, 4
"""Arrays have at least `_LENGTH` elements, and grow by the factor `_GROWTH`. Compiled code depends
on the lengths of arrays, so timelines of similar lengths can share it."""


def effect_row(place: int, entry: NamedEntry, key: int, measured: list[float]) -> Rows:
    """Returns a row with the effects of an entry on messages.

    `place` is the index of the entry in the timeline, and `key` that of its random numbers.
    Appends the delays of an empirical distribution to `measured`.
    """
    row = np.zeros((), MESSAGE_EFFECT)
    row['entry'], row['burst_number'], row['key'] = place, -1, key
    row['begin'], row['end'], row['active'] = entry.at, entry.end, entry.active
    set_latency(row, entry.latency, measured)
    row['jitter'], row['keep_order'] = entry.jitter or 0.0, entry.keep_order
    _set_losses(row, entry)
    return row


def set_latency(row: Rows, given: float | Distribution | None, measured: list[float]) -> None:
    """Sets the distribution of the latency; see `MESSAGE_EFFECT`.

    Appends the delays of an empirical distribution to `measured`.
    """
    if not isinstance(given, Distribution):
        row['kind'], row['shift'] = CONSTANT, given or 0.0
    elif given.normal is not None:
        row['kind'], row['shift'] = NORMAL, given.normal.mean
        row['spread'] = given.normal.stddev
    elif given.uniform is not None:
        low, high = given.uniform
        row['kind'], row['shift'], row['spread'] = UNIFORM, low, high - low
    elif given.gamma is not None:
        row['kind'], row['shift'] = GAMMA, given.gamma.offset
        row['spread'], row['gamma_shape'] = given.gamma.scale, given.gamma.shape
    elif given.empirical is not None:
        row['kind'], row['first'] = EMPIRICAL, len(measured)
        row['count'] = len(given.empirical)
        measured += given.empirical


def _set_losses(row: Rows, entry: NamedEntry) -> None:
    """Sets the probabilities of losses, duplicates and repetitions; see `MESSAGE_EFFECT`."""
    if isinstance(entry.drop, Drop):
        row['enter'], row['leave'] = entry.drop.burst.enter, entry.drop.burst.leave
    else:
        row['drop'] = entry.drop or 0.0
    if entry.disconnect:
        row['drop'] = 1.0
    row['duplicate'] = entry.duplicate or 0.0
    if isinstance(entry.stale, Stale):
        row['stale'], row['restamp'] = entry.stale.probability, entry.stale.stamp == 'new'
    else:
        row['stale'] = entry.stale or 0.0


def longest_draw_s(given: float | Distribution | None) -> float:
    """Returns the longest delay of a distribution in s, or the constant delay."""
    if not isinstance(given, Distribution):
        return given or 0.0
    if given.normal is not None:
        return given.normal.mean + given.normal.stddev * _LARGEST_NORMAL
    if given.uniform is not None:
        return given.uniform[1]
    if given.gamma is not None:
        return given.gamma.offset + given.gamma.scale * _largest_gamma(given.gamma.shape)
    return max(given.empirical or (0.0,))


def _largest_gamma(shape: float) -> float:
    """Returns the largest number that `delays.gamma` draws."""
    d = (shape if shape >= 1.0 else shape + 1.0) - 1.0 / 3.0
    return d * (1.0 + _LARGEST_NORMAL / math.sqrt(9.0 * d)) ** 3


def stream_key(*parts: object) -> int:
    """Hashes the parts to a 64-bit number that is the same in all processes."""
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, 'little', signed=True)


def length_for(needed: float) -> int:
    """Returns the length of an array with at least `needed` elements; see `_LENGTH`."""
    length = _LENGTH
    while length < needed:
        length *= _GROWTH
    return length


def padded(array: Rows) -> Rows:
    """Pads an array with unused elements at the end; see `_LENGTH`."""
    made = np.zeros(length_for(len(array)), array.dtype)
    made[: len(array)] = array
    if 'entry' in (array.dtype.names or ()):
        made['entry'][len(array) :] = -1
    return made
