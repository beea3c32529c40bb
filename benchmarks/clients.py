"""A client of services."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from std_srvs.srv import Trigger

_TIMEOUT_S = 60.0


class Client:
    """A node that calls services, and is spun by its caller, like a controller script."""

    def __init__(self) -> None:
        rclpy.init()
        self.node = Node('benchmark')
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._clients: dict[str, Any] = {}

    def call(self, kind: Any, name: str, **fields: Any) -> Any:
        """Calls a service, and returns the response."""
        if name not in self._clients:
            self._clients[name] = self.node.create_client(kind, name)
            if not self._clients[name].wait_for_service(_TIMEOUT_S):
                raise TimeoutError(f'{name} does not appear')
        future = self._clients[name].call_async(kind.Request(**fields))
        self._executor.spin_until_future_complete(future, _TIMEOUT_S)
        return future.result()

    def spin(self, duration_s: float) -> None:
        """Spins for some time."""
        end = time.monotonic() + duration_s
        while (left := end - time.monotonic()) > 0:
            self._executor.spin_once(left)

    def wait_until_loaded(self, node: str = 'mujoco_server') -> None:
        """Waits until the server has loaded its model, and resets the simulation."""
        while not self.call(Trigger, f'/{node}/reset').success:
            self.spin(0.05)

    def close(self) -> None:
        """Destroys the node."""
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown()


@contextmanager
def client() -> Iterator[Client]:
    """Yields a client; destroys it afterwards."""
    with closing(Client()) as made:
        yield made
