"""The ROS of plugins, on the node of the server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.qos import QoSProfile

from ...engine import CRASHES, LOOP, MESSAGES, prepare
from ...messages import StructPublisher
from ...plugins import (
    AbsentParts,
    CompiledCallback,
    UnconnectedRos,
    check_rate,
    missing_package,
)
from ...simulation import ClockNeeds, MessageExchange, Owner
from .compiled_topics import CompiledTopics
from .deliveries import Deliveries, Give
from .node_keeper import NodeKeeper

_OWN = '~/'


class NodeConnection:
    """The connection to ROS of a session that has a node."""

    def __init__(
        self,
        keeper: NodeKeeper,
        *,
        by_rcl: bool = True,
        lockstep_topics: Iterable[str] = (),
    ) -> None:
        """`by_rcl` and `lockstep_topics` go to `CompiledTopics`, which explains them."""
        self.node: Any = keeper.node
        self._keeper = keeper
        self._by_rcl, self.lockstep_topics = by_rcl, tuple(lockstep_topics)
        prepare(LOOP, MESSAGES, CRASHES)

    def for_plugin(
        self,
        name: str,
        owner: Owner,
        exchange: MessageExchange,
        absent: AbsentParts,
        *,
        boundscheck: bool,
        namespace: str = '',
    ) -> PluginRos:
        """Makes the `Ros` of the plugin `name`, whose relative topic names lie in `namespace`."""
        unconnected = UnconnectedRos(
            name, owner, exchange, absent, boundscheck=boundscheck, namespace=namespace,
            ros_is_there=True,
        )  # fmt: skip
        compiled = CompiledTopics(
            self._keeper,
            owner,
            exchange,
            boundscheck=boundscheck,
            by_rcl=self._by_rcl,
            lockstep_topics=frozenset(self.lockstep_topics),
        )
        return PluginRos(
            self._keeper, name, namespace, owner, compiled, exchange.clock_needs, unconnected
        )


class PluginRos:
    """Implements `plugins.Ros` for one plugin."""

    def __init__(
        self,
        keeper: NodeKeeper,
        name: str,
        namespace: str,
        owner: Owner,
        compiled: CompiledTopics,
        clock_needs: ClockNeeds,
        unconnected: UnconnectedRos,
    ) -> None:
        """`unconnected` is for what has a type whose package is not installed."""
        self._unconnected = unconnected
        self._keeper, self._name, self._namespace = keeper, name, namespace
        self._node = keeper.node
        self._owner, self._compiled, self._clock_needs = owner, compiled, clock_needs
        self._deliveries = Deliveries(owner)

    def publish(
        self, kind: Any, topic: str, qos: Any = 10, *, fill: Any = None, **compiled: Any
    ) -> Any:
        """Creates a publisher, which is destroyed when the plugin is unloaded."""
        if missing_package(kind):
            name = self.full_name(topic)
            return self._unconnected.publish(kind, name, qos, fill=fill, **compiled)
        name = self._resolved(topic)
        with self._owner.at('publish'):
            if fill is None and not compiled:
                return self._node.create_publisher(kind, name, qos)
            return self._compiled.publish(kind, name, _profile(qos), fill, **compiled)

    def publish_struct(self, kind: Any, topic: str, qos: Any = 10) -> StructPublisher:
        """Creates a publisher of a message in memory, as `publish` does."""
        if missing_package(kind):
            return self._unconnected.publish_struct(kind, self.full_name(topic), qos)
        with self._owner.at('publish'):
            return StructPublisher(self._node, kind, self._resolved(topic), qos)

    def subscribe(
        self, kind: Any, topic: str, function: Any, qos: Any = 10, *, state: Any = None
    ) -> Any:
        """Creates a subscription, which is destroyed when the plugin fails or is unloaded."""
        if missing_package(kind):
            return self._unconnected.subscribe(kind, self.full_name(topic), function, qos)
        name = self._resolved(topic)
        with self._owner.at('subscribe'):
            if isinstance(function, CompiledCallback):
                made = self._compiled.subscribe(kind, name, function, _profile(qos), state)
                give: Give = made.give
            else:
                made = self._node.create_subscription(kind, name, function, qos)
                give = self._deliveries.on_thread(topic, function)
        self._deliveries.add(self.full_name(topic), kind, give)
        return made

    def deliver(self, topic: str, fields: Mapping[str, Any]) -> None:
        """Gives a message to a subscription, and waits until it has been read."""
        self._deliveries.deliver(self.full_name(topic) if topic else '', fields)

    @property
    def subscribed(self) -> Mapping[str, str]:
        """The types of the subscriptions, by the full name of the topic."""
        return self._deliveries.types

    def give(self, topic: str, message: bytes) -> None:
        """Has a serialized message read by a subscription."""
        self._deliveries.give(topic, message)

    def serve(self, kind: Any, name: str, function: Callable[[Any, Any], Any]) -> Any:
        """Creates a service, which is destroyed when the plugin fails or is unloaded."""
        if missing_package(kind):
            return self._unconnected.serve(kind, self.full_name(name), function)
        with self._owner.at('serve'):
            return self._node.create_service(kind, self._resolved(name), function)

    def act(
        self,
        kind: Any,
        name: str,
        execute: Callable[[Any], Any],
        *,
        accept: Callable[[Any], bool] | None = None,
        cancel: Callable[[Any], bool] | None = None,
    ) -> Any:
        """Creates an action server, which is destroyed when the plugin fails or is unloaded."""
        if missing_package(kind):
            return self._unconnected.act(kind, self.full_name(name), execute)
        from .plugin_actions import offer  # rclpy's actions take long to import

        functions = execute, accept, cancel
        with self._owner.at('act'):
            # absolute, as the remaps of the node do not hold for the other one
            full = self._node.resolve_service_name(self._resolved(name))
            return offer(self._keeper.actions, self._owner, kind, full, *functions)

    def full_name(self, topic: str) -> str:
        """Returns the full name of a topic, after remapping."""
        return str(self._node.resolve_topic_name(self._resolved(topic)))

    def every(self, period_s: float, function: Callable[[], object]) -> Any:
        """Creates a wall timer, which is destroyed when the plugin fails or is unloaded."""
        with self._owner.at('every'):
            clock = Clock(clock_type=ClockType.STEADY_TIME)
            return self._node.create_timer(period_s, function, clock=clock)

    def need_clock(self, rate_hz: float) -> None:
        """Has the clock published at this rate, until the plugin fails or is unloaded."""
        check_rate('the clock', rate_hz)
        self._owner.on_close(self._clock_needs.add(self._owner.name, rate_hz))

    def _resolved(self, name: str) -> str:
        if name.startswith(_OWN):
            return f'{self._name}/{name.removeprefix(_OWN)}'
        relative = self._namespace and not name.startswith('/')
        return f'{self._namespace}/{name}' if relative else name


def _profile(qos: Any) -> QoSProfile:
    return QoSProfile(depth=qos) if isinstance(qos, int) else qos
