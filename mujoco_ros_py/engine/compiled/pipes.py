"""Compiled: holds back messages that a filter delays, and delivers them when they are due.

A pipe belongs to one publisher or subscription. `push_message` asks the filter's function what
happens to a message, and stores the copies to deliver, sorted by time. An inlet takes the due
messages of a subscription with `pop_message`. The thread that pushes a publisher's message also
publishes it, if it is due at once. Later messages are published by a thread in `run_pipes`, which
the loop wakes. In a lockstep, the loop publishes them itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..pipe_records import COPIES, HELD, PIPE, PIPES, TRANSIT
from ..records import LOOP
from .addresses import array_at, record_at
from .dispatch import call_with_message, function_of
from .own_functions import own_function
from .stamp_memory import set_stamp_at, stamp_at
from .system import call_at, lock_mutex, signal, unlock_mutex, wait

_LOCK = int(PIPE.fields['lock'][1])  # type: ignore[index]
"""The offset of the mutex in a PIPE."""
_TABLE_LOCK = int(PIPES.fields['lock'][1])  # type: ignore[index]
_EARLY_S = 1e-7
"""Tolerance for a due time, because times are sums of rounded timesteps."""
_LOOK_NS = 500_000_000
"""The maximum duration of a wait in ns."""
_NOTHING = 1
"""The result of `pop_message` if no message is due."""


# Functions without a decorator are C functions, as in `kernel`. They are called by address, so
# they are only compiled if a filter is used.


def push_message(address: int, message: int) -> int:
    """Passes a copy of a message through the filter; returns 0."""
    pipe = record_at(address, PIPE)
    lock_mutex(address + _LOCK)
    loop = record_at(pipe.loop, LOOP)
    time_s = _time_of(pipe, loop, message)
    # A message from the future was made before a reset set the time back, so it is dropped.
    if time_s <= loop.time + _EARLY_S and pipe.closed == 0:
        if pipe.period_s > 0.0 and time_s == pipe.pushed_s:
            _publish_again(pipe)
        else:
            _hold(pipe, message, time_s)
        pipe.pushed_s = time_s
        if pipe.table != 0:
            _publish_due(pipe, loop)
    unlock_mutex(address + _LOCK)
    if pipe.table != 0:
        _note_due(pipe)
    return 0


def pop_message(address: int, message: int) -> int:
    """Copies the first due message to the address `message`; returns 1 if no message is due."""
    pipe = record_at(address, PIPE)
    loop = record_at(pipe.loop, LOOP)
    if pipe.due_s > loop.time + _EARLY_S:
        return _NOTHING
    lock_mutex(address + _LOCK)
    nothing = _NOTHING
    while nothing != 0 and pipe.due_s <= loop.time + _EARLY_S:
        place = _next(pipe, loop)
        if place != 0:
            call_at(pipe.copy, place, message, 0, 0)
            nothing = 0
    unlock_mutex(address + _LOCK)
    return nothing


def serve_pipes(address: int) -> int:
    """Delivers the due messages, or wakes the delivering thread; the loop calls this each turn."""
    table = record_at(address, PIPES)
    loop = record_at(table.loop, LOOP)
    if table.due_s > loop.time + _EARLY_S:
        return 0
    if table.inline != 0:
        _deliver_all(address, table, loop)
        return 0
    lock_mutex(address + _TABLE_LOCK)
    table.due_s = np.inf  # the thread needs only one signal
    unlock_mutex(address + _TABLE_LOCK)
    signal(table.event)
    return 0


def run_pipes(address: int) -> int:
    """Delivers messages when they are due; returns to Python once `wanted` is set."""
    table = record_at(address, PIPES)
    loop = record_at(table.loop, LOOP)
    while table.wanted == 0:
        _deliver_all(address, table, loop)
        if table.due_s > loop.time + _EARLY_S and table.wanted == 0:
            wait(table.event, _LOOK_NS)
    return 0


@own_function()
def _time_of(pipe: np.record, loop: np.record, message: int) -> float:
    """Returns the time of a message: the time of its sample, or its stamp, or the current time."""
    time_s: float = loop.time
    if pipe.time_s == pipe.time_s:
        time_s = pipe.time_s
    elif pipe.by_stamp != 0 and pipe.stamp >= 0:
        stamped: float = stamp_at(message + pipe.stamp) * 1e-9 - loop.ros_offset
        # A plugin may publish without a stamp, or stamp its messages with another clock.
        if 0.0 < stamped <= time_s:
            time_s = stamped
    return time_s


@own_function()
def _hold(pipe: np.record, message: int, time_s: float) -> None:
    """Asks the filter about a message, and stores the copies to deliver."""
    if pipe.count + COPIES > pipe.capacity and call_at(pipe.grow, 0, 0, 0, 0) != 0:
        pipe.lost += 1  # no memory for more messages
        return
    held = array_at(pipe.held, pipe.capacity, HELD)
    order = array_at(pipe.order, pipe.capacity, np.int64)
    first = held[order[pipe.count]].message
    call_at(pipe.copy, message, first, 0, 0)
    transit = record_at(pipe.transit, TRANSIT)
    transit.time, transit.number, transit.message = time_s, pipe.number, first
    if pipe.period_s > 0.0:
        # Numbers messages by time: a count would depend on the speed, because a fast simulation
        # publishes fewer messages.
        transit.number = np.int64(np.rint(time_s / pipe.period_s))
    transit.copies, transit.again, transit.restamp = 1, 0, 0
    for k in range(COPIES):
        transit.delays[k] = 0.0
    pipe.number += 1
    function = function_of(pipe)
    if function != 0:
        call_with_message(function, pipe.state, 0, 0, pipe.transit, 0, 0.0, pipe.reporter)
    copies: int = min(transit.copies, COPIES)
    if copies <= 0:
        pipe.lost += 1
    for k in range(copies):
        place = held[order[pipe.count]].message
        if place != first:
            call_at(pipe.copy, first, place, 0, 0)
        delay = transit.delays[k]
        due_s = time_s + delay if delay > 0.0 else time_s  # NaN counts as no delay
        _insert(pipe, held, order, due_s, transit.again, transit.restamp)


@own_function()
def _insert(
    pipe: np.record, held: Any, order: Any, due_s: float, again: int, restamp: int
) -> None:
    """Adds the first free message to the queue, after messages with the same due time."""
    index, place = order[pipe.count], pipe.count
    # Rounding can make a delay that should keep the order of messages slightly too short.
    while place > 0 and held[order[place - 1]].due_s > due_s + _EARLY_S:
        order[place] = order[place - 1]
        place -= 1
    order[place] = index
    held[index].due_s, held[index].again, held[index].restamp = due_s, again, restamp
    pipe.count += 1
    pipe.due_s = held[order[0]].due_s


@own_function()
def _next(pipe: np.record, loop: np.record) -> int:
    """Removes the first message from the queue; returns the address of the message to deliver.

    Returns 0 if the last delivered message should be repeated, but none was delivered yet.
    The address stays valid until the next call.
    """
    held: Any = array_at(pipe.held, pipe.capacity, HELD)
    order = array_at(pipe.order, pipe.capacity, np.int64)
    index = order[0]
    for k in range(1, pipe.count):
        order[k - 1] = order[k]
    count: int = pipe.count - 1
    pipe.count, order[count] = count, index
    pipe.due_s = held[order[0]].due_s if count > 0 else np.inf
    if held[index].again == 0:
        # The memory of the previous `last` becomes free, so nothing has to be copied.
        last = held[index].message
        held[index].message, pipe.last, pipe.delivered = pipe.last, last, 1
    elif pipe.delivered == 0:
        return 0
    if held[index].restamp != 0 and pipe.stamp >= 0:
        set_stamp_at(pipe.last + pipe.stamp, loop.ros_time)
    place: int = pipe.last
    return place


@own_function()
def _publish_again(pipe: np.record) -> None:
    """Publishes the last delivered message again.

    During a pause, a publisher pushes the same sample again and again. If the pipe held each of
    them, they would pile up, because simulated time stands still.
    """
    if pipe.delivered != 0 and call_at(pipe.publish, pipe.handle, pipe.last, 0, 0) != 0:
        pipe.errors += 1
        call_at(pipe.forget_error, 0, 0, 0, 0)


@own_function()
def _publish_due(pipe: np.record, loop: np.record) -> None:
    """Publishes the messages that are due."""
    while pipe.due_s <= loop.time + _EARLY_S:
        place = _next(pipe, loop)
        if place != 0 and call_at(pipe.publish, pipe.handle, place, 0, 0) != 0:
            pipe.errors += 1
            call_at(pipe.forget_error, 0, 0, 0, 0)


@own_function()
def _note_due(pipe: np.record) -> None:
    """Records when the loop must wake the delivering thread for the first message of a pipe."""
    table = record_at(pipe.table, PIPES)
    if pipe.due_s < table.due_s:
        lock_mutex(pipe.table + _TABLE_LOCK)
        table.due_s = min(table.due_s, pipe.due_s)
        unlock_mutex(pipe.table + _TABLE_LOCK)


@own_function()
def _deliver_all(address: int, table: np.record, loop: np.record) -> None:
    """Publishes the due messages of all pipes, and stores the next due time."""
    for index in range(table.count):
        place = array_at(table.addresses, table.count, np.int64)[index]
        pipe = record_at(place, PIPE)
        if pipe.due_s <= loop.time + _EARLY_S:
            lock_mutex(place + _LOCK)
            _publish_due(pipe, loop)
            unlock_mutex(place + _LOCK)
    lock_mutex(address + _TABLE_LOCK)
    due_s = np.inf
    for index in range(table.count):
        place = array_at(table.addresses, table.count, np.int64)[index]
        due_s = min(due_s, record_at(place, PIPE).due_s)
    table.due_s = due_s
    unlock_mutex(address + _TABLE_LOCK)
