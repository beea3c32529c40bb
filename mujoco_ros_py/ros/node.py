"""The node of the executables: shared by threads and plugins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node

from .owned import owned, owned_parameter_callback, owned_service, owned_waitable


class SharedNode(Node):
    """Knows whose callbacks it has, and destroys between two of them, whoever asks for it.

    What a plugin creates in one of its methods or callbacks belongs to it: a callback that raises
    takes it out. The executor takes stock of the node on its own thread. What another thread
    destroys meanwhile rclpy's events executor keeps, or its stock breaks, and that ends the
    process in the end.
    """

    spinning: threading.Thread | None = None
    """The executor's thread, while it runs."""

    def create_subscription(
        self, msg_type: Any, topic: str, callback: Any, *arguments: Any, **options: Any
    ) -> Any:
        """As rclpy does."""
        callback = owned(callback, f'topic {topic}')
        return super().create_subscription(msg_type, topic, callback, *arguments, **options)

    def create_timer(
        self, timer_period_sec: float, callback: Any, *arguments: Any, **options: Any
    ) -> Any:
        """As rclpy does."""
        callback = owned(callback, f'timer of {timer_period_sec:g} s')
        return super().create_timer(timer_period_sec, callback, *arguments, **options)

    def create_service(
        self, srv_type: Any, srv_name: str, callback: Any, *arguments: Any, **options: Any
    ) -> Any:
        """As rclpy does; it is offered no longer than its plugin is in."""
        callback, owner = owned_service(callback, srv_type, srv_name)
        service = super().create_service(srv_type, srv_name, callback, *arguments, **options)
        if owner is not None:
            owner.on_close(lambda: self.destroy_service(service))
        return service

    def add_waitable(self, waitable: Any) -> None:
        """As rclpy does: what actions consist of."""
        owned_waitable(waitable)
        super().add_waitable(waitable)

    def add_on_set_parameters_callback(self, callback: Any) -> None:
        """As rclpy does."""
        yes = SetParametersResult(successful=True)
        super().add_on_set_parameters_callback(owned_parameter_callback(callback, lambda _: yes))

    def add_pre_set_parameters_callback(self, callback: Any) -> None:
        """As rclpy does."""
        unchanged = owned_parameter_callback(callback, lambda parameters: parameters)
        super().add_pre_set_parameters_callback(unchanged)

    def add_post_set_parameters_callback(self, callback: Any) -> None:
        """As rclpy does."""
        nothing = owned_parameter_callback(callback, lambda _: None)
        super().add_post_set_parameters_callback(nothing)

    def destroy_publisher(self, publisher: Any) -> bool:
        """Destroys it soon, between two callbacks, and returns True."""
        return self._soon(super().destroy_publisher, publisher)

    def destroy_subscription(self, subscription: Any) -> bool:
        """Destroys it soon, between two callbacks, and returns True."""
        return self._soon(super().destroy_subscription, subscription)

    def destroy_service(self, service: Any) -> bool:
        """Destroys it soon, between two callbacks, and returns True."""
        return self._soon(super().destroy_service, service)

    def destroy_client(self, client: Any) -> bool:
        """Destroys it soon, between two callbacks, and returns True."""
        return self._soon(super().destroy_client, client)

    def destroy_timer(self, timer: Any) -> bool:
        """Destroys it soon, between two callbacks, and returns True."""
        return self._soon(super().destroy_timer, timer)

    def destroy_guard_condition(self, guard: Any) -> bool:
        """Destroys it soon, between two callbacks, and returns True."""
        return self._soon(super().destroy_guard_condition, guard)

    def _soon(self, destroy: Callable[[Any], bool], entity: Any) -> bool:
        thread, executor = self.spinning, self.executor
        if executor is None or thread in (None, threading.current_thread()):
            return destroy(entity)
        executor.create_task(destroy, entity)
        return True
