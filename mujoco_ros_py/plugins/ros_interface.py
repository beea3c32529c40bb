"""How plugins talk to other programs: what `ros/` offers them, and a session without ROS does not.

This room names no ROS: types of messages, services and actions pass through it unseen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol

from ..errors import PluginError
from ..simulation import Owner


class Ros(Protocol):
    """What one plugin talks ROS by; all of it is destroyed when the plugin is unloaded.

    A name that begins with `~/` is the plugin's own, as those of a controller of ros2_control are:
    `~/target` of a plugin `arm` is `arm/target` in the namespace of the node. Callbacks run on a
    thread of the plugin, one after the other, and hold up neither the server nor other plugins.
    What one raises takes the plugin out.
    """

    def publish(self, kind: Any, topic: str, qos: Any = 10) -> Any:
        """A publisher of messages of this type; `qos` is a depth or an rclpy QoSProfile."""

    def subscribe(
        self, kind: Any, topic: str, function: Callable[[Any], object], qos: Any = 10
    ) -> Any:
        """Calls the function with each message; where it is too slow, with the newest ones."""

    def serve(self, kind: Any, name: str, function: Callable[[Any, Any], Any]) -> Any:
        """Offers a service.

        `function(request, response)` returns the response, or a future of it
        (`concurrent.futures.Future`) where it has to wait, for the physics say.
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

        `execute(goal)` gets rclpy's goal handle, on a thread for this goal alone, and returns the
        result; it may take as long as it likes. It ends the goal by `goal.succeed()`, `abort()` or
        `canceled()`; one that does none of these and returns a result has succeeded.
        `accept(goal)` gets the goal that is asked for and tells whether it is taken; without it
        each is. `cancel(goal)` gets the goal handle and tells whether the goal may be cancelled;
        without it each may. When the plugin is unloaded its goals are aborted.
        """

    def every(self, period_s: float, function: Callable[[], object]) -> Any:
        """Calls the function each period of wall time."""


class RosConnection(Protocol):
    """What a session talks by."""

    @property
    def node(self) -> Any:
        """The ROS node that all plugins share."""

    def for_plugin(self, name: str, owner: Owner) -> Ros:
        """Makes what the plugin of this name talks by; all of it is closed with its owner."""


class NoRos:
    """The communication of a session without ROS: nobody is there, and who talks is told so."""

    def __init__(self) -> None:
        self.node: Any = _MissingRos()

    def for_plugin(self, name: str, owner: Owner) -> Any:
        """The same as for the node."""
        return self.node


class _MissingRos:
    """Stands where ROS is not: whoever uses it is told so."""

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith('__'):
            raise AttributeError(name)
        raise PluginError(f'{name!r} needs ROS, and this session runs without it')
