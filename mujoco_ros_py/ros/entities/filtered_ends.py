"""Publishers and subscriptions of plugins whose messages can pass through a filter."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from typing import Any

from rclpy.serialization import deserialize_message, serialize_message

from ...engine import Inlet, MessageCode, MessageMemory, MessagePipe, Outlet, Port, State
from ...plugins.host import stamp_of
from ...rcl_internals import NativeMessage, copy_function
from ...simulation import MessageExchange, Owner
from ..message_ports import python_receiver, rcl_publisher
from ..rclpy_internals import has_handles

OnFault = Callable[[BaseException], None]
_SOME_ADDRESS = 1 << 20


def message_memory(kind: Any) -> MessageMemory:
    """Returns the functions that a pipe needs to store messages of a type."""
    stamp = stamp_of(kind, _SOME_ADDRESS)
    return MessageMemory(
        new=functools.partial(NativeMessage, kind),
        copy=copy_function(kind),
        stamp=stamp - _SOME_ADDRESS if stamp else -1,
        pack=lambda message: bytes(serialize_message(message.get())),
        unpack=lambda message, packed: message.set(deserialize_message(packed, kind)),
    )


class _End:
    """The base class of publishers and subscriptions that can be filtered (`FilteredEnd`)."""

    incoming = False

    def __init__(self, exchange: MessageExchange, kind: Any, topic: str) -> None:
        self._exchange, self.kind, self.topic = exchange, kind, topic
        self.period_s = 0.0
        """The period of the messages in s of simulated time; 0 if they are not periodic."""
        self.pipe: MessagePipe | None = None
        """The pipe that messages pass through; None without a filter."""

    def new_pipe(
        self, code: MessageCode, state: State | None, number: int, on_fault: OnFault
    ) -> MessagePipe:
        """Returns a pipe for the messages of this end."""
        loop, memory = self._exchange.filters.loop, message_memory(self.kind)
        return MessagePipe(
            loop, memory, code, state, number, on_fault, self._new_port(), self.period_s,
            by_stamp=not self.incoming,
        )  # fmt: skip

    def use(self, pipe: MessagePipe | None) -> None:
        """Passes messages through a pipe from now on; None passes them directly."""
        self.pipe = pipe

    def forget(self) -> None:
        """Called after all messages in the pipe were dropped."""

    def _new_port(self) -> Port | None:
        """Returns a port for delivering messages; None if an inlet takes them from the pipe."""
        return None


class OutletPipe:
    """Connects the pipe of a compiled publisher to its current outlet."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet, self._address = outlet, 0

    def use(self, pipe: MessagePipe | None) -> None:
        """Passes the messages of the outlet to a pipe; with None, they are published directly."""
        self._address = 0 if pipe is None else pipe.address
        self._outlet.record.pipe = self._address

    def move(self, outlet: Outlet) -> None:
        """Connects the pipe to the outlet that replaces the previous outlet."""
        self._outlet = outlet
        outlet.record.pipe = self._address


class PublisherEnd(_End):
    """A publisher whose messages are in their C layout in memory, such as a `StructPublisher`."""

    def __init__(
        self,
        exchange: MessageExchange,
        kind: Any,
        publisher: Any,
        by_rcl: bool,
        use: Callable[[MessagePipe | None], None],
    ) -> None:
        """`use(pipe)` makes the publisher pass its messages to a pipe, or publish them (None)."""
        super().__init__(exchange, kind, str(publisher.topic_name))
        self._publisher, self._by_rcl, self._use = publisher, by_rcl and has_handles(), use
        self._publish = publisher.publish

    def use(self, pipe: MessagePipe | None) -> None:
        """Passes messages through a pipe from now on; None passes them directly."""
        super().use(pipe)
        self._use(pipe)

    def _new_port(self) -> Port:
        if self._by_rcl:
            return rcl_publisher(self._publisher, NativeMessage(self.kind))
        return python_receiver(self.kind, self._publish)


class PythonPublisherEnd(PublisherEnd):
    """An rclpy publisher of a plugin, whose `publish` is replaced while a filter is in use."""

    def __init__(self, exchange: MessageExchange, kind: Any, publisher: Any, by_rcl: bool) -> None:
        super().__init__(exchange, kind, publisher, by_rcl, self._replace)
        self._scratch = Scratch(kind)

    def _replace(self, pipe: MessagePipe | None) -> None:
        if pipe is None:
            vars(self._publisher).pop('publish', None)
        else:
            self._publisher.publish = functools.partial(self._scratch.push, pipe)


