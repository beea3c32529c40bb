"""The connection of a session's plugins to the server's node."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...engine import CRASHES, LOOP, MESSAGES, prepare
from ...plugins.host import AbsentParts, UnconnectedRos
from ...simulation import MessageExchange, Owner
from .compiled_topics import CompiledTopics
from .node_keeper import NodeKeeper
from .plugin_ros import PluginRos


class NodeConnection:
    """Connects the plugins of a session to the server's node."""

    def __init__(
        self,
        keeper: NodeKeeper,
        *,
        by_rcl: bool = True,
        lockstep_topics: Iterable[str] = (),
    ) -> None:
        """`by_rcl` and `lockstep_topics` are passed to `CompiledTopics`, which explains them."""
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
        """Creates the `Ros` of the plugin `name`; relative topic names are below `namespace`."""
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
            self._keeper, name, namespace, owner, compiled, exchange, unconnected,
            boundscheck=boundscheck,
        )  # fmt: skip
