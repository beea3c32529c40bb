"""Warns of other nodes with this node's name, a clock, or different versions of message types."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator

from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from .entities.action_node import name_of_actions

_log = logging.getLogger(__name__)

_LOOK_S = 1.0
_LOOKS = 5
"""How many times types are checked after a node appears, because its topics are discovered
later."""


class NeighbourNodes:
    """Looks for conflicting nodes once a second; warns once about each conflict while it lasts."""

    def __init__(self, node: Node, clock_topic: str) -> None:
        self._node = node
        self._clock_topic = clock_topic
        self._told: set[str] = set()
        self._nodes: list[str] = []
        self._looks = 0
        self._other_types: set[str] = set()
        node.create_timer(_LOOK_S, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _look(self) -> None:
        """Looks for other nodes, on the executor's thread."""
        nodes = sorted(_full(*each) for each in self._node.get_node_names_and_namespaces())
        if nodes != self._nodes:
            self._nodes, self._looks = nodes, _LOOKS
        if self._looks > 0:
            self._looks -= 1
            self._other_types = set(self._with_other_types())
        found = {*self._of_the_same_name(), *self._with_a_clock(), *self._other_types}
        for warning in sorted(found - self._told):
            _log.warning('%s', warning)
        self._told = found

    def _of_the_same_name(self) -> list[str]:
        own = self._node.get_fully_qualified_name()
        if self._nodes.count(own) < 2:
            return []
        return [
            f'another node is also called {own}: a request may reach either of them; give one of'
            ' them another name or namespace (--ros-args -r __ns:=/other)'
        ]

    def _with_a_clock(self) -> list[str]:
        own = self._node.get_fully_qualified_name()
        found = self._node.get_publishers_info_by_topic(self._clock_topic)
        publishers = Counter(_full(each.node_name, each.node_namespace) for each in found)
        publishers[own] -= 1
        topic = self._clock_topic
        return [
            f'{name} also publishes {topic}: the time jumps for subscribers; stop one of them, or'
            f' move one to another topic (--ros-args -r {topic}:=/other/clock) or ROS_DOMAIN_ID'
            for name, count in publishers.items()
            if count > 0
        ]

    def _with_other_types(self) -> Iterator[str]:
        """Yields a warning for each node that misreads messages of this node, or vice versa.

        The middleware compares only the names of types. Type hashes show whether their definitions
        differ; Humble has no type hashes, so this method yields nothing there.
        """
        node, namespace = self._node, self._node.get_namespace()
        names = node.get_name(), name_of_actions(node.get_name())
        own = [name for name in names if _full(name, namespace) in self._nodes]
        topics: dict[str, list[str]] = {}
        for name in own:
            topics |= node.get_publisher_names_and_types_by_node(name, namespace)
            topics |= node.get_subscriber_names_and_types_by_node(name, namespace)
        for topic, (kind, *_) in topics.items():
            hashes = self._hashes(topic, kind)
            ours = set().union(*(hashes.pop(_full(name, namespace), set()) for name in own))
            for other in sorted(each for each, values in hashes.items() if ours and values - ours):
                yield (
                    f'{other} and this server have different versions of {kind} on {topic},'
                    ' probably from different ROS distributions: each misreads the messages of the'
                    f' other; use one release of {kind.split("/")[0]} for both'
                )

    def _hashes(self, topic: str, kind: str) -> dict[str, set[str]]:
        """Returns the known hashes of a type on a topic, by node."""
        found: dict[str, set[str]] = {}
        publishers = self._node.get_publishers_info_by_topic(topic)
        for end in (*publishers, *self._node.get_subscriptions_info_by_topic(topic)):
            known = getattr(end, 'topic_type_hash', None)
            if end.topic_type == kind and known is not None and known.version > 0:
                node = _full(end.node_name, end.node_namespace)
                found.setdefault(node, set()).add(str(known))
        return found


def _full(name: str, namespace: str) -> str:
    return f'{namespace.rstrip("/")}/{name}'
