"""Creates the publishers and subscriptions that fill and read messages in compiled code."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Set
from concurrent.futures import Future
from functools import partial
from typing import Any, Generic

from rclpy.qos import QoSProfile

from ...engine import Inlet, MessagePipe, Outlet, compile_message_function
from ...engine.messages import message_layout
from ...errors import PluginError
from ...plugins.host import (
    CompiledCallback,
    Reading,
    compiled_fill,
    compiled_function,
    derived_of,
    stamp_of,
)
from ...plugins.ros_entities import MessageT
from ...rcl_internals import NativeMessage
from ...simulation import MessageExchange, Owner
from ..message_ports import python_publisher, python_source, rcl_publisher, rcl_subscription
from ..rclpy_internals import has_handles
from .filtered_ends import CompiledSubscriptionEnd, OutletPipe, PublisherEnd, add_end
from .node_keeper import NodeKeeper


class CompiledTopics:
    """Creates the compiled publishers and subscriptions of one plugin.

    With `by_rcl`, messages are published and taken through rcl, without the GIL. Otherwise rclpy
    is used, which needs the GIL for each message. The lockstep waits for messages on the topics
    in `lockstep_topics` (full names).
    """

    def __init__(
        self,
        keeper: NodeKeeper,
        owner: Owner,
        exchange: MessageExchange,
        *,
        boundscheck: bool,
        by_rcl: bool,
        lockstep_topics: Set[str] = frozenset(),
    ) -> None:
        self._keeper, self._owner, self._exchange = keeper, owner, exchange
        self._node: Any = keeper.node
        self._boundscheck = boundscheck
        self.by_rcl = by_rcl and has_handles()
        """Whether messages are published and taken through rcl."""
        self._lockstep_topics = lockstep_topics

    def publisher(
        self,
        kind: type[MessageT],
        topic: str,
        fill: Callable[..., object],
        rate_hz: float,
        qos: QoSProfile,
        *,
        template: MessageT | None = None,
        state: Any = None,
        derived: str = 'state',
        copy_state: bool = True,
        thread: bool = False,
        only_heard: bool = False,
    ) -> CompiledPublisher[MessageT]:
        """Creates a publisher; the compiled function `fill` writes its messages."""
        function = compiled_fill(kind, topic, fill, rate_hz, template)
        options: dict[str, Any] = {
            'period_s': 1.0 / rate_hz,
            'derived': derived_of(topic, derived),
            'copies_state': copy_state,
            'only_heard': only_heard,
        }
        code = self._compile(function, kind, state, fills=True)
        publisher = self._node.create_publisher(kind, topic, qos)
        outlet_of = partial(self._outlet, kind, topic, publisher, options)

        def successor(template: MessageT | None, state: Any) -> Outlet:
            code = self._compile(function, kind, state, fills=True)
            return outlet_of(code, template, state)

        outlet = outlet_of(code, template, state)
        self._exchange.add_outlet(outlet, thread=thread)
        reading = Reading(
            self._exchange, self._owner, kind, topic, function, template=template, state=state,
            derived=options['derived'], boundscheck=self._boundscheck,
        )  # fmt: skip
        pipe = OutletPipe(outlet)
        made = CompiledPublisher(
            publisher, outlet, self._exchange, self._node, successor, reading, pipe
        )
        self._owner.on_close(made.close)
        end = PublisherEnd(self._exchange, kind, publisher, self.by_rcl, pipe.use)
        end.period_s = options['period_s']
        add_end(self._exchange, self._owner, end)
        return made

    def _outlet(
        self,
        kind: type[Any],
        topic: str,
        publisher: Any,
        options: Mapping[str, Any],
        code: Any,
        template: Any,
        state: Any,
    ) -> Outlet:
        """Creates an outlet, with its own message buffer, for a publisher."""
        message = NativeMessage(kind)
        if template is not None:
            message.set(template)
        make_port = rcl_publisher if self.by_rcl else python_publisher
        return Outlet(
            f'the message of {publisher.topic_name}',
            code,
            state,
            make_port(publisher, message),
            self._fault(f'fill (topic {topic})'),
            stamp=stamp_of(kind, message.address),
            **options,
        )

    def subscription(
        self,
        kind: type[Any],
        topic: str,
        callback: Callable[..., object],
        qos: QoSProfile,
        state: Any,
    ) -> CompiledSubscription:
        """Creates a subscription; the compiled function `callback` reads its messages."""
        code = self._compile(compiled_function(topic, 'callback', callback), kind, state)
        fault = self._fault(f'the function of topic {topic}')
        message = NativeMessage(kind)
        if self.by_rcl:
            name, stamp = self._node.resolve_topic_name(topic), stamp_of(kind, message.address)
            awaited = self._is_awaited(name, stamp)
            event = self._exchange.wake_event if awaited else None
            subscription, port = rcl_subscription(self._keeper, kind, topic, qos, message, event)
            inlet = Inlet(name, code, state, port, fault, stamp=stamp, awaited=awaited)
            self._exchange.add_inlet(inlet)
            destroy = self._keeper.destroy_silent_subscription
        else:
            waiting: deque[Any] = deque(maxlen=qos.depth or 1)
            inlet = Inlet(topic, code, state, python_source(waiting, message), fault)

            def take(received: Any) -> None:
                waiting.append(received)
                self._exchange.take_once(inlet)

            subscription = self._node.create_subscription(kind, topic, take, qos)
            destroy = self._node.destroy_subscription

        def release(pipe: MessagePipe) -> Inlet:
            return Inlet(topic, code, state, pipe.take_into(message.address), fault)

        full = str(self._node.resolve_topic_name(topic))
        end = CompiledSubscriptionEnd(self._exchange, kind, full, inlet, release)

        def inlet_of(given: Any) -> Inlet:
            source = python_source(deque([given]), NativeMessage(kind))
            made = Inlet(topic, code, state, source, fault)
            made.record.pipe = inlet.record.pipe
            return made

        made = CompiledSubscription(
            subscription, topic, inlet, self._exchange, self._node, destroy, inlet_of
        )
        self._owner.on_close(made.close)
        add_end(self._exchange, self._owner, end)
        return made

    def _is_awaited(self, name: str, stamp: int) -> bool:
        """Returns whether a lockstep waits for a topic. Raises PluginError if it cannot wait."""
        awaited, lockstep = name in self._lockstep_topics, self._exchange.lockstep
        if awaited and not stamp and not (lockstep and lockstep.by_arrival):
            raise PluginError(
                f'{name} is in lockstep_topics, but its messages have no header: set'
                ' lockstep_match to arrival'
            )
        return awaited

    def _compile(
        self, function: CompiledCallback, kind: Any, state: Any, *, fills: bool = False
    ) -> Any:
        with self._owner.at('the compilation of callbacks', lasting=True):
            return compile_message_function(
                function.function,
                state,
                message_layout(kind),
                fills=fills,
                boundscheck=self._boundscheck,
            )

    def _fault(self, where: str) -> Callable[[BaseException], None]:
        return lambda error: self._owner.fail(where, error)


class CompiledPublisher(Generic[MessageT]):
    """A publisher that fills its messages in compiled code, at a fixed rate."""

    def __init__(
        self,
        publisher: Any,
        outlet: Outlet,
        exchange: MessageExchange,
        node: Any,
        successor: Callable[[MessageT | None, Any], Outlet],
        reading: Reading[MessageT],
        pipe: OutletPipe,
    ) -> None:
        """`successor(template, state)` creates another outlet for the same publisher."""
        self._reading, self._pipe = reading, pipe
        self._publisher, self._outlet, self._exchange = publisher, outlet, exchange
        self._node, self._successor = node, successor
        self._published = self._errors = 0
        """The message and error counts of the outlets replaced so far."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""
        return str(self._publisher.topic_name)

    @property
    def subscribers(self) -> int:
        """The number of subscribers on the topic."""
        return int(self._publisher.get_subscription_count())

    @property
    def published(self) -> int:
        """The number of published messages."""
        return self._published + int(self._outlet.record.published)

    @property
    def errors(self) -> int:
        """The number of messages that the middleware refused."""
        return self._errors + int(self._outlet.record.errors)

    @property
    def cost_ns(self) -> float:
        """The mean time in ns to fill a message, excluding the time to send it."""
        return float(self._outlet.record.cost_ns)

    def read(self, state_of: Callable[[], Any] | None = None) -> MessageT | None:
        """Returns the current message; see `plugins.CompiledPublisher.read`."""
        return self._reading.read(state_of)

    def replace(self, *, template: MessageT | None, state: Any) -> None:
        """Switches to a new template and state, and keeps the publishing schedule.

        Messages for times before the call still use the old template and state. If the type of
        the state differs, the function is compiled again. A closed publisher stays closed.
        """
        old = self._outlet
        if old.closed:
            return
        self._outlet = self._successor(template, state)
        self._pipe.move(self._outlet)
        self._reading.replace(template, state)
        self._published += int(old.record.published)
        self._errors += int(old.record.errors)
        self._exchange.replace_outlet(old, self._outlet)

    def close(self) -> None:
        """Stops publishing, and destroys the publisher once nothing uses it."""
        if not self._outlet.closed:
            self._reading.close()
            self._exchange.remove_outlet(self._outlet)
            self._node.destroy_publisher(self._publisher)


