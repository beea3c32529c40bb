"""Pipes, which hold back messages between a topic and the simulation for a message filter."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from . import own_code
from .message_ends import MessageCode, OnFault, Port, report_to
from .mutexes import locked, new_mutex
from .pipe_records import HELD, PIPE, TRANSIT
from .records import structure
from .state_record import State

_CAPACITY = 16
"""The initial number of messages that a pipe can hold; a full pipe doubles it."""
_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 4)
_FULL = 1
_EMPTY = 1
"""The result of `pop_message` if no message is due."""
_INFINITE = float('inf')


class HeldMemory(Protocol):
    """A message in memory, in its C layout."""

    address: int


@dataclass(frozen=True, slots=True)
class MessageMemory:
    """The functions that a pipe needs to keep messages of one type."""

    new: Callable[[], Any]
    """Returns a new message, a `HeldMemory`."""
    copy: int
    """The address of the C function `copy(source, target)`."""
    stamp: int
    """The offset of the header's stamp in the message; -1 if the message has no header."""
    pack: Callable[[Any], bytes]
    """Serializes a message."""
    unpack: Callable[[Any, bytes], None]
    """Reads a serialized message into a message in memory."""


@dataclass(frozen=True, slots=True)
class HeldMessages:
    """The saved content of a pipe: the messages that it holds, and the last message delivered."""

    number: int
    """The number of messages that entered the pipe since it was cleared."""
    last: bytes
    """The message that was delivered last; empty if no message was delivered."""
    held: tuple[tuple[float, bool, bool, bytes], ...]
    """For each held message: its due time in s, its `again` and `restamp` (see HELD), and its
    bytes."""


