"""Warns of other nodes that have the name of this one, or publish a clock."""

from __future__ import annotations

import logging
from collections import Counter

from rclpy.clock import Clock, ClockType
from rclpy.node import Node

_log = logging.getLogger(__name__)

_LOOK_S = 1.0


class NeighbourNodes:
    """Looks for such nodes once a second, and warns once of each as long as it is there."""

    def __init__(self, node: Node, clock_topic: str) -> None:
        self._node = node
        self._clock_topic = clock_topic
        self._told: set[str] = set()
        node.create_timer(_LOOK_S, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _look(self) -> None:
        """Looks for other nodes, on the executor's thread."""
        found = {*self._of_the_same_name(), *self._with_a_clock()}
        for warning in sorted(found - self._told):
            _log.warning('%s', warning)
        self._told = found

    def _of_the_same_name(self) -> list[str]:
        own = self._node.get_fully_qualified_name()
        nodes = [_full(*each) for each in self._node.get_node_names_and_namespaces()]
        if nodes.count(own) < 2:
            return []
        return [
            f'another node is called {own}, too: services and parameters reach either of them;'
            ' give one of them another name or namespace (--ros-args -r __ns:=/other)'
        ]

    def _with_a_clock(self) -> list[str]:
        own = self._node.get_fully_qualified_name()
        found = self._node.get_publishers_info_by_topic(self._clock_topic)
        publishers = Counter(_full(each.node_name, each.node_namespace) for each in found)
        publishers[own] -= 1
        topic = self._clock_topic
        return [
            f'{name} publishes {topic}, too: time jumps for whoever uses it; stop one of them, or'
            f' give one another topic (--ros-args -r {topic}:=/other/clock) or ROS_DOMAIN_ID'
            for name, count in publishers.items()
            if count > 0
        ]


def _full(name: str, namespace: str) -> str:
    return f'{namespace.rstrip("/")}/{name}'
