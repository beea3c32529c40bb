"""Compiled: decides when and how each message of a topic is delivered.

The server calls `decide` for each message of the topics that it filters. `state` is the record of
the plugin, with the fields of `transit_fields`.
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
        # memory of the last message
        ('time', np.float64),  # its time
        ('due', np.float64),  # latest time at which a message that keeps the order is delivered
    ]
)
"""The messages of one topic in one direction."""


@inlined
def decide(state: State, transit: Any) -> None:
    """Sets the copies of a message, their delays, and the numbers in the message.

    `transit.filter` is the index of the row in `state.pipes`. The entries that act on the message
    combine: it is lost if one of them loses it, and their delays add up.
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
    """Forgets the messages before a jump of the time; bursts depend only on message numbers."""
    pipe.due = -np.inf
    for k in range(pipe.first_number, pipe.first_number + pipe.number_count):
        state.message_numbers[k].stuck = 0
    for k in range(pipe.first_joint, pipe.first_joint + pipe.joint_count):
        state.message_joints[k].stuck = 0


@inlined
def _count_copies(state: State, pipe: Any, transit: Any) -> None:
    """Sets whether the message is lost, doubled, or replaced by the message delivered last."""
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
    """Sets the delay of a copy, so that it does not overtake earlier ones that keep the order."""
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
