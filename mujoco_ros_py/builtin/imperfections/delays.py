"""Compiled: random delays, losses and repetitions of messages.

Each draw depends only on the key of its row, the number of the message and the number of the copy.
Draws are therefore the same in every run, and do not depend on other messages or rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...plugins.compiled_code import inlined, separate
from ..sensors.noise.random_numbers import normal, philox

MESSAGE_EFFECT = np.dtype(
    [
        ('entry', np.int64),  # index in the timeline; -1: unused row
        ('begin', np.float64),
        ('end', np.float64),
        ('active', np.int64),
        ('key', np.int64),  # of the random numbers; a hash of entry and topic
        ('kind', np.int64),  # CONSTANT, NORMAL, UNIFORM, GAMMA or EMPIRICAL latency
        ('shift', np.float64),  # the latency is shift + spread * draw, in s
        ('spread', np.float64),
        ('gamma_shape', np.float64),  # of a gamma distribution
        ('first', np.int64),  # index of the first measured delay of an empirical distribution
        ('count', np.int64),  # number of measured delays
        ('jitter', np.float64),  # maximum additional delay, in s
        ('keep_order', np.int64),
        ('drop', np.float64),  # probability of losing a message
        ('enter', np.float64),  # probability that a burst begins after a message that arrives
        ('leave', np.float64),  # probability that a burst ends after a lost message
        ('duplicate', np.float64),  # probability that a message is delivered twice
        ('stale', np.float64),  # probability that the last message is delivered instead
        ('restamp', np.int64),  # whether the repeated message gets a new stamp
        # state of the bursts after the last message
        ('burst_number', np.int64),  # number of the message; -1: no message
        ('burst', np.int64),  # whether the message was lost
        # results for the current message
        ('lost', np.int64),
        ('doubled', np.int64),
        ('repeated', np.int64),
        ('drawn', np.float64),  # draw of the latency, before `shift` and `spread`
        ('extra', np.float64),  # draw of the jitter, from 0 to 1
    ]
)
"""The effects of an entry on the messages of a topic, from `begin` to `end` (simulated time)."""

CONSTANT, NORMAL, UNIFORM, GAMMA, EMPIRICAL = range(5)
"""The kinds of latency."""

_LATENCY, _JITTER, _DROP, _BURST, _DUPLICATE, _STALE, _GAMMA, _ACCEPT, _BOOST = range(9)
"""The argument `purpose` of `uniform` and `normal`: each use has its own random numbers."""

MOST_COPIES = 8
"""The maximum number of copies of a message."""
_ATTEMPTS = 64
"""The maximum number of attempts to draw from a gamma distribution; each succeeds with a
probability of more than 0.95."""
_UNUSED_BITS = np.uint64(11)
_UNIT = 2.0**-53


@inlined
def uniform(key: int, number: int, lane: int, purpose: int) -> Any:
    """Draws a number from the uniform distribution in [0, 1).

    The numbers of different messages, lanes (such as copies) and purposes are independent.
    """
    one, _ = philox(key, number, lane, purpose)
    return np.float64(one >> _UNUSED_BITS) * _UNIT


@inlined
def gamma(key: int, number: int, lane: int, shape: float) -> Any:
    """Draws a number from the gamma distribution with scale 1.

    The method is from Marsaglia and Tsang, "A simple method for generating gamma variables"
    (2000). Each attempt has its own lane, so a rejected attempt does not change other draws.
    """
    factor = 1.0
    if shape < 1.0:
        factor = (1.0 - uniform(key, number, lane, _BOOST)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    for attempt in range(_ATTEMPTS):
        place = lane + MOST_COPIES * attempt
        x = normal(key, number, place, _GAMMA)
        v = (1.0 + c * x) ** 3
        if v > 0.0:
            bound = 0.5 * x * x + d - d * v + d * math.log(v)
            if math.log(1.0 - uniform(key, number, place, _ACCEPT)) < bound:
                return factor * d * v
    return factor * d


@separate
def draw_delay(effect: Any, number: int, copy: int) -> None:
    """Draws the random numbers for the delay of a copy: sets `drawn` and `extra`."""
    if effect.kind == NORMAL:
        effect.drawn = normal(effect.key, number, copy, _LATENCY)
    elif effect.kind == GAMMA:
        effect.drawn = gamma(effect.key, number, copy, effect.gamma_shape)
    elif effect.kind != CONSTANT:
        effect.drawn = uniform(effect.key, number, copy, _LATENCY)
    if effect.jitter > 0.0:
        effect.extra = uniform(effect.key, number, copy, _JITTER)


@inlined
def delay(effect: Any, measured: Any, number: int, copy: int) -> Any:
    """Returns the delay of a copy of a message in s, at least 0.

    `effect` is a row of type `MESSAGE_EFFECT`, and `measured` has the delays of all empirical
    distributions.
    """
    if effect.kind == CONSTANT and effect.jitter <= 0.0:
        return effect.shift
    draw_delay(effect, number, copy)
    if effect.kind == EMPIRICAL:
        latency = measured[effect.first + int(effect.drawn * effect.count)]
    else:
        latency = effect.shift + effect.spread * effect.drawn
    return max(latency, 0.0) + effect.jitter * effect.extra


@separate
def draw_fate(effect: Any, number: int) -> None:
    """Draws what happens to a message: sets `lost`, `doubled` and `repeated`."""
    effect.lost = effect.drop > 0.0 and uniform(effect.key, number, 0, _DROP) < effect.drop
    if effect.enter > 0.0:
        if effect.burst_number != number:
            effect.burst = _in_burst(effect, number)
            effect.burst_number = number
        effect.lost = effect.lost or effect.burst
    effect.doubled = (
        effect.duplicate > 0.0 and uniform(effect.key, number, 0, _DUPLICATE) < effect.duplicate
    )
    effect.repeated = effect.stale > 0.0 and uniform(effect.key, number, 0, _STALE) < effect.stale


@inlined
def _in_burst(effect: Any, number: int) -> Any:
    """Returns 1 if a message is lost in a burst of Gilbert's two-state Markov chain, otherwise 0.

    The state of message 0 is drawn from the stationary distribution of the chain. Each later
    message draws a uniform number u. Its state becomes bad if u < enter (after a good state) or
    u < 1 - leave (after a bad state). If u is below both limits, or below neither, the state does
    not depend on the previous state. The function therefore searches backwards for such a u, or
    for the last state that the row remembers. The result does not depend on the order of calls,
    and skipped messages cost little time.
    """
    known = effect.burst_number if 0 <= effect.burst_number < number else -1
    stay = 1.0 - effect.leave
    flips = 0
    for k in range(number, max(known, 0), -1):
        u = uniform(effect.key, k, 0, _BURST)
        if u < effect.enter and u < stay:
            return (flips + 1) % 2
        if u >= effect.enter and u >= stay:
            return flips % 2
        if u < effect.enter:  # the state changes; otherwise it stays the same
            flips += 1
    if known >= 0:
        return (effect.burst + flips) % 2
    share = effect.enter / (effect.enter + effect.leave)
    return (int(uniform(effect.key, 0, 0, _BURST) < share) + flips) % 2
