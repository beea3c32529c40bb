"""What plugins talk ROS by, on the server's node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.clock import Clock
from rclpy.clock_type import ClockType

from ..simulation import Owner
from .node import SharedNode
from .plugin_actions import offer

_OWN = '~/'


class NodeCommunication:
    """The communication of a session that has a node."""

    def __init__(self, node: SharedNode) -> None:
        self.node: Any = node

    def of(self, name: str, owner: Owner) -> PluginRos:
        """Makes what the plugin of this name talks by."""
        return PluginRos(self.node, name, owner)


class PluginRos:
    """What one plugin talks by; all of it is destroyed when the plugin is unloaded.

    A name that begins with `~/` is the plugin's own, as those of a controller of ros2_control are:
    `~/target` of a plugin `arm` is `arm/target` in the namespace of the node. Callbacks run on a
    thread of the plugin, one after the other, and hold up nobody else.
    """

    def __init__(self, node: SharedNode, name: str, owner: Owner) -> None:
        self._node, self._name, self._owner = node, name, owner

    def publish(self, kind: Any, topic: str, qos: Any = 10) -> Any:
        """A publisher of messages of this type; `qos` is a depth or an rclpy QoSProfile."""
        with self._owner.at('publish'):
            return self._node.create_publisher(kind, self._resolved(topic), qos)

    def subscribe(
        self, kind: Any, topic: str, function: Callable[[Any], object], qos: Any = 10
    ) -> Any:
        """Calls the function with each message; where it is too slow, with the newest ones."""
        with self._owner.at('subscribe'):
            return self._node.create_subscription(kind, self._resolved(topic), function, qos)

    def serve(self, kind: Any, name: str, function: Callable[[Any, Any], Any]) -> Any:
        """Offers a service.

        `function(request, response)` returns the response, or a future of it
        (`concurrent.futures.Future`) where it has to wait for the physics.
        """
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
        """Offers an action.

        `execute(goal)` gets rclpy's goal handle, on a thread for this goal alone, and returns the
        result; it may take as long as it likes. It ends the goal by `goal.succeed()`, `abort()` or
        `canceled()`; one that does none of these has succeeded. `accept(request)` tells whether a
        goal is taken, without it each is; `cancel(goal)` whether it may be cancelled, without it
        each may. When the plugin is unloaded its goals are aborted.
        """
        with self._owner.at('act'):
            return offer(
                self._node, self._owner, kind, self._resolved(name), execute, accept, cancel
            )

    def every(self, period_s: float, function: Callable[[], object]) -> Any:
        """Calls the function each period of wall time."""
        with self._owner.at('every'):
            clock = Clock(clock_type=ClockType.STEADY_TIME)
            return self._node.create_timer(period_s, function, clock=clock)

    def _resolved(self, name: str) -> str:
        return f'{self._name}/{name.removeprefix(_OWN)}' if name.startswith(_OWN) else name
