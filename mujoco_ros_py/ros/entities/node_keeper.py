"""Operations on the shared node that are reserved for the server."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..parameters.qos_overrides import SUBSCRIPTION
from ..rclpy_internals import silent_subscription
from .action_node import ActionNode
from .shared_node import SharedNode
from .topic_endpoints import TopicEndpoints


class NodeKeeper:
    """Creates the node, and owns its topics, its actions and its thread.

    These operations are not on the node itself, because plugins can use all its public methods.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Creates the node; the arguments are those of rclpy's Node."""
        self.spinning: threading.Thread | None = None
        """The thread of the executor while it runs, else None."""
        self.topics = TopicEndpoints(self.soon)
        """The QoS of topics, with its overrides."""
        self._actions: ActionNode | None = None
        self._making = threading.Lock()
        self.node = SharedNode(self, *arguments, **options)
        self.topics.begin(self.node)

    @property
    def actions(self) -> ActionNode:
        """The node for the actions of plugins, created at the first access."""
        with self._making:
            if self._actions is None:
                self._actions = ActionNode(self.node)
            return self._actions

    def create_silent_subscription(self, msg_type: Any, topic: str, qos: Any) -> Any:
        """Creates a subscription for compiled code and returns its handle; no executor serves it.

        The caller destroys it with `destroy_silent_subscription`.
        """
        endpoint = self.topics.endpoint(SUBSCRIPTION, topic, qos)
        handle = silent_subscription(self.node, msg_type, topic, endpoint.qos)
        self.topics.created(endpoint, handle)
        return handle

    def destroy_silent_subscription(self, handle: Any) -> bool:
        """Destroys the subscription of a handle once nothing uses it, and returns True."""

        def destroy(handle: Any) -> bool:
            handle.destroy_when_not_in_use()
            return True

        return self.destroy_endpoint(destroy, handle)

    def soon(self, function: Callable[[], Any]) -> None:
        """Calls the function on the executor's thread, between two callbacks."""
        self.destroy_soon(lambda _: bool(function()), None)

    def destroy_soon(self, destroy: Callable[[Any], bool], entity: Any) -> bool:
        """Calls `destroy(entity)` on the executor's thread, between two callbacks.

        Returns True, or the result of the call if it runs immediately.
        """
        thread = self.spinning
        if thread in (None, threading.current_thread()) or self.node.executor is None:
            return destroy(entity)
        self.node.executor.create_task(destroy, entity)
        return True

    def destroy_endpoint(self, destroy: Callable[[Any], bool], entity: Any) -> bool:
        """Calls `destroy_soon` for a publisher or subscription, and removes its QoS parameters."""

        def destroy_it(entity: Any) -> bool:
            self.topics.destroyed(entity)
            return destroy(entity)

        return self.destroy_soon(destroy_it, entity)

    def close(self) -> None:
        """Closes everything that belongs to the node, which is about to be destroyed."""
        self.spinning = None
        self.topics.close()
        if self._actions is not None:
            self._actions.close()
