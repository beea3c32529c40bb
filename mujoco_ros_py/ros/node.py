"""The node of the executables: what is on it may be destroyed from any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from rclpy.node import Node


class SharedNode(Node):
    """Destroys between two callbacks of the executor, whoever asks for it.

    The executor takes stock of the node on its own thread. What another thread destroys meanwhile
    rclpy's events executor keeps, or its stock breaks, and that ends the process in the end.
    """

    spinning: threading.Thread | None = None
    """The executor's thread, while it runs."""

    def destroy_publisher(self, publisher: Any) -> bool:
        """As all of these: soon, and True."""
        return self._soon(super().destroy_publisher, publisher)

    def destroy_subscription(self, subscription: Any) -> bool:
        """Likewise."""
        return self._soon(super().destroy_subscription, subscription)

    def destroy_service(self, service: Any) -> bool:
        """Likewise."""
        return self._soon(super().destroy_service, service)

    def destroy_client(self, client: Any) -> bool:
        """Likewise."""
        return self._soon(super().destroy_client, client)

    def destroy_timer(self, timer: Any) -> bool:
        """Likewise."""
        return self._soon(super().destroy_timer, timer)

    def destroy_guard_condition(self, guard: Any) -> bool:
        """Likewise."""
        return self._soon(super().destroy_guard_condition, guard)

    def _soon(self, destroy: Callable[[Any], bool], entity: Any) -> bool:
        thread, executor = self.spinning, self.executor
        if executor is None or thread in (None, threading.current_thread()):
            return destroy(entity)
        executor.create_task(destroy, entity)
        return True
