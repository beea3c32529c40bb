"""The publishers and subscriptions of plugins that fill and read messages in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic

from ...engine import Inlet, Outlet
from ...plugins.host import Reading
from ...plugins.ros_entities import MessageT
from ...simulation import MessageExchange
from .filtered_ends import OutletPipe


class CompiledPublisher(Generic[MessageT]):
    """A publisher that fills its messages in compiled code, at a fixed rate."""

    def __init__(
        self,
        publisher: Any,
        outlet: Outlet,
        exchange: MessageExchange,
        node: Any,
        successor: Callable[[MessageT | None, Any], Outlet],
        reading: Reading[MessageT],
        pipe: OutletPipe,
    ) -> None:
        """`successor(template, state)` creates another outlet for the same publisher."""
        self._reading, self._pipe = reading, pipe
        self._publisher, self._outlet, self._exchange = publisher, outlet, exchange
        self._node, self._successor = node, successor
        self._published = self._errors = 0
        """The message and error counts of the outlets replaced so far."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""
        return str(self._publisher.topic_name)

    @property
    def subscribers(self) -> int:
        """The number of subscribers on the topic."""
        return int(self._publisher.get_subscription_count())

    @property
    def published(self) -> int:
        """The number of published messages."""
        return self._published + int(self._outlet.record.published)

    @property
    def errors(self) -> int:
        """The number of messages that the middleware refused."""
        return self._errors + int(self._outlet.record.errors)

    @property
    def cost_ns(self) -> float:
        """The mean time in ns to fill a message, excluding the time to send it."""
        return float(self._outlet.record.cost_ns)

    def read(self, state_of: Callable[[], Any] | None = None) -> MessageT | None:
        """Returns the current message; see `plugins.CompiledPublisher.read`."""
        return self._reading.read(state_of)

    def replace(self, *, template: MessageT | None, state: Any) -> None:
        """Switches to a new template and state, and keeps the publishing schedule.

        Messages for times before the call still use the old template and state. If the type of
        the state differs, the function is compiled again. A closed publisher stays closed.
        """
        old = self._outlet
        if old.closed:
            return
        self._outlet = self._successor(template, state)
        self._pipe.move(self._outlet)
        self._reading.replace(template, state)
        self._published += int(old.record.published)
        self._errors += int(old.record.errors)
        self._exchange.replace_outlet(old, self._outlet)

    def close(self) -> None:
        """Stops publishing, and destroys the publisher once nothing uses it."""
        if not self._outlet.closed:
            self._reading.close()
            self._exchange.remove_outlet(self._outlet)
            self._node.destroy_publisher(self._publisher)


class CompiledSubscription:
    """A subscription that reads its messages in compiled code, at the start of each step."""

    def __init__(
        self,
        subscription: Any,
        topic: str,
        inlet: Inlet,
        exchange: MessageExchange,
        node: Any,
        destroy: Callable[[Any], bool],
        inlet_of: Callable[[Any], Inlet],
    ) -> None:
        """`inlet_of(message)` creates an inlet that passes one message to the same function."""
        self._subscription, self._inlet, self._exchange = subscription, inlet, exchange
        self._node, self._topic, self._destroy = node, topic, destroy
        self._inlet_of = inlet_of

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""
        return str(self._node.resolve_topic_name(self._topic))

    @property
    def publishers(self) -> int:
        """The number of publishers on the topic."""
        return int(self._node.count_publishers(self._topic))

    @property
    def taken(self) -> int:
        """The number of messages that have been read."""
        return int(self._inlet.record.taken)

    def give(self, message: Any) -> Future[None]:
        """Passes a message directly to the function before the next step, bypassing the topic.

        The future is done when the function has read the message.
        """
        return self._exchange.take_once(self._inlet_of(message))

    def close(self) -> None:
        """Stops reading, and destroys the subscription once nothing uses it."""
        if not self._inlet.closed:
            self._exchange.remove_inlet(self._inlet)
            self._destroy(self._subscription)
