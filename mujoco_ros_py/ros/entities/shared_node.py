"""The node of the server, which threads and plugins share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ..parameters.qos_overrides import PUBLISHER, SUBSCRIPTION
from ..rclpy_internals import event_handlers
from ..services.response_sender import ResponseSender
from .callback_group import ForgettingCallbackGroup
from .parameter_node import ParameterNode
from .plugin_callbacks import current_owner, owned, owned_events, owned_waitable, refuse_coroutine
from .plugin_services import REQUESTS, defer

if TYPE_CHECKING:
    from .node_keeper import NodeKeeper


class SharedNode(ParameterNode):
    """A node that knows which plugin owns an entity, and destroys entities between callbacks.

    An entity that a plugin creates in one of its methods or callbacks belongs to the plugin. Its
    callbacks run on the plugin's thread, an error in them fails the plugin, and the entity is
    destroyed when the plugin is unloaded.

    Entities are always destroyed on the executor's thread. rclpy's events executor iterates over
    the node's entities there; if another thread destroyed an entity at the same time, the entity
    would stay in the executor or crash the process.

    The parameters `qos_overrides.*` override the quality of service of every topic, except topics
    that rclpy creates with the node and entities that are created with `qos_overriding_options`.

    Plugins use this object, so it has no public names besides those of rclpy's Node.
    """

    def __init__(self, keeper: NodeKeeper, *arguments: Any, **options: Any) -> None:
        self._keeper = keeper
        super().__init__(*arguments, **options)

    @cached_property
    def default_callback_group(self) -> ForgettingCallbackGroup:
        """The callback group of entities that are created without a group."""
        return ForgettingCallbackGroup()

    @cached_property
    def _answers(self) -> ResponseSender:
        """Sends the responses of plugins' services."""
        return ResponseSender()

    def create_publisher(self, msg_type: Any, topic: str, qos_profile: Any, **more: Any) -> Any:
        """Creates a publisher as rclpy does."""
        more['event_callbacks'] = owned_events(more.get('event_callbacks'))
        endpoint = self._keeper.topics.endpoint(PUBLISHER, topic, qos_profile, more)
        publisher = super().create_publisher(msg_type, topic, endpoint.qos, **more)
        self._keeper.topics.created(endpoint, publisher)
        return self._at_the_end(publisher, self.destroy_publisher)

    def create_client(self, *arguments: Any, **options: Any) -> Any:
        """Creates a client as rclpy does."""
        return self._at_the_end(super().create_client(*arguments, **options), self.destroy_client)

    def create_subscription(
        self, msg_type: Any, topic: str, callback: Any, qos_profile: Any, **more: Any
    ) -> Any:
        """Creates a subscription as rclpy does."""
        more['event_callbacks'] = owned_events(more.get('event_callbacks'))
        endpoint = self._keeper.topics.endpoint(SUBSCRIPTION, topic, qos_profile, more)
        called = owned(callback, f'topic {topic}', endpoint.depth)
        subscription = super().create_subscription(msg_type, topic, called, endpoint.qos, **more)
        self._keeper.topics.created(endpoint, subscription)
        return self._when_out(subscription, self.destroy_subscription)

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
        """Creates a rate as rclpy does; a thread that sleeps on it wakes when the plugin ends."""
        return self._when_out(super().create_rate(*arguments, **options), self.destroy_rate)

    def create_service(
        self, srv_type: Any, srv_name: str, callback: Any, *arguments: Any, **options: Any
    ) -> Any:
        """Creates a service as rclpy does; a plugin's callback can return a future."""
        owner = current_owner()
        if owner is not None:
            refuse_coroutine(callback, f'service {srv_name}')
        options.setdefault('qos_profile', REQUESTS)
        service = super().create_service(srv_type, srv_name, callback, *arguments, **options)
        if owner is not None:
            defer(service, callback, owner, self._answers)
        return self._when_out(service, self.destroy_service)

    def add_waitable(self, waitable: Any) -> None:
        """Adds a topic's event handlers as rclpy does, and action clients to the action node."""
        if isinstance(waitable, event_handlers()):
            owned_waitable(waitable)
            super().add_waitable(waitable)
        else:
            self._keeper.actions.add_client(waitable)

    def remove_waitable(self, waitable: Any) -> None:
        """Removes a waitable that `add_waitable` added."""
        if isinstance(waitable, event_handlers()):
            super().remove_waitable(waitable)
        else:
            self._keeper.actions.remove_client(waitable)

    def destroy_node(self) -> None:
        """Destroys the node with all its entities at once."""
        self._keeper.close()
        super().destroy_node()

    def destroy_publisher(self, publisher: Any) -> bool:
        """Destroys a publisher soon, between two callbacks, and returns True."""
        return self._keeper.destroy_endpoint(super().destroy_publisher, publisher)

    def destroy_subscription(self, subscription: Any) -> bool:
        """Destroys a subscription soon, between two callbacks, and returns True."""
        return self._keeper.destroy_endpoint(super().destroy_subscription, subscription)

    def destroy_service(self, service: Any) -> bool:
        """Destroys a service soon, between two callbacks, and returns True."""
        return self._keeper.destroy_soon(super().destroy_service, service)

    def destroy_client(self, client: Any) -> bool:
        """Destroys a client soon, between two callbacks, and returns True."""
        return self._keeper.destroy_soon(super().destroy_client, client)

    def destroy_timer(self, timer: Any) -> bool:
        """Destroys a timer soon, between two callbacks, and returns True."""
        return self._keeper.destroy_soon(super().destroy_timer, timer)

    def destroy_guard_condition(self, guard: Any) -> bool:
        """Destroys a guard condition soon, between two callbacks, and returns True."""
        return self._keeper.destroy_soon(super().destroy_guard_condition, guard)

    def _when_out(self, entity: Any, destroy: Callable[[Any], bool]) -> Any:
        """Registers a receiving entity to be destroyed when its plugin fails or is unloaded."""
        if (owner := current_owner()) is not None:
            owner.on_close(partial(destroy, entity))
        return entity

    def _at_the_end(self, entity: Any, destroy: Callable[[Any], bool]) -> Any:
        """Registers a sending entity to be destroyed when its plugin is unloaded."""
        if (owner := current_owner()) is not None:
            owner.on_end(partial(destroy, entity))
        return entity
