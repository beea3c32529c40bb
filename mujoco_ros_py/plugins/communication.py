"""How plugins talk to other programs: what `ros/` offers them, and a session without ROS does not.

This room names no ROS: types of messages, services and actions pass through it unseen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol

from ..errors import PluginError
from ..simulation import Owner


class Ros(Protocol):
    """What one plugin talks by; a name that begins with `~/` is the plugin's own: `~/target`."""

    def publish(self, kind: Any, topic: str, qos: Any) -> Any:
        """A publisher of messages of this type, as `rclpy.node.Node.create_publisher` makes it."""

    def subscribe(self, kind: Any, topic: str, function: Callable[[Any], object], qos: Any) -> Any:
        """Calls the function with each message, on the plugin's own thread for callbacks."""

    def serve(self, kind: Any, name: str, function: Callable[[Any, Any], Any]) -> Any:
        """Offers a service; the function gets request and response, and returns the latter."""

    def act(self, kind: Any, name: str, execute: Callable[[Any], Any], **options: Any) -> Any:
        """Offers an action."""

    def every(self, period_s: float, function: Callable[[], object]) -> Any:
        """Calls the function again and again, in wall time."""


class Communication(Protocol):
    """What a session talks by."""

    @property
    def node(self) -> Any:
        """The ROS node that all plugins share."""

    def of(self, name: str, owner: Owner) -> Ros:
        """Makes what the plugin of this name talks by; all of it is closed with its owner."""


class _Nobody:
    """Stands where ROS is not: whoever uses it is told so."""

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith('__'):
            raise AttributeError(name)
        raise PluginError(f'{name!r} needs ROS, and this session runs without it')


class Silence:
    """The communication of a session without ROS: nobody is there, and who talks is told so."""

    def __init__(self) -> None:
        self.node: Any = _Nobody()

    def of(self, name: str, owner: Owner) -> Any:
        """The same as for the node."""
        return self.node
