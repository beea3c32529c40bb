"""A session's connection to ROS; `NoRos` for a session without ROS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

from ...errors import PluginError
from ...simulation import MessageExchange, Owner
from ..ros_interface import Ros
from .absent_parts import AbsentParts
from .unconnected_ros import UnconnectedRos


class RosConnection(Protocol):
    """The connection of a session to ROS."""

    @property
    def lockstep_topics(self) -> Sequence[str]:
        """The full names of the topics whose messages a lockstep waits for."""

    @property
    def node(self) -> Any:
        """The ROS node that all plugins share."""

    def for_plugin(
        self,
        name: str,
        owner: Owner,
        exchange: MessageExchange,
        absent: AbsentParts,
        *,
        boundscheck: bool,
        namespace: str = '',
    ) -> Ros:
        """Creates the ROS interface of a plugin; its resources close with the owner.

        Unavailable resources are recorded in `absent`. `namespace` is the namespace of the
        plugin's group, relative to the node's.
        """


def unanswerable(ros: RosConnection, there: Sequence[str]) -> list[str]:
    """Returns a message for each lockstep topic without a subscription in compiled code.

    `there` are the topics that plugins subscribe to in compiled code.
    """
    return [
        f'lockstep_topics: no plugin subscribes to {topic} in compiled code, so the simulation'
        f' cannot wait for it; it waits for: {", ".join(there) or "none"}'
        for topic in ros.lockstep_topics
        if topic not in there
    ]


class NoRos:
    """The connection of a session without ROS."""

    lockstep_topics: Sequence[str] = ()

    def __init__(self) -> None:
        self.node: Any = _MissingNode()

    def for_plugin(
        self,
        name: str,
        owner: Owner,
        exchange: MessageExchange,
        absent: AbsentParts,
        *,
        boundscheck: bool,
        namespace: str = '',
    ) -> Ros:
        """Creates a ROS interface that sends and receives nothing."""
        options: dict[str, Any] = {'boundscheck': boundscheck, 'namespace': namespace}
        return UnconnectedRos(name, owner, exchange, absent, **options)


class _MissingNode:
    """Placeholder for the node: it is false, and raises PluginError when used."""

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith('__'):
            raise AttributeError(name)
        raise PluginError(f'{name!r} needs ROS, and this session runs without it')
