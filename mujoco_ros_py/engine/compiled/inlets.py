"""Compiled: takes incoming messages and passes them to the functions that read them."""

from __future__ import annotations

import numpy as np

from ..message_records import INLET, INLETS
from ..pipe_records import PIPE
from ..records import LOOP
from .addresses import array_at, record_at
from .dispatch import call_with_message, function_of
from .own_functions import own_function
from .stamp_memory import nanoseconds_of, stamp_at
from .struct_attributes import data_at, model_at
from .system import call_at, signal

_MOST = 64
"""Maximum number of messages taken from one inlet per step; the others wait for the next step."""
_ALL = 10_000
"""Maximum number of messages taken from one inlet at the end of an epoch, so that an endless
stream cannot delay a reset."""
NEVER = -1
"""The `answered_ns` of an inlet that has received no answer in this epoch."""


def take_messages(address: int, model: int, data: int) -> int:
    """Takes the messages of all inlets that no lockstep awaits, in the order of the inlets."""
    inlets = record_at(address, INLETS)
    addresses = array_at(inlets.addresses, inlets.count, np.int64)
    for index in range(len(addresses)):
        inlet = record_at(addresses[index], INLET)
        for _ in range(_MOST):
            if inlet.awaited != 0 or not _take(inlets, index, inlet, model, data):
                break
    return 0


def take_answers(address: int, model: int, data: int) -> int:
    """Takes messages from each awaited inlet until a message answers the current state.

    Messages after the answer wait for the next period, so that the same messages count in the same
    period whenever they arrive. A message with an earlier stamp answers a repeated state and is
    dropped, except if its period was skipped without an answer. If messages answer by arrival, the
    first message is the answer: `take_all` has already taken the messages that arrived before the
    state.
    """
    inlets = record_at(address, INLETS)
    now_ns = nanoseconds_of(_ros_time(inlets, model, data))
    addresses = array_at(inlets.addresses, inlets.count, np.int64)
    for index in range(len(addresses)):
        inlet = record_at(addresses[index], INLET)
        while inlet.awaited != 0 and inlet.answered_ns != now_ns:
            # Reads the address once: another thread may close the inlet before the call.
            function = function_of(inlet)
            if not _receive(inlet, function):
                break
            stamp_ns = now_ns if inlets.by_arrival != 0 else stamp_at(inlet.stamp)
            if stamp_ns < now_ns and not inlet.answered_ns < stamp_ns <= inlets.skipped_ns:
                continue
            if stamp_ns == now_ns:
                inlet.answered_ns = now_ns
            _read(inlets, index, inlet, function, model, data)
    return 0


def take_all(address: int, model: int, data: int) -> int:
    """Takes all pending messages, including those that a lockstep awaits."""
    inlets = record_at(address, INLETS)
    addresses = array_at(inlets.addresses, inlets.count, np.int64)
    for index in range(len(addresses)):
        inlet = record_at(addresses[index], INLET)
        for _ in range(_ALL):
            if not _take(inlets, index, inlet, model, data):
                break
    return 0


@own_function()
def _take(inlets: np.record, index: int, inlet: np.record, model: int, data: int) -> bool:
    """Takes and reads one message; returns False if no message is waiting."""
    function = function_of(inlet)
    if not _receive(inlet, function):
        return False
    _read(inlets, index, inlet, function, model, data)
    return True


@own_function()
def _receive(inlet: np.record, function: int) -> bool:
    """Takes one message; returns False if no message is waiting or the inlet has no function."""
    if function == 0:
        return False
    code = call_at(inlet.take, inlet.handle, inlet.message, 0, 0)
    if code != 0:
        if code != inlet.nothing:
            inlet.errors += 1
            # The middleware keeps the error for this thread, and prints a message if the next
            # error overwrites it.
            call_at(inlet.forget_error, 0, 0, 0, 0)
        return False
    return True


@own_function()
def _read(
    inlets: np.record, index: int, inlet: np.record, function: int, model: int, data: int
) -> None:
    """Passes the taken message to the function, or to the pipe that delivers it later."""
    inlet.taken += 1
    if inlet.pipe != 0:
        call_at(record_at(inlet.pipe, PIPE).push, inlet.pipe, inlet.message, 0, 0)
        return
    # The crash line and fatal errors use this to name the inlet.
    inlets.running = index + 1
    time_s = _ros_time(inlets, model, data)
    call_with_message(
        function, inlet.state, model, data, inlet.message, inlet.timed, time_s, inlet.reporter
    )
    inlets.running = 0


@own_function()
def _ros_time(inlets: np.record, model: int, data: int) -> float:
    """Returns the ROS time of the data."""
    loop = record_at(inlets.loop, LOOP)
    time_s: float = data_at(data, model_at(model)).time + loop.ros_offset
    return time_s


def wake_loop(event: int, messages: int) -> int:
    """Wakes the loop for new messages; the middleware calls this on its own threads."""
    signal(event)
    return 0
