"""Compiled: decides when and how each message of a topic is delivered.

The server calls `decide` for each message of a filtered topic. `state` is the state of the plugin,
which contains the fields of `transit_fields`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...plugins import State
from ...plugins.compiled_code import inlined
from .delays import MOST_COPIES, delay, draw_fate
from .message_numbers import change_joints, change_numbers
from .numbers import within

PIPE = np.dtype(
    [
        ('key', np.int64),  # hash of the topic
        ('first', np.int64),  # index of its first row in `message_effects`
        ('count', np.int64),
        ('first_number', np.int64),  # index of its first row in `message_numbers`
        ('number_count', np.int64),
        ('first_joint', np.int64),  # index of its first row in `message_joints`
        ('joint_count', np.int64),
        # memory
        ('time', np.float64),  # time of the last message
        ('due', np.float64),  # delivery time of the last message that keeps the order
    ]
)
"""A filtered topic in one direction: the rows of its entries, and the memory of the filter."""


@inlined
def decide(state: State, transit: Any) -> None:
    """Sets the number of copies of a message and their delays; changes numbers in the message.

    `transit.filter` is the index of a row in `state.pipes`. If several entries act on the message,
    their delays add up, and the message is lost if one of them loses it.
    """
    pipe = state.pipes[transit.filter]
    if transit.time < pipe.time:  # the time has jumped back
        _forget(state, pipe)
    pipe.time = transit.time
    if transit.message != 0:
        change_numbers(state, pipe, transit)
        change_joints(state, pipe, transit)
    _count_copies(state, pipe, transit)
    for copy in range(transit.copies):
        _delay_copy(state, pipe, transit, copy)


@inlined
def _forget(state: State, pipe: Any) -> None:
    """Clears the memory after time jumped back, except for bursts, which do not depend on time."""
    pipe.due = -np.inf
    for k in range(pipe.first_number, pipe.first_number + pipe.number_count):
        state.message_numbers[k].stuck = 0
    for k in range(pipe.first_joint, pipe.first_joint + pipe.joint_count):
        state.message_joints[k].stuck = 0


@inlined
def _count_copies(state: State, pipe: Any, transit: Any) -> None:
    """Sets whether a message is lost, doubled, or replaced by the message delivered last."""
    for k in range(pipe.first, pipe.first + pipe.count):
        effect = state.message_effects[k]
        if within(effect, transit.time):
            draw_fate(effect, transit.number)
            if effect.lost:
                transit.copies = 0
                return
            if effect.doubled:
                transit.copies = min(transit.copies + 1, MOST_COPIES)
            if effect.repeated:
                transit.again = 1
                transit.restamp = max(transit.restamp, effect.restamp)


@inlined
def _delay_copy(state: State, pipe: Any, transit: Any, copy: int) -> None:
    """Sets the delay of a copy. A copy that keeps the order does not overtake earlier messages."""
    total, ordered = 0.0, True
    for k in range(pipe.first, pipe.first + pipe.count):
        effect = state.message_effects[k]
        if within(effect, transit.time):
            total += delay(effect, state.measured_delays, transit.number, copy)
            ordered = ordered and effect.keep_order != 0
    if ordered:
        total = max(total, pipe.due - transit.time)
        pipe.due = max(pipe.due, transit.time + total)
    transit.delays[copy] = total
