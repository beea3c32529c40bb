"""ROS as plugins use it; the room `ros` implements it, and a session without ROS has `NoRos`.

Nothing here imports ROS: the types of messages, services and actions are `Any`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from ..errors import PluginError
from ..messages import StructPublisher
from ..simulation import MessageExchange, Owner
from .absent_parts import AbsentParts
from .unconnected_ros import UnconnectedRos


class Ros(Protocol):
    """ROS for one plugin: all that it creates is destroyed when the plugin is unloaded.

    A name that begins with `~/` is the plugin's own, as for the controllers of ros2_control:
    `~/target` of a plugin `arm` is `arm/target` in the namespace of the node, or in that of the
    plugin's group, in which all relative names are. Callbacks run on a thread of the plugin, one
    after the other, and hold up neither the server nor other plugins. A callback that raises takes
    the plugin out.

    In a session without ROS, and for a type of `ros_type` whose package is not installed, each
    method checks its arguments, does nothing, and returns an object that can be used as ever:
    nothing is sent, and nothing comes. One sentence in the log names what the plugin is without.
    """

    def publish(
        self,
        kind: Any,
        topic: str,
        qos: Any = 10,
        *,
        fill: Any = None,
        rate_hz: float = 0.0,
        template: Any = None,
        state: Any = None,
        derived: str = 'state',
        copy_state: bool = True,
        thread: bool = False,
        only_heard: bool = False,
    ) -> Any:
        """Creates a publisher of messages of a type; `qos` is a depth or an rclpy QoSProfile.

        With `fill`, a function marked `@compiled`, the messages are filled and published without
        the GIL and beside the physics: `fill(state, model, data, message)` is called `rate_hz`
        times per second of simulated time. `message` has the fields of the type; it begins as
        `template`, which sets its texts and the lengths of its sequences, and keeps what `fill`
        wrote last. A function that returns False has no message sent this time. The stamp of the
        header is that of the moment. `data` is a copy of the moment:
        with `derived='state'` positions, velocities, controls and time are those after the step;
        with `'poses'` also poses and velocities of bodies, sites and cameras; with `'sensors'`
        all, at the cost of a forward pass.

        `state` is a record made by `new_state`, usually `self.state`: the function gets a copy of
        it as it was in that moment. Without `copy_state` it gets the record itself, into which no
        callback of the physics should write. With `thread` the function may take as long as it
        needs. With `only_heard` it is not called while nobody subscribes. What is returned has
        `published`, `subscribers`, `close`, and `replace(template=..., state=...)`, by which it
        goes on with others at the same times, as when the model has changed.

        Its `read(state_of=None)` returns the message of this moment, also without ROS: `fill` is
        called once, with a copy of the state, or of the one that `state_of()` returns on the
        physics thread. It returns None if `fill` leaves the message out, and raises PluginError if
        `fill` raises, or the plugin is out. Any thread may call it; in a batch, between two steps.
        """

    def publish_struct(self, kind: Any, topic: str, qos: Any = 10) -> StructPublisher:
        """Creates a `messages.StructPublisher`, whose message Python fills in memory."""

    def subscribe(
        self,
        kind: Any,
        topic: str,
        function: Any,
        qos: Any = 10,
        *,
        state: Any = None,
    ) -> Any:
        """Calls `function(message)` with each message, or with the newest if it is too slow.

        A function marked `@compiled` is called on the physics thread without the GIL, at the head
        of the next step: `function(state, model, data, message)`, with the record `state` itself.
        What has come by then is read before a reset, or before a state is restored, so that it
        belongs to the time before. The function must not keep the message. What is returned for it
        has `taken`, `publishers` and `close`.
        """

    def serve(self, kind: Any, name: str, function: Callable[[Any, Any], Any]) -> Any:
        """Offers a service.

        `function(request, response)` returns the response, or a `concurrent.futures.Future` of it
        if it has to wait, for a command to the simulation for example.
        """

    def act(
        self,
        kind: Any,
        name: str,
        execute: Callable[[Any], Any],
        *,
        accept: Callable[[Any], bool] | None = None,
        cancel: Callable[[Any], bool] | None = None,
    ) -> Any:
        """Offers an action.

        `execute(goal)` is called with rclpy's goal handle, on a thread for this goal alone, and
        returns the result; it may take as long as it needs. It ends the goal by `goal.succeed()`,
        `goal.abort()` or `goal.canceled()`; if it calls none of them and returns a result, the
        goal has succeeded. `accept(goal)` is called with a requested goal and tells whether it is
        accepted; by default each is. `cancel(goal)` is called with the goal handle and tells
        whether the goal may be cancelled; by default each may.

        When the plugin fails or is unloaded, `goal.is_cancel_requested` is true, and
        `goal.canceled()` aborts the goal. The client gets the result that `execute` returns, or an
        empty one if `execute` has not returned within 5 s.
        """

    def deliver(self, topic: str, fields: Mapping[str, Any]) -> None:
        """Gives a message to a subscription of the plugin, and returns when it has been read.

        The message comes from no topic, and nobody else gets it. Without a topic, the plugin must
        have one subscription. The physics thread must not call this. Raises ConfigError for an
        unknown topic or field.
        """

    @property
    def subscribed(self) -> Mapping[str, str]:
        """The types of the plugin's subscriptions, such as `std_msgs/msg/Bool`, by full name."""

    def give(self, topic: str, message: bytes) -> None:
        """Has a serialized message read by a subscription, between the next two steps or soon.

        `topic` is a key of `subscribed`. The physics thread may call this.
        """

    def full_name(self, topic: str) -> str:
        """Returns the full name of a topic, as `publish` and `subscribe` resolve it."""

    def every(self, period_s: float, function: Callable[[], object]) -> Any:
        """Calls the function once in each period of wall time."""

    def need_clock(self, rate_hz: float) -> None:
        """Has /clock published at least so many times per second of simulated time.

        A plugin calls this for a program that is driven by the clock, such as a controller
        manager: `clock_rate` counts in wall time, and may be too low for it. The time is published
        at the multiples of 1 / `rate_hz` of simulated time, as the messages of `publish` are.
        Raises PluginError if `rate_hz` is not positive.
        """


