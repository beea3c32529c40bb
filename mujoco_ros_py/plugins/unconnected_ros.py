"""ROS for a plugin where there is no ROS, or for what has a type that is not installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import ConfigError, PluginError
from ..messages import StructPublisher
from ..simulation import MessageExchange, Owner
from .absent_parts import AbsentParts
from .reading import Reading, check_filling, check_rate, derived_of
from .ros_types import MissingType, missing_package

_OWN = '~/'


class UnconnectedRos:
    """Implements `Ros`: nothing is sent and nothing comes, but what is published can be read.

    It is false. What a plugin asks of it is noted as absent.
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
        """`ros_is_there` tells that only types are missing, which `absent` then names."""
        self._name, self._namespace = name, namespace
        self._owner, self._exchange, self._absent = owner, exchange, absent
        self._boundscheck, self._ros_is_there = boundscheck, ros_is_there

    def __bool__(self) -> bool:
        return False

    def publish(
        self, kind: Any, topic: str, qos: Any = 10, *, fill: Any = None, **options: Any
    ) -> UnconnectedPublisher:
        """Returns a publisher that publishes nowhere, and can be read if it has a `fill`."""
        name = self._noted(kind, 'topic', topic)
        if fill is None and not options:
            return UnconnectedPublisher(name)
        made = UnconnectedPublisher(name, self._reading(kind, name, fill, **options))
        self._owner.on_close(made.close)
        return made

    def publish_struct(self, kind: Any, topic: str, qos: Any = 10) -> StructPublisher:
        """Returns a publisher that publishes nowhere. Raises PluginError for a missing type."""
        if isinstance(kind, MissingType):
            kind()
        return StructPublisher(None, kind, self._noted(kind, 'topic', topic), qos)

    def subscribe(
        self, kind: Any, topic: str, function: Any, qos: Any = 10, *, state: Any = None
    ) -> Unconnected:
        """Returns a subscription to which nothing comes."""
        return Unconnected(self._noted(kind, 'topic', topic))

    def serve(self, kind: Any, name: str, function: Callable[[Any, Any], Any]) -> Unconnected:
        """Offers nothing."""
        return Unconnected(self._noted(kind, 'service', name))

    def act(
        self, kind: Any, name: str, execute: Callable[[Any], Any], **functions: Any
    ) -> Unconnected:
        """Offers nothing."""
        return Unconnected(self._noted(kind, 'action', name))

    @property
    def subscribed(self) -> Mapping[str, str]:
        """No types, as nothing comes."""
        return {}

    def deliver(self, topic: str, fields: Mapping[str, Any]) -> None:
        """Raises ConfigError, as no message can be made."""
        raise ConfigError(f'topic {self.full_name(topic)} needs ROS')

    def give(self, topic: str, message: bytes) -> None:
        """Raises ConfigError, as no message can be read."""
        raise ConfigError(f'topic {topic} needs ROS')

    def every(self, period_s: float, function: Callable[[], object]) -> Unconnected:
        """Calls nothing."""
        self._absent.lacks_ros('timer', f'of {period_s:g} s')
        return Unconnected('')

    def need_clock(self, rate_hz: float) -> None:
        """Does nothing, as there is no clock. Raises PluginError if `rate_hz` is not positive."""
        check_rate('the clock', rate_hz)

    def full_name(self, topic: str) -> str:
        """Returns the full name that a topic would have."""
        if topic.startswith(_OWN):
            topic = f'{self._name}/{topic.removeprefix(_OWN)}'
        elif self._namespace and not topic.startswith('/'):
            topic = f'{self._namespace}/{topic}'
        return topic if topic.startswith('/') else f'/{topic}'

    def _reading(
        self,
        kind: Any,
        topic: str,
        fill: Any,
        *,
        rate_hz: float = 0.0,
        template: Any = None,
        state: Any = None,
        derived: str = 'state',
        **_: Any,
    ) -> Reading:
        """Makes what fills the messages of a topic. Raises PluginError for wrong arguments."""
        check_filling(kind, topic, fill, rate_hz, template)
        return Reading(
            self._exchange, self._owner, kind, topic, fill, template=template, state=state,
            derived=derived_of(topic, derived), boundscheck=self._boundscheck,
        )  # fmt: skip

    def _noted(self, kind: Any, what: str, name: str) -> str:
        """Notes something as absent, and returns its full name."""
        full = self.full_name(name)
        if not self._ros_is_there:
            self._absent.lacks_ros(what, full)
        elif package := missing_package(kind):
            self._absent.lacks_package(package, what, full)
        return full


class Unconnected:
    """A subscription, service, action or timer without ROS."""

    published = taken = subscribers = publishers = errors = 0
    cost_ns = 0.0

    def __init__(self, topic_name: str) -> None:
        self.topic_name = topic_name
        """The full name that it would have."""

    def close(self) -> None:
        """Does nothing."""

    def destroy(self) -> None:
        """Does nothing, as `close`."""

    def cancel(self) -> None:
        """Does nothing, as `close`."""


class UnconnectedPublisher(Unconnected):
    """A publisher without ROS, whose messages are filled when they are read."""

    def __init__(self, topic_name: str, reading: Reading | None = None) -> None:
        super().__init__(topic_name)
        self._reading = reading

    def publish(self, message: Any) -> None:
        """Does nothing."""

    def get_subscription_count(self) -> int:
        """Returns 0."""
        return 0

    def read(self, state_of: Callable[[], Any] | None = None) -> Any:
        """Returns the message of this moment, as `Ros.publish` describes it."""
        if self._reading is None:
            raise PluginError(f'{self.topic_name} has no fill, and so nothing can be read')
        return self._reading.read(state_of)

    def replace(self, *, template: Any, state: Any) -> None:
        """Goes on with another template and another state."""
        if self._reading is not None:
            self._reading.replace(template, state)

    def close(self) -> None:
        """Frees what reading has needed."""
        if self._reading is not None:
            self._reading.close()
