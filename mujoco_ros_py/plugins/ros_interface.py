"""ROS as plugins use it; the room `ros` implements it.

Nothing here imports ROS. The types of services and actions are `Any`, as their parts (`Request`,
`Goal`, `Result`) cannot be told from them without rclpy's own types.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from ..messages import StructPublisher
from .ros_entities import (
    ActionServer,
    CompiledPublisher,
    CompiledSubscription,
    GoalHandle,
    Inbox,
    MessageT,
    Publisher,
    Service,
    Subscription,
    Timer,
)

if TYPE_CHECKING:
    from rclpy.qos import QoSProfile


class Ros(Protocol):
    """ROS for one plugin: all that it creates is destroyed when the plugin is unloaded.

    The methods are those of rclpy's `Node`, with the same arguments in the same order. What
    compiled code fills or reads has methods of its own.

    A name that begins with `~/` is the plugin's own, as for the controllers of ros2_control:
    `~/target` of a plugin `arm` is `arm/target` in the namespace of the node, or in that of the
    plugin's group, in which all relative names are. Callbacks run on a thread of the plugin, one
    after the other, and hold up neither the server nor other plugins. A callback that raises takes
    the plugin out.

    `qos` is the depth of the queue, or a QoSProfile of rclpy.

    In a session without ROS, and for a type of `ros_type` whose package is not installed, each
    method checks its arguments, does nothing, and returns an object that can be used as ever:
    nothing is sent, and nothing comes. One sentence in the log names what the plugin is without.
    """

    def create_publisher(
        self, msg_type: type[MessageT], topic: str, qos: QoSProfile | int = 10
    ) -> Publisher[MessageT]:
        """Creates a publisher."""

    def create_subscription(
        self,
        msg_type: type[MessageT],
        topic: str,
        callback: Callable[[MessageT], object],
        qos: QoSProfile | int = 10,
    ) -> Subscription:
        """Calls `callback(message)` with each message, or with the newest if it is too slow."""

    def create_service(
        self, srv_type: Any, name: str, callback: Callable[[Any, Any], Any]
    ) -> Service:
        """Offers a service.

        `callback(request, response)` returns the response, or a `concurrent.futures.Future` of it
        if it has to wait, for a command to the simulation for example.
        """

    def create_timer(self, period_s: float, callback: Callable[[], object]) -> Timer:
        """Calls `callback()` once in each period of wall time."""

    def create_action_server(
        self,
        action_type: Any,
        name: str,
        execute_callback: Callable[[GoalHandle], Any],
        *,
        goal_callback: Callable[[Any], bool | Enum] | None = None,
        cancel_callback: Callable[[GoalHandle], bool | Enum] | None = None,
    ) -> ActionServer:
        """Offers an action.

        `execute_callback(goal)` is called with rclpy's goal handle, on a thread for this goal
        alone, and returns the result; it may take as long as it needs. It ends the goal by
        `goal.succeed()`, `goal.abort()` or `goal.canceled()`; if it calls none of them and returns
        a result, the goal has succeeded. `goal_callback(request)` returns whether a requested goal
        is accepted; by default each is. `cancel_callback(goal)` is called with the goal handle and
        returns whether the goal may be cancelled; by default each may. Both answer by a bool, or
        by rclpy's `GoalResponse` and `CancelResponse`.

        When the plugin fails or is unloaded, `goal.is_cancel_requested` is true, and
        `goal.canceled()` aborts the goal. The client gets the result that `execute_callback`
        returns, or an empty one if it has not returned within 5 s.
        """

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
    ) -> CompiledPublisher[MessageT]:
        """Publishes what a function marked `@compiled` fills, without the GIL, beside the physics.

        `fill(state, model, data, message)` is called `rate_hz` times per second of simulated time.
        `message` has the fields of the type; it begins as `template`, which sets its texts and the
        lengths of its sequences, and keeps what `fill` wrote last. A function that returns False
        has no message sent this time. The stamp of the header is that of the moment. `data` is a
        copy of the moment: with `derived='state'` positions, velocities, controls and time are
        those after the step; with `'poses'` also poses and velocities of bodies, sites and
        cameras; with `'sensors'` all, at the cost of a forward pass.

        `state` is a record made by `new_state`, usually `self.state`: the function gets a copy of
        it as it was in that moment. Without `copy_state` it gets the record itself, into which no
        callback of the physics should write. With `thread` the function may take as long as it
        needs. With `only_heard` it is not called while nobody subscribes.
        """

    def create_compiled_subscription(
        self,
        msg_type: type[MessageT],
        topic: str,
        callback: Callable[..., object],
        qos: QoSProfile | int = 10,
        *,
        state: Any = None,
    ) -> CompiledSubscription:
        """Has a function marked `@compiled` read each message on the physics thread.

        `callback(state, model, data, message)` is called without the GIL at the head of the next
        step, with the record `state` itself. What has come by then is read before a reset, or
        before a state is restored, so that it belongs to the time before. The function must not
        keep the message.
        """

    def create_struct_publisher(
        self, msg_type: type[MessageT], topic: str, qos: QoSProfile | int = 10
    ) -> StructPublisher:
        """Creates a `messages.StructPublisher`, whose message Python fills in memory."""

    def resolve_topic_name(self, topic: str) -> str:
        """Returns the full name of a topic, as the other methods resolve it, after remapping."""

    def need_clock(self, rate_hz: float) -> None:
        """Has /clock published at least so many times per second of simulated time.

        A plugin calls this for a program that is driven by the clock, such as a controller
        manager: `clock_rate` counts in wall time, and may be too low for it. The time is published
        at the multiples of 1 / `rate_hz` of simulated time, as the messages of compiled publishers
        are. Raises PluginError if `rate_hz` is not positive.
        """

    @property
    def inbox(self) -> Inbox:
        """Gives messages to the plugin's subscriptions that come from no topic."""
