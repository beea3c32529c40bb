"""The ROS interface for plugins; the room `ros` implements it.

Nothing here imports ROS. Service and action types are annotated as `Any`: without rclpy's own
types, type checkers cannot derive their parts (`Request`, `Goal`, `Result`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from ..engine.messages import StructPublisher
from .ros_entities import (
    ActionServer,
    CompiledPublisher,
    CompiledSubscription,
    GoalHandle,
    Inbox,
    MessageFilter,
    MessageT,
    Publisher,
    Service,
    Subscription,
    Timer,
)

if TYPE_CHECKING:
    from rclpy.qos import QoSProfile


class Ros(Protocol):
    """The ROS interface of a plugin; unloading the plugin destroys everything it creates.

    It has the methods of rclpy's `Node`, with the same arguments in the same order. Additional
    methods create publishers and subscriptions that fill or read messages in compiled code.

    A name that begins with `~/` is private to the plugin, as in the controllers of ros2_control:
    `~/target` of a plugin `arm` resolves to `arm/target`. Relative names resolve in the namespace
    of the plugin's group, or of the node if the plugin is in no group.

    Callbacks run one at a time on a thread of the plugin, and block neither the server nor other
    plugins. A callback that raises disables the plugin.

    `qos` is the queue depth or an rclpy QoSProfile.

    In a session without ROS, or for a type from `ros_type` whose package is not installed, each
    method checks its arguments and returns a working object, but nothing is sent or received. The
    log lists the missing topics, services and so on once per plugin.
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
        """Calls `callback(message)` with each message, or only the newest if it is too slow."""

    def create_service(
        self, srv_type: Any, name: str, callback: Callable[[Any, Any], Any]
    ) -> Service:
        """Offers a service.

        `callback(request, response)` returns the response. If it has to wait, for example for a
        simulation command, it returns a `concurrent.futures.Future` of the response instead.
        """

    def create_timer(self, period_s: float, callback: Callable[[], object]) -> Timer:
        """Calls `callback()` once per period of wall time."""

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

        `execute_callback(goal)` receives rclpy's goal handle, on a separate thread for each goal,
        and returns the result. It can take as long as it needs. It ends the goal with
        `goal.succeed()`, `goal.abort()` or `goal.canceled()`; if it calls none of these and
        returns a result, the goal counts as succeeded.

        `goal_callback(request)` returns whether to accept a requested goal; by default all goals
        are accepted. `cancel_callback(goal)` receives the goal handle and returns whether the goal
        can be cancelled; by default all goals can. Both return a bool, or rclpy's `GoalResponse`
        and `CancelResponse`.

        When the plugin fails or is unloaded, `goal.is_cancel_requested` becomes true, and
        `goal.canceled()` aborts the goal. The client receives the result of `execute_callback`, or
        an empty result if the function does not return within 5 s.
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
        """Publishes messages that a `@compiled` function fills, in parallel and without the GIL.

        `fill(state, model, data, message)` is called `rate_hz` times per second of simulated time.
        `message` has the fields of the message type. It starts as a copy of `template`, which sets
        its strings and the lengths of its sequences, and keeps the values that `fill` wrote last.
        If `fill` returns False, no message is sent this time. The stamp in the header is set to
        the time of `data`.

        `data` is a copy of the simulation's data after a step. `derived` selects its contents:

        - `'state'`: positions, velocities, controls and time.
        - `'poses'`: also poses and velocities of bodies, sites and cameras.
        - `'sensors'`: everything, at the cost of a forward pass.

        `state` is a record created by `new_state`, usually `self.state`. The function receives a
        copy of the record, taken at the same moment as `data`. With `copy_state=False` it receives
        the record itself; no physics callback should write to the record then. With `thread=True`
        the function can take as long as it needs. With `only_heard=True` it is not called while
        the topic has no subscribers.
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
        """Calls a `@compiled` function with each message, on the physics thread.

        `callback(state, model, data, message)` is called without the GIL at the start of the next
        step, and receives the record `state` itself. Pending messages are read before a reset or a
        restored state takes effect, so they always belong to the time before it. The function must
        not keep the message.
        """

    def create_struct_publisher(
        self, msg_type: type[MessageT], topic: str, qos: QoSProfile | int = 10
    ) -> StructPublisher:
        """Creates a `messages.StructPublisher`, whose message Python fills in memory."""

    def plugin_topics(self, *, incoming: bool) -> Mapping[str, Any]:
        """Returns the message types of the plugins' topics by full name.

        These are the topics on which plugins of this server, loaded so far, receive (`incoming`)
        or publish.
        """

    def create_message_filter(
        self,
        topic: str,
        decide: Callable[..., object],
        *,
        incoming: bool,
        state: Any = None,
        number: int = 0,
    ) -> MessageFilter:
        """Delays, drops, repeats or changes the messages of another plugin's topic.

        The `@compiled` function `decide(state, transit)` is called with each message that a plugin
        of this server receives on the topic (`incoming`) or publishes there. It reads and writes
        the fields of `transit`:

        - `time`: the simulated time in s at which the message arrived or was published.
        - `number`: the index of the message: `time` times the rate of a compiled publisher, and
          otherwise the number of messages before it, counted from 0 at the last `clear`.
        - `filter`: the `number` given to this method, so several filters can share a function.
        - `message`: the address of a copy of the message in its C layout. The function can change
          numbers in it, see `compiled_code.numbers_at` and `engine.messages.message_layout`.
        - `copies`: how many copies are delivered, at most 8; initially 1. 0 drops the message.
        - `delays`: the delay of each copy in s of simulated time, initially 0. A copy arrives in
          the first step at or after its due time. Copies with the same due time stay in order.
        - `again`: set it to 1 to deliver the last delivered message again instead of this one.
        - `restamp`: set it to 1 to stamp the message at its delivery. By default, a delayed
          message keeps the stamp of its measurement.

        `state` is a record created by `new_state`; `decide` receives the record itself, and is
        called on several threads, but on one at a time per topic. Held messages do not survive
        `clear`, so call it in `reset`. A message that a plugin receives through Python, and not in
        compiled code, reaches the plugin's thread at its due time.

        Only topics of plugins loaded earlier can be filtered: PluginError lists them. It is also
        raised if the topic already has a filter in this direction.
        """

    def resolve_topic_name(self, topic: str) -> str:
        """Returns the full name of a topic after remapping, as the other methods resolve it."""

    def need_clock(self, rate_hz: float) -> None:
        """Requests that /clock is published at least `rate_hz` times per second of simulated time.

        Call this for a program that is driven by the clock, such as a controller manager.
        `clock_rate` counts in wall time and may be too low for such a program. The times published
        are multiples of 1 / `rate_hz` of simulated time, as for compiled publishers. Raises
        PluginError if `rate_hz` is not positive.
        """

    @property
    def inbox(self) -> Inbox:
        """Injects messages into the plugin's subscriptions without publishing them on a topic."""
