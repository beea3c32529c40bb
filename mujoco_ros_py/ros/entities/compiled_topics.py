"""Creates the publishers and subscriptions that fill and read messages in compiled code."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Set
from functools import partial
from typing import Any

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
from .compiled_endpoints import CompiledPublisher, CompiledSubscription
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
