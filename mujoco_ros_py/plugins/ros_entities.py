"""What `Ros` creates for a plugin: publishers, subscriptions, services, timers, action servers.

With ROS these are objects of rclpy, or of the room `ros` where compiled code fills or reads the
messages. Without ROS they do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

MessageT = TypeVar('MessageT')
MessageT_contra = TypeVar('MessageT_contra', contravariant=True)


class Publisher(Protocol[MessageT_contra]):
    """Publishes messages of one type, as rclpy's publishers do."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""

    def publish(self, message: MessageT_contra, /) -> None:
        """Publishes a message."""

    def get_subscription_count(self) -> int:
        """Returns the number of subscribers that the topic has."""


class Subscription(Protocol):
    """Calls a function with the messages of a topic."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""


class Service(Protocol):
    """Answers the requests of clients."""

    @property
    def srv_name(self) -> str:
        """The full name of the service."""


class Timer(Protocol):
    """Calls a function once in each period."""

    def cancel(self) -> None:
        """Ends the calls."""


class GoalHandle(Protocol):
    """A goal that is executed, as rclpy has it."""

    @property
    def request(self) -> Any:
        """The goal."""

    @property
    def is_cancel_requested(self) -> bool:
        """Whether the goal is to end: its client has asked for it, or its plugin has ended."""

    def publish_feedback(self, feedback: Any) -> None:
        """Publishes a message `Feedback` of the type of the action."""

    def succeed(self) -> None:
        """Ends the goal with success, unless it has ended."""

    def abort(self) -> None:
        """Ends the goal with a failure, unless it has ended."""

    def canceled(self) -> None:
        """Ends the goal as cancelled, unless it has ended."""


class ActionServer(Protocol):
    """Takes the goals of clients."""

    def destroy(self) -> None:
        """Offers the action no more."""


class CompiledPublisher(Protocol[MessageT]):
    """Publishes messages that compiled code fills."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""

    @property
    def published(self) -> int:
        """The number of messages that have been published."""

    @property
    def errors(self) -> int:
        """The number of messages that the middleware has refused."""

    @property
    def subscribers(self) -> int:
        """The number of subscribers that the topic has."""

    @property
    def cost_ns(self) -> float:
        """The mean time in ns that the function takes to fill a message, without sending it."""

    def read(self, state_of: Callable[[], Any] | None = None) -> MessageT | None:
        """Returns the message of this moment, also without ROS; None if `fill` leaves it out.

        `fill` is called once, with a copy of the state, or of the one that `state_of()` returns on
        the physics thread. Any thread may call this; in a batch, between two steps. Raises
        PluginError if `fill` raises, or the plugin is out.
        """

    def replace(self, *, template: MessageT | None, state: Any) -> None:
        """Goes on with another template and another state, at the same times as before.

        Call this when the model has changed. Messages of moments that have passed are filled as
        before. A state of another type has the function compiled anew.
        """

    def close(self) -> None:
        """Stops publishing."""


class CompiledSubscription(Protocol):
    """Has compiled code read the messages of a topic."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""

    @property
    def taken(self) -> int:
        """The number of messages that have been read."""

    @property
    def publishers(self) -> int:
        """The number of publishers that the topic has."""

    def close(self) -> None:
        """Stops reading."""


class Inbox(Protocol):
    """Gives messages to the subscriptions of a plugin: those of a recording, or of a test.

    Such a message comes from no topic, and nobody else gets it. Without ROS there are no
    subscriptions.
    """

    @property
    def types(self) -> Mapping[str, str]:
        """The types of the subscriptions, such as `std_msgs/msg/Bool`, by full name."""

    def give(self, topic: str, message: bytes) -> None:
        """Has a serialized message read between the next two steps or soon.

        `topic` is a key of `types`. The physics thread may call this.
        """

    def deliver(self, topic: str, fields: Mapping[str, Any]) -> None:
        """Gives a message with these fields, and returns when it has been read.

        Without a topic, the plugin must have one subscription. The physics thread must not call
        this. Raises ConfigError for an unknown topic or field.
        """
