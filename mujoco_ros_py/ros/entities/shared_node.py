"""The node of the executables, which threads and plugins share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

from rclpy.event_handler import EventHandler

from ..parameters.qos_overrides import PUBLISHER, SUBSCRIPTION
from ..rclpy_internals import silent_subscription
from ..services.response_sender import ResponseSender
from .action_node import ActionNode
from .callback_group import ForgettingCallbackGroup
from .parameter_node import ParameterNode
from .plugin_callbacks import current_owner, owned, owned_events, owned_waitable, refuse_coroutine
from .plugin_services import defer
from .topic_endpoints import Endpoint, TopicEndpoints, plain_endpoint


class SharedNode(ParameterNode):
    """A node that knows which plugin owns an entity, and destroys entities between callbacks.

    An entity that a plugin creates in one of its methods or callbacks belongs to the plugin: its
    callbacks run on the plugin's thread, a fault takes the plugin out, and the entity is destroyed
    when the plugin is unloaded. Entities are destroyed on the executor's thread, whichever thread
    asks for it: rclpy's events executor looks through the entities of the node there, and an
    entity that another thread destroys meanwhile would stay in it, or end the process.

    The parameters `qos_overrides.*` override the quality of service of every topic, except topics
    that rclpy makes with the node, and entities that are created with `qos_overriding_options`.
    """

    spinning: threading.Thread | None = None
    """The thread of the executor while it runs, else None."""
    topics: TopicEndpoints | None = None
    """The quality of service of the topics; None while rclpy makes the node."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._actions: ActionNode | None = None
        self._making = threading.Lock()
        super().__init__(*arguments, **options)
        self.topics = TopicEndpoints(self, self.soon)

    @cached_property
    def default_callback_group(self) -> ForgettingCallbackGroup:
        """The group of entities that are created without one."""
        return ForgettingCallbackGroup()

    @cached_property
    def _answers(self) -> ResponseSender:
        """The sender of the responses of plugins' services."""
        return ResponseSender()

    def create_publisher(self, msg_type: Any, topic: str, qos_profile: Any, **more: Any) -> Any:
        """Creates a publisher as rclpy does."""
        more['event_callbacks'] = owned_events(more.get('event_callbacks'))
        endpoint = self._endpoint(PUBLISHER, topic, qos_profile, more)
        publisher = super().create_publisher(msg_type, topic, endpoint.qos, **more)
        self._created(endpoint, publisher)
        return self._at_the_end(publisher, self.destroy_publisher)

    def create_client(self, *arguments: Any, **options: Any) -> Any:
        """Creates a client as rclpy does."""
        return self._at_the_end(super().create_client(*arguments, **options), self.destroy_client)

    def create_subscription(
        self, msg_type: Any, topic: str, callback: Any, qos_profile: Any, **more: Any
    ) -> Any:
        """Creates a subscription as rclpy does."""
        more['event_callbacks'] = owned_events(more.get('event_callbacks'))
        endpoint = self._endpoint(SUBSCRIPTION, topic, qos_profile, more)
        called = owned(callback, f'topic {topic}', endpoint.depth)
        subscription = super().create_subscription(msg_type, topic, called, endpoint.qos, **more)
        self._created(endpoint, subscription)
        return self._when_out(subscription, self.destroy_subscription)

    def create_silent_subscription(self, msg_type: Any, topic: str, qos: Any) -> Any:
        """Creates a subscription for compiled code, and returns its handle; no executor knows it.

        The caller destroys it by `destroy_silent_subscription`.
        """
        endpoint = self._endpoint(SUBSCRIPTION, topic, qos, {})
        handle = silent_subscription(self, msg_type, topic, endpoint.qos)
        self._created(endpoint, handle)
        return handle

    def destroy_silent_subscription(self, handle: Any) -> bool:
        """Destroys the subscription of a handle as soon as nothing uses it, and returns True."""

        def destroy(handle: Any) -> bool:
            handle.destroy_when_not_in_use()
            return True

        return self._soon(partial(self._destroy, destroy), handle)

    def create_timer(
        self, timer_period_sec: float, callback: Any, *arguments: Any, **options: Any
    ) -> Any:
        """Creates a timer as rclpy does."""
        called = owned(callback, f'timer of {timer_period_sec:g} s', depth=1)
        timer = super().create_timer(timer_period_sec, called, *arguments, **options)
        return self._when_out(timer, self.destroy_timer)

    def create_guard_condition(self, callback: Any, *arguments: Any, **options: Any) -> Any:
        """Creates a guard condition as rclpy does."""
        called = owned(callback, 'guard condition', depth=1)
        guard = super().create_guard_condition(called, *arguments, **options)
        return self._when_out(guard, self.destroy_guard_condition)

    def create_rate(self, *arguments: Any, **options: Any) -> Any:
        """Creates a rate as rclpy does; whoever sleeps by it wakes when the plugin is out."""
        return self._when_out(super().create_rate(*arguments, **options), self.destroy_rate)

    def create_service(
        self, srv_type: Any, srv_name: str, callback: Any, *arguments: Any, **options: Any
    ) -> Any:
        """Creates a service as rclpy does; a plugin's may return a future of the response."""
        owner = current_owner()
        if owner is not None:
            refuse_coroutine(callback, f'service {srv_name}')
        service = super().create_service(srv_type, srv_name, callback, *arguments, **options)
        if owner is not None:
            defer(service, callback, owner, self._answers)
        return self._when_out(service, self.destroy_service)

    @property
    def actions(self) -> ActionNode:
        """The node for the actions of plugins, which the first access makes."""
        with self._making:
            if self._actions is None:
                self._actions = ActionNode(self)
            return self._actions

    def add_waitable(self, waitable: Any) -> None:
        """Adds the events of a topic as rclpy does, and clients of actions to the actions."""
        if isinstance(waitable, EventHandler):
            owned_waitable(waitable)
            super().add_waitable(waitable)
        else:
            self.actions.add_client(waitable)

    def remove_waitable(self, waitable: Any) -> None:
        """Removes what `add_waitable` has added."""
        if isinstance(waitable, EventHandler):
            super().remove_waitable(waitable)
        else:
            self.actions.remove_client(waitable)

    def tell_unused_overrides(self) -> None:
        """Logs the overrides of topics that the node does not have, as they may be misspelt."""
        if self.topics is not None:
            self.topics.tell_unused()

    def destroy_node(self) -> None:
        """Destroys the node with all its entities at once."""
        self.spinning = None
        self.topics = None
        if self._actions is not None:
            self._actions.close()
        super().destroy_node()

    def destroy_publisher(self, publisher: Any) -> bool:
        """Destroys a publisher soon, between two callbacks, and returns True."""
        return self._soon(partial(self._destroy, super().destroy_publisher), publisher)

    def destroy_subscription(self, subscription: Any) -> bool:
        """Destroys a subscription soon, between two callbacks, and returns True."""
        return self._soon(partial(self._destroy, super().destroy_subscription), subscription)

    def destroy_service(self, service: Any) -> bool:
        """Destroys a service soon, between two callbacks, and returns True."""
        return self._soon(super().destroy_service, service)

    def destroy_client(self, client: Any) -> bool:
        """Destroys a client soon, between two callbacks, and returns True."""
        return self._soon(super().destroy_client, client)

    def destroy_timer(self, timer: Any) -> bool:
        """Destroys a timer soon, between two callbacks, and returns True."""
        return self._soon(super().destroy_timer, timer)

    def destroy_guard_condition(self, guard: Any) -> bool:
        """Destroys a guard condition soon, between two callbacks, and returns True."""
        return self._soon(super().destroy_guard_condition, guard)

    def soon(self, function: Callable[[], Any]) -> None:
        """Calls the function between two callbacks of the executor, on its thread."""
        self._soon(lambda _: bool(function()), None)

    def _soon(self, destroy: Callable[[Any], bool], entity: Any) -> bool:
        thread, executor = self.spinning, self.executor
        if executor is None or thread in (None, threading.current_thread()):
            return destroy(entity)
        executor.create_task(destroy, entity)
        return True

    def _destroy(self, destroy: Callable[[Any], bool], entity: Any) -> bool:
        if self.topics is not None:
            self.topics.destroyed(entity)
        return destroy(entity)

    def _endpoint(self, kind: str, topic: str, qos: Any, more: Mapping[str, Any]) -> Endpoint:
        if self.topics is None or 'qos_overriding_options' in more:
            return plain_endpoint(qos)
        return self.topics.endpoint(kind, topic, qos)

    def _created(self, endpoint: Endpoint, entity: Any) -> None:
        if self.topics is not None:
            self.topics.created(endpoint, entity)

    def _when_out(self, entity: Any, destroy: Callable[[Any], bool]) -> Any:
        """Destroys an entity that receives as soon as its plugin fails or is unloaded."""
        if (owner := current_owner()) is not None:
            owner.on_close(partial(destroy, entity))
        return entity

    def _at_the_end(self, entity: Any, destroy: Callable[[Any], bool]) -> Any:
        """Destroys an entity that sends when its plugin is unloaded, even if it failed before."""
        if (owner := current_owner()) is not None:
            owner.on_end(partial(destroy, entity))
        return entity
