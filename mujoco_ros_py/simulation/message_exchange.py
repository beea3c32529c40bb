"""Exchanges messages between a simulation and the outside, in compiled code."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import mujoco

from ..engine import Inlet, LoopClock, Outlet, Port, SampleRing, SpareData
from .clock_needs import ClockNeeds
from .lockstep import Lockstep
from .message_filters import MessageFilters
from .outlet_feed import OutletFeed
from .running_model import RunningModel

_WALL_RATE_HZ = 1000.0
"""The maximum number of samples that a feed sends per second of wall time."""
_SETTLE_S, _LOOK_S = 1.0, 2e-4
"""How long in s to wait for messages that are being filled, and the pause between two checks."""


class MessageExchange:
    """Reads the messages of inlets before each step, and sends those of outlets on other threads.

    An inlet belongs to a subscription, and an outlet to a publisher. The methods can be called on
    any thread, unless their docstrings say otherwise.
    """

    def __init__(
        self,
        running: RunningModel,
        command: Callable[[Callable[[], Any]], Future[Any]],
        at_once: Callable[[Callable[[], Any]], Any],
        lockstep: Lockstep | None = None,
    ) -> None:
        """`command` calls a function on the physics thread, between two steps; returns a future.

        `at_once` does the same, but waits and returns the result of the function; the physics
        thread can call `at_once` too. With a `lockstep`, the physics thread sends the messages of
        outlets itself.
        """
        self.lockstep = lockstep
        """The lockstep settings; None without lockstep."""
        self.at_once = at_once
        """Calls a function between two steps, on the thread that owns the data, and waits."""
        self.clock_needs = ClockNeeds()
        """The clock rates that plugins need."""
        self._running, self._command = running, command
        self._inlets: list[Inlet] = []
        self._changing = threading.Lock()
        inline = lockstep is not None
        self.feed = OutletFeed(running, command, _WALL_RATE_HZ, inline=inline)
        """The feed of all outlets without a separate thread."""
        self.filters = MessageFilters(running.loop.record, self._settle, inline=inline)
        """The filters of topics."""
        self._own_feeds: dict[Outlet, OutletFeed] = {}
        self._left_out = LeftOutMessages()
        self._reader = MomentReader(running)

    def add_inlet(self, inlet: Inlet) -> None:
        """Starts reading messages from an inlet, at one of the next steps."""
        with self._changing:
            self._inlets.append(inlet)
        self._command(self._use_inlets)

    def remove_inlet(self, inlet: Inlet) -> None:
        """Stops reading messages from an inlet, and releases it once it is unused."""
        inlet.disable()
        with self._changing:
            self._inlets = [each for each in self._inlets if each is not inlet]
        self._command(self._use_inlets).add_done_callback(lambda _: inlet.release())

    def take_once(self, inlet: Inlet) -> Future[None]:
        """Reads the messages that wait in an inlet. The inlet need not have been added.

        The future is done when the inlet's function has read the messages.
        """
        return self._command(lambda: self._running.take_once(inlet))

    def add_outlet(self, outlet: Outlet, *, thread: bool = False) -> None:
        """Starts sending the messages of an outlet; with `thread`, on a separate thread.

        In lockstep, `thread` has no effect: the simulation waits for all messages.
        """
        feed = self.feed
        if thread and self.lockstep is None:
            feed = OutletFeed(
                self._running, self._command, _WALL_RATE_HZ, outlet.name, newest=True
            )
            self._own_feeds[outlet] = feed
        feed.add(outlet)

    def replace_outlet(self, old: Outlet, new: Outlet) -> None:
        """Replaces an outlet with another, which keeps the sending schedule.

        Pending messages of the old outlet are still sent.
        """
        feed = self._own_feeds.pop(old, None)
        if feed is not None:
            self._own_feeds[new] = feed
        (feed or self.feed).replace(old, new)

    def remove_outlet(self, outlet: Outlet) -> None:
        """Stops sending the messages of an outlet, and releases it once it is unused."""
        feed = self._own_feeds.pop(outlet, None)
        if feed is None:
            self.feed.remove(outlet)
            return
        feed.remove(outlet)
        feed.close()

    def read(self, outlet: Outlet) -> bool:
        """Fills an outlet's message with the current state; returns whether it should be sent.

        The outlet must not have been added. Call this only in a function passed to `at_once`.
        Raises SimulationError while no model is loaded.
        """
        return self._reader.read(outlet)

    def forget(self, outlet: Outlet) -> None:
        """Frees the memory that `read` uses for an outlet."""
        self._command(lambda: self._reader.forget(outlet))

    def new_clock(
        self, port: Port, stamp: int, *, least_period_s: float, repeat_s: float
    ) -> LoopClock:
        """Creates the sender of the simulation's clock. A simulation can have only one."""
        clock = self._running.loop.new_clock(
            port, stamp, least_period_s=least_period_s, repeat_s=repeat_s
        )
        self.clock_needs.serve(clock)
        return clock

    @property
    def copies(self) -> int:
        """The number of copies of the data in the feeds."""
        return sum(feed.copies for feed in self._feeds)

    @property
    def left_out(self) -> int:
        """The number of messages dropped because they were due faster than they could be sent."""
        return sum(feed.left_out for feed in self._feeds)

    def tell_left_out(self) -> None:
        """Logs which feeds have dropped messages, at a limited rate.

        Must always be called on the same thread.
        """
        for feed in self._feeds:
            self._left_out.look(feed)

    @property
    def wake_event(self) -> int:
        """The eventfd that makes the physics thread check for messages immediately."""
        return self._running.loop.wake_event

    @property
    def awaited(self) -> list[str]:
        """The names of the inlets that the lockstep awaits."""
        return [inlet.name for inlet in self._inlets if inlet.record.awaited]

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Called on the physics thread when the model or the data is replaced."""
        self._reader.adopt()
        for feed in self._feeds:
            feed.adopt(model, data)

    def refresh(self) -> None:
        """Called on the physics thread when plugins may have added inlets and outlets."""
        self._use_inlets()
        for feed in self._feeds:
            feed.refresh()

    def close(self) -> None:
        """Stops sending messages."""
        for feed in self._feeds:
            feed.close()
        self.filters.close()

    def _settle(self) -> None:
        """Waits until the messages of all samples are filled; between two steps."""
        deadline = time.monotonic() + _SETTLE_S
        while any(feed.is_busy for feed in self._feeds) and time.monotonic() < deadline:
            time.sleep(_LOOK_S)

    @property
    def _feeds(self) -> tuple[OutletFeed, ...]:
        return (self.feed, *self._own_feeds.values())

    def _use_inlets(self) -> None:
        """Passes the current inlets to the loop; on the physics thread."""
        with self._changing:
            inlets = [inlet for inlet in self._inlets if not inlet.closed]
        self._running.loop.inlets.take_from(inlets)


_log = logging.getLogger(__name__)

_PERIOD_S = 10.0
"""The minimum time between two log lines about one feed, in seconds."""


class LeftOutMessages:
    """Logs how many messages each feed has dropped. Use it on one thread only."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[int, float]] = {}
        """The number in the last log line and the time of this line, by feed name."""

    def look(self, feed: OutletFeed) -> None:
        """Logs the number of messages dropped since the feed's last log line.

        Logs nothing if that line is recent.
        """
        count, now = feed.left_out, time.monotonic()
        told, when = self._told.get(feed.name, (0, -_PERIOD_S))
        if count > told and now - when >= _PERIOD_S:
            self._told[feed.name] = count, now
            _log.warning(
                '%s cannot keep up: %d messages were dropped, because one thread cannot fill and'
                ' send them so fast; lower their rates or the speed of the simulation',
                feed.name,
                count - told,
            )


