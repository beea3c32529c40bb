"""The ROS interface of plugins, on the node of the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.qos import QoSProfile

from ...config.wording import unknown
from ...engine import MessagePipe, compile_filter
from ...engine.messages import StructPublisher
from ...errors import PluginError
from ...plugins.host import (
    UnconnectedRos,
    check_rate,
    compiled_function,
    refuse_compiled,
)
from ...plugins.ros_entities import (
    ActionServer,
    CompiledPublisher,
    CompiledSubscription,
    GoalHandle,
    Inbox,
    MessageT,
    Publisher,
    Service,
    Subscription,
    Timer,
)
from ...plugins.ros_types import missing_package
from ...simulation import MessageExchange, MessageFilter, Owner
from .compiled_topics import CompiledTopics
from .deliveries import Deliveries
from .filtered_ends import (
    GoalEnd,
    PublisherEnd,
    PythonPublisherEnd,
    PythonSubscriptionEnd,
    add_end,
)
from .node_keeper import NodeKeeper

_OWN = '~/'


class PluginRos:
    """Implements `plugins.Ros` for one plugin."""

    def __init__(
        self,
        keeper: NodeKeeper,
        name: str,
        namespace: str,
        owner: Owner,
        compiled: CompiledTopics,
        exchange: MessageExchange,
        unconnected: UnconnectedRos,
        *,
        boundscheck: bool,
    ) -> None:
        """`unconnected` handles the types whose package is not installed."""
        self._unconnected = unconnected
        self._keeper, self._name, self._namespace = keeper, name, namespace
        self._node = keeper.node
        self._owner, self._compiled, self._exchange = owner, compiled, exchange
        self._boundscheck = boundscheck
        self._inbox = Deliveries(owner, self.resolve_topic_name)

    def create_publisher(
        self, msg_type: type[MessageT], topic: str, qos: QoSProfile | int = 10
    ) -> Publisher[MessageT]:
        """Creates a publisher, which is destroyed when the plugin is unloaded."""
        if missing_package(msg_type):
            return self._unconnected.create_publisher(msg_type, self.resolve_topic_name(topic))
        with self._owner.at('create_publisher'):
            made: Publisher[MessageT] = self._node.create_publisher(
                msg_type, self._resolved(topic), qos
            )
        end = PythonPublisherEnd(self._exchange, msg_type, made, self._compiled.by_rcl)
        add_end(self._exchange, self._owner, end)
        return made

    def create_compiled_publisher(
        self,
        msg_type: type[MessageT],
        topic: str,
        fill: Callable[..., object],
        rate_hz: float,
        qos: QoSProfile | int = 10,
        **options: Any,
    ) -> CompiledPublisher[MessageT]:
        """Creates a publisher that fills messages in compiled code; see `CompiledTopics`."""
        if missing_package(msg_type):
            name = self.resolve_topic_name(topic)
            return self._unconnected.create_compiled_publisher(
                msg_type, name, fill, rate_hz, **options
            )
        name = self._resolved(topic)
        with self._owner.at('create_compiled_publisher'):
            return self._compiled.publisher(
                msg_type, name, fill, rate_hz, _profile(qos), **options
            )

    def create_struct_publisher(
        self, msg_type: type[Any], topic: str, qos: QoSProfile | int = 10
    ) -> StructPublisher:
        """Creates a publisher of a message in C memory; unloading the plugin destroys it."""
        if missing_package(msg_type):
            name = self.resolve_topic_name(topic)
            return self._unconnected.create_struct_publisher(msg_type, name, qos)
        with self._owner.at('create_struct_publisher'):
            made = StructPublisher(self._node, msg_type, self._resolved(topic), qos)

        def use(pipe: MessagePipe | None) -> None:
            made.through = None if pipe is None else pipe.push

        by_rcl = self._compiled.by_rcl
        end = PublisherEnd(self._exchange, msg_type, made.publisher, by_rcl, use)
        add_end(self._exchange, self._owner, end)
        return made

    def create_subscription(
        self,
        msg_type: type[MessageT],
        topic: str,
        callback: Callable[[MessageT], object],
        qos: QoSProfile | int = 10,
    ) -> Subscription:
        """Creates a subscription, which is destroyed when the plugin fails or is unloaded."""
        refuse_compiled(topic, callback)
        full = self.resolve_topic_name(topic)
        if missing_package(msg_type):
            return self._unconnected.create_subscription(msg_type, full, callback)
        end = PythonSubscriptionEnd(self._exchange, msg_type, full, self._owner, callback)
        with self._owner.at('create_subscription'):
            made: Subscription = self._node.create_subscription(
                msg_type, self._resolved(topic), end.callback, qos
            )
        self._inbox.add(full, msg_type, self._inbox.on_thread(topic, end.callback))
        add_end(self._exchange, self._owner, end)
        return made

    def create_compiled_subscription(
        self,
        msg_type: type[Any],
        topic: str,
        callback: Callable[..., object],
        qos: QoSProfile | int = 10,
        *,
        state: Any = None,
    ) -> CompiledSubscription:
        """Creates a subscription that reads messages in compiled code."""
        full = self.resolve_topic_name(topic)
        if missing_package(msg_type):
            return self._unconnected.create_compiled_subscription(msg_type, full, callback)
        name = self._resolved(topic)
        with self._owner.at('create_compiled_subscription'):
            made = self._compiled.subscription(msg_type, name, callback, _profile(qos), state)
        self._inbox.add(full, msg_type, made.give)
        return made

    def plugin_topics(self, *, incoming: bool) -> Mapping[str, Any]:
        """Returns the types of the topics of all plugins, by full names."""
        return self._exchange.filters.topics(incoming=incoming)

    def create_message_filter(
        self,
        topic: str,
        decide: Callable[..., object],
        *,
        incoming: bool,
        state: Any = None,
        number: int = 0,
    ) -> MessageFilter:
        """Creates a filter, which ends when the plugin fails or is unloaded."""
        filters, full = self._exchange.filters, self.resolve_topic_name(topic)
        function = compiled_function(topic, 'decide', decide)
        known = filters.topics(incoming=incoming)
        if full not in known:
            what = 'subscription' if incoming else 'publisher'
            raise PluginError(unknown(f'topic with a {what} of a plugin', full, known))
        where = f'the filter of topic {full}'
        with self._owner.at('create_message_filter'):
            code = compile_filter(function.function, state, boundscheck=self._boundscheck)
        fault = partial(self._owner.fail, where)
        made = MessageFilter(full, incoming, code, state, number, fault, filters)
        filters.add(made)
        self._owner.on_close(made.close)
        return made

    @property
    def inbox(self) -> Inbox:
        """The subscriptions, which also accept messages directly."""
        return self._inbox

    def create_service(
        self, srv_type: Any, name: str, callback: Callable[[Any, Any], Any]
    ) -> Service:
        """Creates a service, which is destroyed when the plugin fails or is unloaded."""
        if missing_package(srv_type):
            full = self.resolve_topic_name(name)
            return self._unconnected.create_service(srv_type, full, callback)
        with self._owner.at('create_service'):
            made: Service = self._node.create_service(srv_type, self._resolved(name), callback)
        return made

    def create_timer(self, period_s: float, callback: Callable[[], object]) -> Timer:
        """Creates a wall timer, which is destroyed when the plugin fails or is unloaded."""
        with self._owner.at('create_timer'):
            clock = Clock(clock_type=ClockType.STEADY_TIME)
            made: Timer = self._node.create_timer(period_s, callback, clock=clock)
        return made

    def create_action_server(
        self,
        action_type: Any,
        name: str,
        execute_callback: Callable[[GoalHandle], Any],
        *,
        goal_callback: Callable[[Any], bool | Enum] | None = None,
        cancel_callback: Callable[[GoalHandle], bool | Enum] | None = None,
    ) -> ActionServer:
        """Creates an action server, which is destroyed when the plugin fails or is unloaded."""
        if missing_package(action_type):
            full = self.resolve_topic_name(name)
            return self._unconnected.create_action_server(action_type, full, execute_callback)
        from .plugin_actions import offer  # slow to import

        callbacks = execute_callback, goal_callback, cancel_callback
        with self._owner.at('create_action_server'):
            # absolute, because the node's remappings do not apply to the action node
            full = self._node.resolve_service_name(self._resolved(name))
            end = GoalEnd(self._exchange, action_type.Goal, str(full))
            made: ActionServer = offer(
                self._keeper.actions, self._owner, action_type, full, *callbacks, end.deliver
            )
        add_end(self._exchange, self._owner, end)
        return made

    def resolve_topic_name(self, topic: str) -> str:
        """Returns the full name of a topic, after remapping."""
        return str(self._node.resolve_topic_name(self._resolved(topic)))

    def need_clock(self, rate_hz: float) -> None:
        """Requests clock messages at this rate until the plugin fails or is unloaded."""
        check_rate('the clock', rate_hz)
        self._owner.on_close(self._exchange.clock_needs.add(self._owner.name, rate_hz))

    def _resolved(self, name: str) -> str:
        if name.startswith(_OWN):
            return f'{self._name}/{name.removeprefix(_OWN)}'
        relative = self._namespace and not name.startswith('/')
        return f'{self._namespace}/{name}' if relative else name


def _profile(qos: QoSProfile | int) -> QoSProfile:
    return QoSProfile(depth=qos) if isinstance(qos, int) else qos
