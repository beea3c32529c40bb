"""Compiled random numbers that depend only on a key and counters.

The generator is Philox4x32-10 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
(2011). It has no state: the same key and counters give the same numbers, in any order and on any
thread. The noise at a given time therefore depends neither on the number of earlier messages nor
on the speed of the simulation, and repeats after a state is restored.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....plugins.compiled_code import inlined

_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_FACTOR_0, _FACTOR_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_BUMP_0, _BUMP_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_ROUNDS = 10
_ONE, _UNUSED_BITS = np.uint64(1), np.uint64(11)
_UNIT = 2.0**-53


@inlined
def philox(key: Any, counter: Any, lane: Any, purpose: Any) -> Any:
    """Returns two 64-bit random numbers.

    `key` and `counter` have 64 bits, `lane` and `purpose` 32. Philox's counter consists of
    `counter`, `lane` and `purpose`, from the lowest word to the highest.
    """
    whole = np.uint64(counter)
    c0, c1 = whole & _LOW, whole >> _HALF
    c2, c3 = np.uint64(lane) & _LOW, np.uint64(purpose) & _LOW
    k0, k1 = np.uint64(key) & _LOW, np.uint64(key) >> _HALF
    for _ in range(_ROUNDS):
        first, second = _FACTOR_0 * c0, _FACTOR_1 * c2
        c0, c1, c2, c3 = (
            (second >> _HALF) ^ c1 ^ k0, second & _LOW,
            (first >> _HALF) ^ c3 ^ k1, first & _LOW,
        )  # fmt: skip
        k0, k1 = (k0 + _BUMP_0) & _LOW, (k1 + _BUMP_1) & _LOW
    return (c1 << _HALF) | c0, (c3 << _HALF) | c2


@inlined
def normal(key: Any, counter: Any, lane: Any, purpose: Any) -> Any:
    """Draws a number from the standard normal distribution (Box-Muller)."""
    one, other = philox(key, counter, lane, purpose)
    radius = math.sqrt(-2.0 * math.log(np.float64((one >> _UNUSED_BITS) + _ONE) * _UNIT))
    return radius * math.cos(2.0 * math.pi * (np.float64(other >> _UNUSED_BITS) * _UNIT))
