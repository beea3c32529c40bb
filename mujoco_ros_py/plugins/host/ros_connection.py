"""The connection of a session to ROS; a session without ROS has `NoRos`."""

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
        """The full names of the topics whose messages a lockstep awaits."""

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
        """Makes the ROS of a plugin by its name; all that it creates is closed with the owner.

        What it must do without is noted in `absent`. `namespace` is that of the plugin's group, in
        that of the node.
        """


def unanswerable(ros: RosConnection, there: Sequence[str]) -> list[str]:
    """Returns a sentence for each topic of the lockstep that is not `there`: nobody takes it."""
    return [
        f'lockstep_topics: no plugin takes {topic} in compiled code, so that nobody waits for it;'
        f' awaited are: {", ".join(there) or "none"}'
        for topic in ros.lockstep_topics
        if topic not in there
    ]


class NoRos:
    """The missing connection of a session without ROS."""

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
        """Makes the ROS of a plugin by which nothing is sent, and nothing comes."""
        options: dict[str, Any] = {'boundscheck': boundscheck, 'namespace': namespace}
        return UnconnectedRos(name, owner, exchange, absent, **options)


class _MissingNode:
    """Stands in for the node: it is false, and raises PluginError when used."""

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith('__'):
            raise AttributeError(name)
        raise PluginError(f'{name!r} needs ROS, and this session runs without it')
