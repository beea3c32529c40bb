"""The `Ros` of a plugin without ROS, and for types whose packages are not installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic

from ...engine.messages import StructPublisher
from ...errors import ConfigError
from ...simulation import MessageExchange, Owner
from ..ros_entities import GoalHandle, MessageT
from ..ros_types import MissingType, missing_package
from .absent_parts import AbsentParts
from .reading import (
    Reading,
    check_rate,
    compiled_fill,
    compiled_function,
    derived_of,
    refuse_compiled,
)

if TYPE_CHECKING:
    from rclpy.qos import QoSProfile

_OWN = '~/'


class UnconnectedRos:
    """Implements `Ros` without sending or receiving; published messages can still be read.

    Instances are falsy. Everything that a plugin creates is recorded as missing.
    """

    def __init__(
        self,
        name: str,
        owner: Owner,
        exchange: MessageExchange,
        absent: AbsentParts,
        *,
        boundscheck: bool,
        namespace: str = '',
        ros_is_there: bool = False,
    ) -> None:
        """Set `ros_is_there` if ROS runs and only some message types are missing."""
        self._name, self._namespace = name, namespace
        self._owner, self._exchange, self._absent = owner, exchange, absent
        self._boundscheck, self._ros_is_there = boundscheck, ros_is_there

    def __bool__(self) -> bool:
        return False

    def create_publisher(
        self, msg_type: type[MessageT], topic: str, qos: QoSProfile | int = 10
    ) -> UnconnectedPublisher[MessageT]:
        """Returns a publisher that sends nothing."""
        return UnconnectedPublisher(self._noted(msg_type, 'topic', topic))

    def create_compiled_publisher(
        self,
        msg_type: type[MessageT],
        topic: str,
        fill: Callable[..., object],
        rate_hz: float,
        qos: QoSProfile | int = 10,
        *,
        template: MessageT | None = None,
        state: Any = None,
        derived: str = 'state',
        copy_state: bool = True,
        thread: bool = False,
        only_heard: bool = False,
    ) -> UnconnectedCompiledPublisher[MessageT]:
        """Returns a publisher that sends nothing, but whose message can be read.

        Raises PluginError for invalid arguments.
        """
        name = self._noted(msg_type, 'topic', topic)
        made = UnconnectedCompiledPublisher(
            name,
            Reading(
                self._exchange, self._owner, msg_type, name,
                compiled_fill(msg_type, name, fill, rate_hz, template),
                template=template, state=state,
                derived=derived_of(name, derived), boundscheck=self._boundscheck,
            ),
        )  # fmt: skip
        self._owner.on_close(made.close)
        return made

    def create_struct_publisher(
        self, msg_type: type[Any], topic: str, qos: QoSProfile | int = 10
    ) -> StructPublisher:
        """Returns a publisher that sends nothing. Raises PluginError for a missing type."""
        if isinstance(msg_type, MissingType):
            msg_type()
        return StructPublisher(None, msg_type, self._noted(msg_type, 'topic', topic), qos)

    def create_subscription(
        self,
        msg_type: type[MessageT],
        topic: str,
        callback: Callable[[MessageT], object],
        qos: QoSProfile | int = 10,
    ) -> Unconnected:
        """Returns a subscription that receives nothing."""
        refuse_compiled(topic, callback)
        return Unconnected(self._noted(msg_type, 'topic', topic))

    def create_compiled_subscription(
        self,
        msg_type: type[Any],
        topic: str,
        callback: Callable[..., object],
        qos: QoSProfile | int = 10,
        *,
        state: Any = None,
    ) -> UnconnectedCompiledSubscription:
        """Returns a subscription that receives nothing."""
        compiled_function(topic, 'callback', callback)
        return UnconnectedCompiledSubscription(self._noted(msg_type, 'topic', topic))

    def create_service(
        self, srv_type: Any, name: str, callback: Callable[[Any, Any], Any]
    ) -> Unconnected:
        """Returns a service that receives no requests."""
        return Unconnected(self._noted(srv_type, 'service', name))

    def create_timer(self, period_s: float, callback: Callable[[], object]) -> Unconnected:
        """Returns a timer that never calls the function."""
        self._absent.lacks_ros('timer', f'of {period_s:g} s')
        return Unconnected('')

    def create_action_server(
        self,
        action_type: Any,
        name: str,
        execute_callback: Callable[[GoalHandle], Any],
        *,
        goal_callback: Callable[[Any], bool | Enum] | None = None,
        cancel_callback: Callable[[GoalHandle], bool | Enum] | None = None,
    ) -> Unconnected:
        """Returns an action server that receives no goals."""
        return Unconnected(self._noted(action_type, 'action', name))

    def plugin_topics(self, *, incoming: bool) -> Mapping[str, Any]:
        """Returns an empty mapping."""
        return {}

    def create_message_filter(
        self,
        topic: str,
        decide: Callable[..., object],
        *,
        incoming: bool,
        state: Any = None,
        number: int = 0,
    ) -> UnconnectedFilter:
        """Returns a filter through which no message passes."""
        compiled_function(topic, 'decide', decide)
        return UnconnectedFilter(self._noted(None, 'topic', topic))

    @property
    def inbox(self) -> EmptyInbox:
        """An inbox that refuses all messages, because the plugin has no subscriptions."""
        return EmptyInbox(self.resolve_topic_name)

    def need_clock(self, rate_hz: float) -> None:
        """Checks the rate only. Raises PluginError if `rate_hz` is not positive."""
        check_rate('the clock', rate_hz)

    def resolve_topic_name(self, topic: str) -> str:
        """Returns the full name that the topic would have."""
        if topic.startswith(_OWN):
            topic = f'{self._name}/{topic.removeprefix(_OWN)}'
        elif self._namespace and not topic.startswith('/'):
            topic = f'{self._namespace}/{topic}'
        return topic if topic.startswith('/') else f'/{topic}'

    def _noted(self, ros_type: Any, what: str, name: str) -> str:
        """Records a resource as missing, and returns its full name."""
        full = self.resolve_topic_name(name)
        if not self._ros_is_there:
            self._absent.lacks_ros(what, full)
        elif package := missing_package(ros_type):
            self._absent.lacks_package(package, what, full)
        return full


class Unconnected:
    """A subscription, service, action or timer without ROS."""

    def __init__(self, name: str) -> None:
        self.topic_name = self.srv_name = name
        """The full name that the resource would have."""

    def close(self) -> None:
        """Does nothing."""

    def destroy(self) -> None:
        """Does nothing, like `close`."""

    def cancel(self) -> None:
        """Does nothing, like `close`."""


class UnconnectedPublisher(Unconnected, Generic[MessageT]):
    """A publisher without ROS."""

    def publish(self, message: MessageT, /) -> None:
        """Does nothing."""

    def get_subscription_count(self) -> int:
        """Returns 0."""
        return 0


class UnconnectedCompiledSubscription(Unconnected):
    """A compiled subscription without ROS."""

    taken = publishers = 0


class UnconnectedFilter(Unconnected):
    """A message filter without ROS."""

    held = passed = lost = 0

    def clear(self) -> None:
        """Does nothing."""

    def save(self) -> list[Any]:
        """Returns an empty list."""
        return []

    def check_saved(self, saved: Any) -> None:
        """Does nothing: there are no messages to restore."""

    def restore(self, saved: Sequence[Any]) -> None:
        """Does nothing."""


class UnconnectedCompiledPublisher(Unconnected, Generic[MessageT]):
    """A compiled publisher without ROS; its message is filled when it is read."""

    published = subscribers = errors = 0
    cost_ns = 0.0

    def __init__(self, topic_name: str, reading: Reading[MessageT]) -> None:
        super().__init__(topic_name)
        self._reading = reading

    def read(self, state_of: Callable[[], Any] | None = None) -> MessageT | None:
        """Returns the current message; see `CompiledPublisher.read`."""
        return self._reading.read(state_of)

    def replace(self, *, template: MessageT | None, state: Any) -> None:
        """Switches to another template and state."""
        self._reading.replace(template, state)

    def close(self) -> None:
        """Frees the resources used for reading."""
        self._reading.close()


class EmptyInbox:
    """Implements `Inbox` without ROS."""

    types: Mapping[str, str] = MappingProxyType({})

    def __init__(self, full_name: Callable[[str], str]) -> None:
        self._full_name = full_name

    def give(self, topic: str, message: bytes) -> None:
        """Raises ConfigError, because no subscription can read the message."""
        raise ConfigError(f'topic {topic} needs ROS')

    def deliver(self, topic: str, fields: Mapping[str, Any]) -> None:
        """Raises ConfigError, because no message can be created."""
        raise ConfigError(f'topic {self._full_name(topic)} needs ROS')