class MessagePipe:
    """Holds back the messages of one publisher or subscription, as a filter's function decides.

    Any thread may call the methods.
    """

    def __init__(
        self,
        loop: int,
        memory: MessageMemory,
        code: MessageCode,
        state: State | None,
        number: int,
        on_fault: OnFault,
        port: Port | None = None,
        period_s: float = 0.0,
        *,
        by_stamp: bool = False,
    ) -> None:
        """`loop` is the address of the LOOP, and `number` is passed to the filter's function.

        Messages are published through `port`. Without a port, they wait until an inlet takes them.
        With a period, the number of a message is its time divided by the period; otherwise
        messages are counted. With `by_stamp`, the pipe takes the stamp of a message as the time at
        which the message is published.
        """
        own_code.prepare(own_code.PIPES)
        self.memory, self.port = memory, port
        self._records, self._transits = np.zeros(1, PIPE), np.zeros(1, TRANSIT)
        self._transits['filter'] = number
        self._record = structure(PIPE).from_buffer(self._records)
        self.address = int(self._records.ctypes.data)
        self._messages: list[HeldMemory] = []
        self._held, self._order = np.zeros(0, HELD), np.zeros(0, np.int64)
        self._old: list[Any] = []
        """Replaced arrays, which compiled code may still read; they are freed with the pipe."""
        self._last = memory.new()
        self._grow = _FUNCTION(lambda *_: self._add_memory())
        self._report = report_to(on_fault)
        self._keep = code, state
        record = self._record
        record.function = code.address
        record.state = 0 if state is None else state.__array_interface__['data'][0]
        record.reporter, record.loop = id(self._report), loop
        record.push = own_code.function('push_message').address
        record.copy, record.stamp = memory.copy, memory.stamp
        record.grow = ctypes.cast(self._grow, ctypes.c_void_p).value or 0
        record.transit, record.last = self._transits.ctypes.data, self._last.address
        record.due_s, record.period_s = _INFINITE, period_s
        record.by_stamp = int(by_stamp)
        record.time_s = record.pushed_s = float('nan')
        if port is not None:
            record.publish, record.handle = port.call, port.handle
            record.forget_error = port.forget_error
        new_mutex(self.address, PIPE)
        self._add_memory()

    @property
    def count(self) -> int:
        """The number of held messages."""
        return int(self._record.count)

    @property
    def number(self) -> int:
        """The number of messages that entered the pipe since it was cleared."""
        return int(self._record.number)

    @property
    def lost(self) -> int:
        """The number of messages that the filter dropped."""
        return int(self._record.lost)

    def take_into(self, message: int) -> Port:
        """Returns a port by which an inlet copies each due message to the address `message`."""
        pop = own_code.function('pop_message').address
        return Port(call=pop, handle=self.address, message=message, forget_error=0, nothing=_EMPTY)

    def push(self, message: int) -> None:
        """Passes the message at an address through the filter, on the calling thread."""
        own_code.call('push_message')(self.address, message)

    def disable(self) -> None:
        """Stops calling the function. New messages pass unchanged; held messages are delivered."""
        self._record.function = 0

    def close(self) -> None:
        """Drops all messages, and releases the port."""
        self.disable()
        with self._locked():
            closed, self._record.closed = self._record.closed, 1
            self._record.count, self._record.due_s = 0, _INFINITE
        if not closed:
            # Compiled code on another thread may still be about to use the memory of the pipe.
            _CLOSED.append(self)
            if self.port is not None:
                self.port.release()

    def clear(self) -> None:
        """Drops all held messages, and counts messages from 0."""
        with self._locked():
            record = self._record
            record.count = record.number = record.delivered = 0
            record.due_s, record.pushed_s = _INFINITE, float('nan')

    def save(self) -> HeldMessages:
        """Returns a copy of the pipe's content."""
        with self._locked():
            record, rows = self._record, self._held[self._order[: self.count]]
            by_address = {message.address: message for message in (self._last, *self._messages)}
            pack = self.memory.pack
            held = tuple(
                (
                    float(row['due_s']),
                    bool(row['again']),
                    bool(row['restamp']),
                    pack(by_address[int(row['message'])]),
                )
                for row in rows
            )
            last = pack(by_address[int(record.last)]) if record.delivered else b''
            return HeldMessages(int(record.number), last, held)

    def check_saved(self, saved: HeldMessages) -> None:
        """Raises TypeError or ValueError if saved content does not fit this pipe."""
        if type(saved.number) is not int or saved.number < 0:
            raise ValueError(f'the number of messages must be an integer >= 0, got {saved.number}')
        scratch = self.memory.new()
        for row in saved.held:
            if [type(value) for value in row] != [float, bool, bool, bytes]:
                raise TypeError('a held message must be [due time, again, restamp, bytes]')
            self.memory.unpack(scratch, row[3])
        if type(saved.last) is not bytes:
            raise TypeError('the last message must be bytes')
        if saved.last:
            self.memory.unpack(scratch, saved.last)

    def restore(self, saved: HeldMessages) -> None:
        """Replaces the pipe's content by saved content."""
        with self._locked():
            record, unpack = self._record, self.memory.unpack
            record.count = 0
            while len(self._messages) < len(saved.held):
                self._add_memory()
            by_address = {message.address: message for message in (self._last, *self._messages)}
            for k, (due_s, again, restamp, message) in enumerate(saved.held):
                row = self._held[self._order[k]]
                row['due_s'], row['again'], row['restamp'] = due_s, again, restamp
                unpack(by_address[int(row['message'])], message)
            if saved.last:
                unpack(by_address[int(record.last)], saved.last)
            record.delivered, record.number = int(bool(saved.last)), saved.number
            record.count, record.pushed_s = len(saved.held), float('nan')
            record.due_s = saved.held[0][0] if saved.held else _INFINITE

    def join(self, table: int) -> None:
        """Adds the pipe to the PIPES at an address."""
        self._record.table = table

    def _add_memory(self) -> int:
        """Doubles the number of messages that the pipe can hold; returns 1 if this fails."""
        before = len(self._messages)
        try:
            added = [self.memory.new() for _ in range(before or _CAPACITY)]
        except MemoryError:
            return _FULL
        self._messages += added
        held = np.zeros(len(self._messages), HELD)
        order = np.arange(len(held))
        if before:
            held[:before], order[:before] = self._held, self._order
            self._old += [self._held, self._order]
        held['message'][before:] = [message.address for message in added]
        self._held, self._order = held, order
        record = self._record
        record.held, record.order = held.ctypes.data, order.ctypes.data
        record.capacity = len(held)
        return 0

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with locked(self.address, PIPE):
            yield


_CLOSED: deque[MessagePipe] = deque(maxlen=1024)
"""The most recently closed pipes, kept because compiled code may still use their memory."""
