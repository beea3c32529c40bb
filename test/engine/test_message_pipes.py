"""Pipes: what a filter's function decides happens to the messages, in order and at their times."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from mujoco_ros_py.engine import (
    HeldMessages,
    Loop,
    MessageMemory,
    MessagePipe,
    PipeTable,
    Port,
    compile_filter,
    new_state,
    own_code,
)

_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 4)
WORDS = 3
"""A message consists of the seconds and nanoseconds of its stamp, and a number."""


class Message:
    """A message in memory."""

    def __init__(self, value: float = 0.0) -> None:
        self.values = np.zeros(WORDS)
        self.values[2] = value
        self.address = self.values.ctypes.data


def _copy(source: int, target: int, *_: Any) -> int:
    ctypes.memmove(target, source, 8 * WORDS)
    return 1


COPY = _FUNCTION(_copy)
MEMORY = MessageMemory(
    new=Message,
    copy=ctypes.cast(COPY, ctypes.c_void_p).value or 0,
    stamp=0,
    pack=lambda message: message.values.tobytes(),
    unpack=lambda message, packed: message.values.__setitem__(
        slice(None), np.frombuffer(packed, np.float64)
    ),
)


def decide(state, transit):
    transit.copies = state.copies
    for k in range(8):
        transit.delays[k] = state.delay + k * state.apart
    transit.again, transit.restamp = state.again, state.restamp
    state.numbers[transit.number % 8] += 1


class Topic:
    """A published topic with a filter, and the messages that arrive, with their times."""

    def __init__(self, *, inline: bool = True, period_s: float = 0.0, **values: Any) -> None:
        self.loop = Loop(waits=False)
        settings = {'copies': 1, 'delay': 0.0, 'apart': 0.0, 'again': 0, 'restamp': 0}
        self.state = new_state(numbers=np.zeros(8, int), **{**settings, **values})
        self.came: list[tuple[float, float, int]] = []
        self.faults: list[BaseException] = []
        self._publish = _FUNCTION(self._take)
        port = Port(
            call=ctypes.cast(self._publish, ctypes.c_void_p).value or 0,
            handle=0,
            message=0,
            forget_error=0,
        )
        code = compile_filter(decide, self.state)
        place = ctypes.addressof(self.loop.record)
        self.pipe = MessagePipe(
            place, MEMORY, code, self.state, 5, self.faults.append, port, period_s
        )
        self.table = PipeTable(self.loop.record, inline=inline)
        self.table.add(self.pipe)

    def _take(self, handle: int, message: int, *_: Any) -> int:
        values = np.ctypeslib.as_array((ctypes.c_double * WORDS).from_address(message))
        stamp_ns = int.from_bytes(values[:1].tobytes()[4:], 'little')
        self.came.append((float(values[2]), round(self.loop.record.time, 6), stamp_ns))
        return 0

    def push(self, value: float) -> None:
        message = Message(value)
        self.pipe.push(message.address)

    def go_to(self, time_s: float) -> None:
        self.loop.record.time = self.loop.record.ros_time = time_s
        own_code.call('serve_pipes')(self.table.address)

    @property
    def arrived(self) -> list[tuple[float, float]]:
        return [(value, time_s) for value, time_s, _ in self.came]


def test_messages_without_delay_pass_at_once():
    topic = Topic()
    topic.push(1.0)
    assert topic.arrived == [(1.0, 0.0)]
    assert topic.pipe.count == 0


def test_messages_arrive_when_they_are_due_the_first_first():
    topic = Topic(delay=0.01)
    for value in (1.0, 2.0):
        topic.push(value)
        topic.go_to(value * 0.002)
    topic.state.delay = 0.001
    topic.push(3.0)
    topic.go_to(0.005)
    assert topic.arrived == [(3.0, 0.005)]
    topic.go_to(0.02)
    assert topic.arrived[1:] == [(1.0, 0.02), (2.0, 0.02)]


def test_a_due_time_that_is_early_by_a_rounding_error_does_not_change_the_order():
    topic = Topic(delay=0.01)
    topic.push(1.0)
    topic.state.delay = np.nextafter(0.01, 0.0)
    topic.push(2.0)
    topic.go_to(0.01)
    assert [value for value, _ in topic.arrived] == [1.0, 2.0]


def test_a_pipe_holds_as_many_messages_as_come():
    topic = Topic(delay=1.0)
    for value in range(500):
        topic.push(float(value))
    assert topic.pipe.count == 500
    topic.go_to(1.0)
    assert [value for value, _ in topic.arrived] == list(range(500))


def test_copies_have_their_own_delays_and_none_is_a_loss():
    topic = Topic(copies=3, apart=0.001)
    topic.push(1.0)
    for k in range(1, 4):
        topic.go_to(k * 0.001)
    assert topic.arrived == [(1.0, 0.0), (1.0, 0.001), (1.0, 0.002)]
    topic.state.copies = 0
    topic.push(2.0)
    assert topic.pipe.lost == 1
    assert len(topic.came) == 3


def test_the_last_delivered_message_is_repeated_with_a_new_stamp():
    topic = Topic()
    topic.state.again = 1
    topic.push(1.0)
    assert not topic.came, 'nothing was delivered before'
    topic.state.again = 0
    topic.push(2.0)
    topic.state.again = topic.state.restamp = 1
    topic.loop.record.time = topic.loop.record.ros_time = 0.25
    topic.push(3.0)
    assert topic.came[-1] == (2.0, 0.25, 250_000_000)


def test_messages_are_counted_or_numbered_by_their_times():
    counted, timed = Topic(), Topic(period_s=0.002)
    for topic in (counted, timed):
        for time_s in (0.0, 0.004, 0.008):
            topic.go_to(time_s)
            topic.push(1.0)
    assert counted.state.numbers.tolist() == [1, 1, 1, 0, 0, 0, 0, 0]
    assert timed.state.numbers.tolist() == [1, 0, 1, 0, 1, 0, 0, 0]


def test_the_samples_of_a_pause_do_not_pile_up():
    topic = Topic(period_s=0.002, delay=0.004)
    for _ in range(10):
        topic.push(1.0)
    assert topic.pipe.count == 1
    topic.go_to(0.004)
    for _ in range(2):
        topic.push(2.0)
    assert topic.arrived == [(1.0, 0.004), (1.0, 0.004)], 'late subscribers get the last message'


def test_messages_of_an_earlier_epoch_are_dropped():
    topic = Topic(delay=0.01, period_s=0.002)
    topic.go_to(5.0)
    topic.push(1.0)
    topic.pipe.clear()
    topic.go_to(0.0)
    topic.pipe._record.time_s = 4.998  # a sample that was still being filled
    topic.push(2.0)
    topic.go_to(10.0)
    assert not topic.came
    assert topic.pipe.number == 0


def test_held_messages_are_saved_and_restored():
    topic = Topic(delay=0.01)
    topic.push(1.0)
    topic.push(2.0)
    saved = topic.pipe.save()
    topic.pipe.check_saved(saved)
    topic.go_to(0.02)
    topic.pipe.clear()
    topic.loop.record.time = 0.0
    topic.pipe.restore(saved)
    assert topic.pipe.number == 2
    topic.table.look()
    topic.go_to(0.02)
    assert topic.arrived == [(1.0, 0.02), (2.0, 0.02)] * 2


@pytest.mark.parametrize(
    'saved',
    [
        HeldMessages(-1, b'', ()),
        HeldMessages(0, b'', ((0.0, 0, 0, b''),)),
        HeldMessages(0, b'x', ()),
        HeldMessages(0, b'', ((0.0, False, False, b'short'),)),
    ],
)
def test_wrong_messages_are_not_restored(saved):
    with pytest.raises((TypeError, ValueError)):
        Topic().pipe.check_saved(saved)


def test_an_inlet_takes_due_messages_one_at_a_time():
    topic = Topic(delay=0.01)
    code = compile_filter(decide, topic.state)
    place = ctypes.addressof(topic.loop.record)
    pipe = MessagePipe(place, MEMORY, code, topic.state, 0, topic.faults.append)
    for message in (Message(1.0), Message(2.0)):
        pipe.push(message.address)
    taken = Message()
    port = pipe.take_into(taken.address)
    take = own_code.call('pop_message')
    assert take(port.handle, port.message) == port.nothing
    topic.loop.record.time = 0.01
    values = []
    while take(port.handle, port.message) == 0:
        values.append(taken.values[2])
    assert values == [1.0, 2.0]


def test_a_closed_pipe_delivers_nothing():
    topic = Topic(delay=0.01)
    topic.push(1.0)
    topic.table.remove(topic.pipe)
    topic.pipe.close()
    topic.push(2.0)
    topic.go_to(1.0)
    assert not topic.came


def test_a_thread_delivers_what_the_loop_wakes_it_for():
    from system.harness import wait_until

    topic = Topic(inline=False, delay=0.01)
    topic.push(1.0)
    assert not topic.came
    topic.go_to(0.01)
    wait_until(lambda: topic.came, 'the message')
    topic.table.close(10.0)
    assert topic.arrived == [(1.0, 0.01)]