class CompiledSubscription:
    """A subscription that reads its messages in compiled code, at the start of each step."""

    def __init__(
        self,
        subscription: Any,
        topic: str,
        inlet: Inlet,
        exchange: MessageExchange,
        node: Any,
        destroy: Callable[[Any], bool],
        inlet_of: Callable[[Any], Inlet],
    ) -> None:
        """`inlet_of(message)` creates an inlet that passes one message to the same function."""
        self._subscription, self._inlet, self._exchange = subscription, inlet, exchange
        self._node, self._topic, self._destroy = node, topic, destroy
        self._inlet_of = inlet_of

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""
        return str(self._node.resolve_topic_name(self._topic))

    @property
    def publishers(self) -> int:
        """The number of publishers on the topic."""
        return int(self._node.count_publishers(self._topic))

    @property
    def taken(self) -> int:
        """The number of messages that have been read."""
        return int(self._inlet.record.taken)

    def give(self, message: Any) -> Future[None]:
        """Passes a message directly to the function before the next step, bypassing the topic.

        The future is done when the function has read the message.
        """
        return self._exchange.take_once(self._inlet_of(message))

    def close(self) -> None:
        """Stops reading, and destroys the subscription once nothing uses it."""
        if not self._inlet.closed:
            self._exchange.remove_inlet(self._inlet)
            self._destroy(self._subscription)
