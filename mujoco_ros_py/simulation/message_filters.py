"""Message filters, which delay, drop or change messages between a topic and the simulation."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ..engine import HeldMessages, MessageCode, MessagePipe, PipeTable, State
from ..errors import ConfigError, PluginError

_LAST_S = 1.0


class FilteredEnd(Protocol):
    """One end of a topic: a plugin's publisher or subscription, whose messages can be filtered."""

    topic: str
    """The full name of the topic."""
    kind: Any
    """The type of the messages."""
    incoming: bool
    """Whether this end is a subscription."""

    def new_pipe(
        self, code: MessageCode, state: State | None, number: int, on_fault: OnFault
    ) -> MessagePipe:
        """Returns a pipe for the messages of this end."""

    def use(self, pipe: MessagePipe | None) -> None:
        """Passes messages through a pipe from now on; None passes them directly."""

    def forget(self) -> None:
        """Called after all messages in the pipe were dropped."""


OnFault = Callable[[BaseException], None]


class MessageFilter:
    """Calls a compiled function for each message of a topic, and holds back delayed messages.

    Use a filter only on the thread that owns the data, unless a member says otherwise.
    """

    def __init__(
        self,
        topic: str,
        incoming: bool,
        code: MessageCode,
        state: State | None,
        number: int,
        on_fault: OnFault,
        filters: MessageFilters,
    ) -> None:
        self.topic_name, self.incoming = topic, incoming
        self._code, self._state, self._number, self._on_fault = code, state, number, on_fault
        self._filters = filters
        self.pipes: dict[FilteredEnd, MessagePipe] = {}

    @property
    def held(self) -> int:
        """The number of messages that are held back now. Any thread may read this."""
        return sum(pipe.count for pipe in tuple(self.pipes.values()))

    @property
    def passed(self) -> int:
        """The number of messages since the last call of `clear`. Any thread may read this."""
        return sum(pipe.number for pipe in tuple(self.pipes.values()))

    @property
    def lost(self) -> int:
        """The number of messages that were dropped. Any thread may read this."""
        return sum(pipe.lost for pipe in tuple(self.pipes.values()))

    def clear(self) -> None:
        """Drops all held messages, and counts messages from 0 again."""
        for end, pipe in self.pipes.items():
            pipe.clear()
            end.forget()

    def save(self) -> list[Any]:
        """Returns the held messages, as lists, numbers and bytes."""
        self._filters.settle()
        saved = [pipe.save() for pipe in self.pipes.values()]
        return [[each.number, each.last, [list(row) for row in each.held]] for each in saved]

    def check_saved(self, saved: Any) -> None:
        """Raises ConfigError if saved messages do not fit the ends of this topic."""
        pipes = list(self.pipes.values())
        if not isinstance(saved, list) or len(saved) != len(pipes):
            raise ConfigError(f'{self.topic_name}: must be a list of {len(pipes)} pipes')
        for pipe, content in zip(pipes, saved, strict=True):
            try:
                pipe.check_saved(_held_messages(content))
            except (TypeError, ValueError, RuntimeError) as error:
                raise ConfigError(f'{self.topic_name}: {error}') from None

    def restore(self, saved: Sequence[Any]) -> None:
        """Replaces the held messages by saved messages."""
        self.clear()
        for pipe, content in zip(self.pipes.values(), saved, strict=False):
            pipe.restore(_held_messages(content))
        self._filters.table.look()

    def close(self) -> None:
        """Drops the held messages; later messages pass unchanged. Any thread may call this."""
        self._filters.remove(self)

    def attach(self, end: FilteredEnd) -> None:
        """Passes the messages of a publisher or subscription through a new pipe."""
        pipe = end.new_pipe(self._code, self._state, self._number, self._on_fault)
        self.pipes[end] = pipe
        if pipe.port is not None:
            self._filters.table.add(pipe)
        end.use(pipe)

    def detach(self, end: FilteredEnd) -> None:
        """Closes the pipe of a publisher or subscription, if it has a pipe."""
        pipe = self.pipes.pop(end, None)
        if pipe is None:
            return
        end.use(None)
        if pipe.port is not None:
            self._filters.table.remove(pipe)
        pipe.close()


class MessageFilters:
    """The message filters of a simulation, and all publishers and subscriptions of its plugins."""

    def __init__(self, loop: Any, settle: Callable[[], None], *, inline: bool) -> None:
        """`loop` is the LOOP record. With `inline`, the loop publishes held messages itself.

        `settle()` waits until all messages that the loop has filled are in their pipes.
        """
        self._record, self._inline, self.settle = loop, inline, settle
        self.loop = ctypes.addressof(loop)
        """The address of the LOOP record."""
        self._ends: list[FilteredEnd] = []
        self._filters: list[MessageFilter] = []
        self._table: PipeTable | None = None
        self._changing = threading.RLock()

    @property
    def table(self) -> PipeTable:
        """The pipes of publishers; created for the first filter."""
        if self._table is None:
            self._table = PipeTable(self._record, inline=self._inline)
        return self._table

    def topics(self, *, incoming: bool) -> dict[str, Any]:
        """Maps the full name of each topic that can be filtered to its message type, sorted."""
        ends = [end for end in self._ends if end.incoming == incoming]
        return {end.topic: end.kind for end in sorted(ends, key=lambda end: end.topic)}

    def add_end(self, end: FilteredEnd) -> None:
        """Adds a publisher or subscription; an existing filter of its topic applies at once."""
        with self._changing:
            self._ends.append(end)
            for each in self._filters:
                if (each.topic_name, each.incoming) == (end.topic, end.incoming):
                    each.attach(end)

    def remove_end(self, end: FilteredEnd) -> None:
        """Removes a publisher or subscription that is closed."""
        with self._changing:
            self._ends = [each for each in self._ends if each is not end]
            for each in self._filters:
                each.detach(end)

    def add(self, made: MessageFilter) -> None:
        """Applies a filter to all present and future publishers or subscriptions of its topic.

        Raises PluginError if these already have a filter.
        """
        with self._changing:
            for each in self._filters:
                if (each.topic_name, each.incoming) == (made.topic_name, made.incoming):
                    direction = 'subscription' if made.incoming else 'publisher'
                    raise PluginError(f'the {direction} of {made.topic_name} already has a filter')
            self._filters.append(made)
            for end in self._ends:
                if (made.topic_name, made.incoming) == (end.topic, end.incoming):
                    made.attach(end)

    def remove(self, made: MessageFilter) -> None:
        """Removes a filter; messages then pass unchanged."""
        with self._changing:
            self._filters = [each for each in self._filters if each is not made]
            for end in tuple(made.pipes):
                made.detach(end)

    def close(self) -> None:
        """Stops publishing held messages."""
        if self._table is not None:
            self._table.close(_LAST_S)


def _held_messages(content: Any) -> HeldMessages:
    """Returns the messages of one pipe from plain values. Raises TypeError or ValueError."""
    number, last, held = content
    return HeldMessages(number, last, tuple(tuple(row) for row in held))
