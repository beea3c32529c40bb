"""ROS as plugins use it; the room `ros` implements it, and a session without ROS has `NoRos`.

Nothing here imports ROS: the types of messages, services and actions are `Any`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol

from ..errors import PluginError
from ..simulation import Owner


class Ros(Protocol):
    """ROS for one plugin: all that it creates is destroyed when the plugin is unloaded.

    A name that begins with `~/` is the plugin's own, as for the controllers of ros2_control:
    `~/target` of a plugin `arm` is `arm/target` in the namespace of the node. Callbacks run on a
    thread of the plugin, one after the other, and hold up neither the server nor other plugins.
    A callback that raises takes the plugin out.
    """

    def publish(self, kind: Any, topic: str, qos: Any = 10) -> Any:
        """Creates a publisher of messages of a type; `qos` is a depth or an rclpy QoSProfile."""

    def subscribe(
        self, kind: Any, topic: str, function: Callable[[Any], object], qos: Any = 10
    ) -> Any:
        """Calls the function with each message, or with the newest ones if it is too slow."""

    def serve(self, kind: Any, name: str, function: Callable[[Any, Any], Any]) -> Any:
        """Offers a service.

        `function(request, response)` returns the response, or a `concurrent.futures.Future` of it
        if it has to wait, for a command to the simulation for example.
        """

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

        `execute(goal)` is called with rclpy's goal handle, on a thread for this goal alone, and
        returns the result; it may take as long as it needs. It ends the goal by `goal.succeed()`,
        `goal.abort()` or `goal.canceled()`; if it calls none of them and returns a result, the
        goal has succeeded. `accept(goal)` is called with a requested goal and tells whether it is
        accepted; by default each is. `cancel(goal)` is called with the goal handle and tells
        whether the goal may be cancelled; by default each may. The goals of a plugin that is
        unloaded are aborted.
        """

    def every(self, period_s: float, function: Callable[[], object]) -> Any:
        """Calls the function once in each period of wall time."""


class RosConnection(Protocol):
    """The connection of a session to ROS."""

    @property
    def node(self) -> Any:
        """The ROS node that all plugins share."""

    def for_plugin(self, name: str, owner: Owner) -> Ros:
        """Makes the ROS of a plugin by its name; all that it creates is closed with the owner."""


class NoRos:
    """The missing connection of a session without ROS: whoever uses it gets a PluginError."""

    def __init__(self) -> None:
        self.node: Any = _MissingRos()

    def for_plugin(self, name: str, owner: Owner) -> Any:
        """Returns an object that raises PluginError when it is used."""
        return self.node


class _MissingRos:
    """Stands in for the node and for `Ros`: it is false, and raises PluginError when used."""

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith('__'):
            raise AttributeError(name)
        raise PluginError(f'{name!r} needs ROS, and this session runs without it')
