"""The objects that `Ros` creates: publishers, subscriptions, services, timers, action servers.

With ROS these are rclpy objects, or objects of the room `ros` if compiled code fills or reads the
messages. Without ROS they do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

MessageT = TypeVar('MessageT')
MessageT_contra = TypeVar('MessageT_contra', contravariant=True)


class Publisher(Protocol[MessageT_contra]):
    """Publishes messages of one type, like an rclpy publisher."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""

    def publish(self, message: MessageT_contra, /) -> None:
        """Publishes a message."""

    def get_subscription_count(self) -> int:
        """Returns the number of subscribers to the topic."""


class Subscription(Protocol):
    """Calls a function with each message of a topic."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""


class Service(Protocol):
    """Responds to the requests of clients."""

    @property
    def srv_name(self) -> str:
        """The full name of the service."""


class Timer(Protocol):
    """Calls a function periodically."""

    def cancel(self) -> None:
        """Stops the calls."""


class GoalHandle(Protocol):
    """A goal that is being executed; has the interface of rclpy's goal handle."""

    @property
    def request(self) -> Any:
        """The goal message."""

    @property
    def is_cancel_requested(self) -> bool:
        """Whether the goal should end because its client cancelled it or its plugin ended."""

    def publish_feedback(self, feedback: Any) -> None:
        """Publishes a `Feedback` message of the action type."""

    def succeed(self) -> None:
        """Ends the goal as succeeded, unless it has already ended."""

    def abort(self) -> None:
        """Ends the goal as aborted, unless it has already ended."""

    def canceled(self) -> None:
        """Ends the goal as cancelled, unless it has already ended."""


class ActionServer(Protocol):
    """Accepts and executes the goals of clients."""

    def destroy(self) -> None:
        """Withdraws the action."""


class CompiledPublisher(Protocol[MessageT]):
    """Publishes messages that compiled code fills."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""

    @property
    def published(self) -> int:
        """The number of messages published so far."""

    @property
    def errors(self) -> int:
        """The number of messages that the middleware refused."""

    @property
    def subscribers(self) -> int:
        """The number of subscribers to the topic."""

    @property
    def cost_ns(self) -> float:
        """The mean time in ns to fill a message, excluding the time to send it."""

    def read(self, state_of: Callable[[], Any] | None = None) -> MessageT | None:
        """Returns the current message, with or without ROS; None if `fill` skips it.

        Calls `fill` once, with a copy of the publisher's state, or of the record that `state_of()`
        returns on the physics thread. Any thread may call this; in a batch, only between two
        steps. Raises PluginError if `fill` raises, or if the plugin has failed or is unloaded.
        """

    def replace(self, *, template: MessageT | None, state: Any) -> None:
        """Switches to a new template and state, and keeps the publishing schedule.

        Call this when the model has changed. Messages for times before the call still use the old
        template and state. If the new state has another type, the function is recompiled.
        """

    def close(self) -> None:
        """Stops publishing."""


class CompiledSubscription(Protocol):
    """Passes the messages of a topic to compiled code."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""

    @property
    def taken(self) -> int:
        """The number of messages read so far."""

    @property
    def publishers(self) -> int:
        """The number of publishers on the topic."""

    def close(self) -> None:
        """Stops reading."""


class MessageFilter(Protocol):
    """Holds back messages of one topic, as a compiled function decides.

    Use it between two steps, on the physics thread, except where a member says otherwise.
    """

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""

    @property
    def held(self) -> int:
        """The number of messages held back at present. Any thread may read it."""

    @property
    def passed(self) -> int:
        """The number of messages since the last `clear`. Any thread may read it."""

    @property
    def lost(self) -> int:
        """The number of dropped messages. Any thread may read it."""

    def clear(self) -> None:
        """Drops the held messages, and counts messages from 0 again."""

    def save(self) -> list[Any]:
        """Returns the held messages as plain values, for the plugin's saved state."""

    def check_saved(self, saved: Any) -> None:
        """Raises ConfigError unless `restore` can use `saved`; for `Savable.check_saved`."""

    def restore(self, saved: Sequence[Any]) -> None:
        """Replaces the held messages with saved ones."""

    def close(self) -> None:
        """Drops the held messages; later messages pass unchanged."""


class Inbox(Protocol):
    """Injects messages into a plugin's subscriptions, for the replay of a recording or for a test.

    An injected message is not published on the topic: only this plugin receives it. Without ROS a
    plugin has no subscriptions.
    """

    @property
    def types(self) -> Mapping[str, str]:
        """The type of each subscription, such as `std_msgs/msg/Bool`, by full topic name."""

    def give(self, topic: str, message: bytes) -> None:
        """Injects a serialized message, and returns at once.

        The message is read between the next two steps or soon after. `topic` must be a key of
        `types`. The physics thread may call this.
        """

    def deliver(self, topic: str, fields: Mapping[str, Any]) -> None:
        """Injects a message with these fields, and returns when the plugin has read it.

        `topic` can be empty if the plugin has exactly one subscription. The physics thread must
        not call this. Raises ConfigError for an unknown topic or field.
        """