class CompiledSubscriptionEnd(_End):
    """A subscription that compiled code reads, on the thread that steps."""

    incoming = True

    def __init__(
        self,
        exchange: MessageExchange,
        kind: Any,
        topic: str,
        inlet: Inlet,
        release: Callable[[MessagePipe], Inlet],
    ) -> None:
        """`release(pipe)` returns an inlet that takes the due messages of a pipe."""
        super().__init__(exchange, kind, topic)
        self._inlet, self._release = inlet, release
        self._releasing: Inlet | None = None

    def use(self, pipe: MessagePipe | None) -> None:
        """Passes messages through a pipe from now on; None passes them directly."""
        super().use(pipe)
        self._inlet.record.pipe = 0 if pipe is None else pipe.address
        if self._releasing is not None:
            self._exchange.remove_inlet(self._releasing)
        self._releasing = None
        if pipe is not None:
            self._releasing = self._release(pipe)
            self._exchange.add_inlet(self._releasing)


class PythonSubscriptionEnd(_End):
    """A subscription that calls a Python function with its messages, on the plugin's thread."""

    incoming = True

    def __init__(
        self, exchange: MessageExchange, kind: Any, topic: str, owner: Owner, callback: Any
    ) -> None:
        super().__init__(exchange, kind, topic)
        self._owner, self._given = owner, callback
        self._scratch = Scratch(kind)
        self.callback = callback if _is_special(callback) else self._wrapped(callback)
        """The function that receives the messages; with a filter, it passes them to the pipe."""

    def _wrapped(self, callback: Any) -> Any:
        @functools.wraps(callback, updated=())  # rclpy inspects the signature
        def call(message: Any, *rest: Any) -> None:
            pipe = self.pipe
            if pipe is None or isinstance(message, bytes):
                callback(message, *rest)
            else:
                self._scratch.push(pipe, message)

        return call

    def _new_port(self) -> Port:
        call = self._owner.callback(f'the function of topic {self.topic}', self._given)
        run = self._owner.thread.run
        return python_receiver(self.kind, lambda message: run(lambda: call(message)))


class GoalEnd(_End):
    """The goal requests of an action, which pass through a filter like the messages of a topic.

    The plugin is asked to accept a delayed goal only when the goal arrives. A lost goal is
    rejected.
    """

    incoming = True

    def __init__(self, exchange: MessageExchange, kind: Any, action: str) -> None:
        """`kind` is the message type of a goal, and `action` the full name of the action."""
        super().__init__(exchange, kind, action)
        self._scratch = Scratch(kind)
        self._waiting: list[tuple[Any, Callable[[bool], object]]] = []
        """The goals on their way, and the functions to call at their arrival."""
        self._changing, self._delivering = threading.Lock(), threading.Lock()

    def deliver(self, goal: Any, arrived: Callable[[bool], object]) -> None:
        """Calls `arrived(True)` when the goal arrives, or `arrived(False)` if it is lost."""
        pipe = self.pipe
        if pipe is None:
            arrived(True)
            return
        waiting = goal, arrived
        with self._delivering:
            lost = pipe.lost
            with self._changing:  # not held during the push, in which the goal may arrive
                self._waiting.append(waiting)
            self._scratch.push(pipe, goal)
            if pipe.lost != lost:
                with self._changing:
                    self._waiting = [each for each in self._waiting if each is not waiting]
                arrived(False)

    def use(self, pipe: MessagePipe | None) -> None:
        """Passes goals through a pipe from now on; without a pipe, goals arrive at once."""
        super().use(pipe)
        if pipe is None:
            self._end_waiting(arrived=True)

    def forget(self) -> None:
        """Rejects the goals that were on their way."""
        self._end_waiting(arrived=False)

    def _end_waiting(self, *, arrived: bool) -> None:
        with self._changing:
            waiting, self._waiting = self._waiting, []
        for _, tell in waiting:
            tell(arrived)

    def _new_port(self) -> Port:
        return python_receiver(self.kind, self._receive)

    def _receive(self, goal: Any) -> None:
        """Reports the arrival of a goal; ignores a second copy, which nobody waits for."""
        with self._changing:
            found = next((each for each in self._waiting if each[0] == goal), None)
            if found is not None:
                self._waiting.remove(found)
        if found is not None:
            found[1](True)


class Scratch:
    """Pushes Python messages into pipes, by way of a message in memory."""

    def __init__(self, kind: Any) -> None:
        self._kind, self._lock = kind, threading.Lock()
        self._message: NativeMessage | None = None

    def push(self, pipe: MessagePipe, message: Any) -> None:
        """Pushes a message into a pipe; bytes are a serialized message."""
        if isinstance(message, bytes):
            message = deserialize_message(message, self._kind)
        with self._lock:
            if self._message is None:
                self._message = NativeMessage(self._kind)
            self._message.set(message)
            pipe.push(self._message.address)


def _is_special(callback: Any) -> bool:
    """Returns whether a callback is invalid.

    An invalid callback stays unwrapped, so that it is refused with a clear error later.
    """
    return not callable(callback) or inspect.iscoroutinefunction(callback)


def add_end(exchange: MessageExchange, owner: Owner, end: Any) -> None:
    """Makes a publisher or subscription known to filters, until its plugin is unloaded."""
    exchange.filters.add_end(end)
    owner.on_close(lambda: exchange.filters.remove_end(end))