class RosConnection(Protocol):
    """The connection of a session to ROS."""

    @property
    def lockstep_topics(self) -> Sequence[str]:
        """The full names of the topics whose messages a lockstep awaits."""

    @property
    def node(self) -> Any:
        """The ROS node that all plugins share."""

    def for_plugin(
        self,
        name: str,
        owner: Owner,
        exchange: MessageExchange,
        absent: AbsentParts,
        *,
        boundscheck: bool,
        namespace: str = '',
    ) -> Ros:
        """Makes the ROS of a plugin by its name; all that it creates is closed with the owner.

        What it must do without is noted in `absent`. `namespace` is that of the plugin's group, in
        that of the node.
        """


def unanswerable(ros: RosConnection, there: Sequence[str]) -> list[str]:
    """Returns a sentence for each topic of the lockstep that is not `there`: nobody takes it."""
    return [
        f'lockstep_topics: no plugin takes {topic} in compiled code, so that nobody waits for it;'
        f' awaited are: {", ".join(there) or "none"}'
        for topic in ros.lockstep_topics
        if topic not in there
    ]


class NoRos:
    """The missing connection of a session without ROS."""

    lockstep_topics: Sequence[str] = ()

    def __init__(self) -> None:
        self.node: Any = _MissingNode()

    def for_plugin(
        self,
        name: str,
        owner: Owner,
        exchange: MessageExchange,
        absent: AbsentParts,
        *,
        boundscheck: bool,
        namespace: str = '',
    ) -> Ros:
        """Makes the ROS of a plugin by which nothing is sent, and nothing comes."""
        options: dict[str, Any] = {'boundscheck': boundscheck, 'namespace': namespace}
        return UnconnectedRos(name, owner, exchange, absent, **options)


class _MissingNode:
    """Stands in for the node: it is false, and raises PluginError when used."""

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith('__'):
            raise AttributeError(name)
        raise PluginError(f'{name!r} needs ROS, and this session runs without it')