class MomentReader:
    """Fills single messages with the current state, on the thread that owns the data."""

    def __init__(self, running: RunningModel) -> None:
        self._running = running
        self._moments: dict[Outlet, SampleRing] = {}
        self._copy = _SharedCopy()

    def read(self, outlet: Outlet) -> bool:
        """Fills the message of an outlet; returns whether it should be sent.

        Raises SimulationError while no model is loaded.
        """
        model, data = self._running.loaded()
        moment, loop = self._moments.get(outlet), self._running.loop
        if moment is None:
            place = loop.run_arguments[0]
            moment = SampleRing(place, model, data, [outlet], 0.0, capacity=1, spare=self._copy)
            self._moments[outlet] = moment
        sent = outlet.record.published
        moment.send_now(model, data, loop.passive_forces(), loop.record.ros_offset)
        return bool(outlet.record.published != sent)

    def forget(self, outlet: Outlet) -> None:
        """Frees the memory that `read` uses for an outlet."""
        self._moments.pop(outlet, None)

    def adopt(self) -> None:
        """Called when the model or the data is replaced."""
        self._moments, self._copy = {}, _SharedCopy()


class _SharedCopy(SpareData):
    """A copy of the data that all outlets of a `MomentReader` use in turn."""

    def __init__(self) -> None:
        super().__init__()
        self._copy: mujoco.MjData | None = None

    def copy(self, model: mujoco.MjModel, data: mujoco.MjData) -> mujoco.MjData:
        """Returns the copy, which still holds an earlier state."""
        if self._copy is None:
            self._copy = mujoco.MjData(model)
        return self._copy
