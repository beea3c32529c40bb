"""The messages that a simulation exchanges with the outside in compiled code."""

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
from .outlet_feed import OutletFeed
from .running_model import RunningModel

_WALL_RATE_HZ = 1000.0
"""The number of moments per second of wall time that a feed sends at most."""


class MessageExchange:
    """Takes messages from inlets before each step, and sends those of outlets from other threads.

    Any thread may call these methods.
    """

    def __init__(
        self,
        running: RunningModel,
        command: Callable[[Callable[[], Any]], Future[Any]],
        at_once: Callable[[Callable[[], Any]], Any],
        lockstep: Lockstep | None = None,
    ) -> None:
        """`command` has the physics thread call a function between two steps.

        `at_once` does so too, and returns the result; the physics thread may use it as well. With
        a `lockstep` the physics thread sends the messages of outlets itself.
        """
        self.lockstep = lockstep
        """The lockstep with other processes; None: there is none."""
        self.at_once = at_once
        """Calls a function between two steps, on the thread that has the data, and waits."""
        self.clock_needs = ClockNeeds()
        """The rates of simulated time at which plugins need the clock."""
        self._running, self._command = running, command
        self._inlets: list[Inlet] = []
        self._changing = threading.Lock()
        inline = lockstep is not None
        self.feed = OutletFeed(running, command, _WALL_RATE_HZ, inline=inline)
        """The feed of the outlets that have no thread of their own."""
        self._own_feeds: dict[Outlet, OutletFeed] = {}
        self._left_out = LeftOutMessages()
        self._reader = MomentReader(running)

    def add_inlet(self, inlet: Inlet) -> None:
        """Takes messages from an inlet, from one of the next steps on."""
        with self._changing:
            self._inlets.append(inlet)
        self._command(self._use_inlets)

    def remove_inlet(self, inlet: Inlet) -> None:
        """Stops taking messages from an inlet, and releases it as soon as nothing uses it."""
        inlet.disable()
        with self._changing:
            self._inlets = [each for each in self._inlets if each is not inlet]
        self._command(self._use_inlets).add_done_callback(lambda _: inlet.release())

    def take_once(self, inlet: Inlet) -> Future[None]:
        """Takes the messages that an inlet has now, which need not have been added.

        The future is done when the function of the inlet has read them.
        """
        return self._command(lambda: self._running.take_once(inlet))

    def add_outlet(self, outlet: Outlet, *, thread: bool = False) -> None:
        """Sends the messages of an outlet; with `thread`, on a thread of its own.

        In lockstep there are no such threads, as the simulation waits for all messages.
        """
        feed = self.feed
        if thread and self.lockstep is None:
            feed = OutletFeed(
                self._running, self._command, _WALL_RATE_HZ, outlet.name, newest=True
            )
            self._own_feeds[outlet] = feed
        feed.add(outlet)

    def replace_outlet(self, old: Outlet, new: Outlet) -> None:
        """Sends the messages of another outlet in place of one, at the same times.

        What the old one has to send of moments that have passed is still sent.
        """
        feed = self._own_feeds.pop(old, None)
        if feed is not None:
            self._own_feeds[new] = feed
        (feed or self.feed).replace(old, new)

    def remove_outlet(self, outlet: Outlet) -> None:
        """Stops sending the messages of an outlet, and releases it as soon as nothing uses it."""
        feed = self._own_feeds.pop(outlet, None)
        if feed is None:
            self.feed.remove(outlet)
            return
        feed.remove(outlet)
        feed.close()

    def read(self, outlet: Outlet) -> bool:
        """Fills the message of an outlet, which has not been added, with the present moment.

        Returns whether the message would be sent; in a function given to `at_once`. Raises
        SimulationError while no model is loaded.
        """
        return self._reader.read(outlet)

    def forget(self, outlet: Outlet) -> None:
        """Frees what `read` has needed for an outlet."""
        self._command(lambda: self._reader.forget(outlet))

    def new_clock(
        self, port: Port, stamp: int, *, least_period_s: float, repeat_s: float
    ) -> LoopClock:
        """Makes a sender of the times of this simulation, which can have one."""
        clock = self._running.loop.new_clock(
            port, stamp, least_period_s=least_period_s, repeat_s=repeat_s
        )
        self.clock_needs.serve(clock)
        return clock

    @property
    def copies(self) -> int:
        """How many copies of the data the feeds have; any thread may ask."""
        return sum(feed.copies for feed in self._feeds)

    @property
    def left_out(self) -> int:
        """The number of messages that were left out, as they came faster than they are sent."""
        return sum(feed.left_out for feed in self._feeds)

    def tell_left_out(self) -> None:
        """Logs which feeds have left out messages, each once in a while; one thread calls it."""
        for feed in self._feeds:
            self._left_out.look(feed)

    @property
    def wake_event(self) -> int:
        """The eventfd that has the physics thread look for messages at once."""
        return self._running.loop.wake_event

    @property
    def awaited(self) -> list[str]:
        """The names of the inlets that the lockstep awaits."""
        return [inlet.name for inlet in self._inlets if inlet.record.awaited]

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Is called on the physics thread when the loop has another model or other data."""
        self._reader.adopt()
        for feed in self._feeds:
            feed.adopt(model, data)

    def refresh(self) -> None:
        """Is called on the physics thread when plugins may have added inlets and outlets."""
        self._use_inlets()
        for feed in self._feeds:
            feed.refresh()

    def close(self) -> None:
        """Stops sending messages."""
        for feed in self._feeds:
            feed.close()

    @property
    def _feeds(self) -> tuple[OutletFeed, ...]:
        return (self.feed, *self._own_feeds.values())

    def _use_inlets(self) -> None:
        """Has the loop take messages from the present inlets; on the physics thread."""
        with self._changing:
            inlets = [inlet for inlet in self._inlets if not inlet.closed]
        self._running.loop.inlets.take_from(inlets)


_log = logging.getLogger(__name__)

_PERIOD_S = 10.0
"""The shortest time between two log lines about one feed, in seconds."""


class LeftOutMessages:
    """Logs how many messages each feed has left out; one thread calls `look`."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[int, float]] = {}
        """The number that was told last, and when, by the name of the feed."""

    def look(self, feed: OutletFeed) -> None:
        """Logs the messages that were left out since the last line, unless that is recent."""
        count, now = feed.left_out, time.monotonic()
        told, when = self._told.get(feed.name, (0, -_PERIOD_S))
        if count > told and now - when >= _PERIOD_S:
            self._told[feed.name] = count, now
            _log.warning(
                '%s cannot keep up: %d messages were left out, as they are due faster than one '
                'thread fills and sends them; lower their rates or the speed of the simulation',
                feed.name,
                count - told,
            )


class MomentReader:
    """Has outlets fill a message each, of the present moment; on the thread that has the data."""

    def __init__(self, running: RunningModel) -> None:
        self._running = running
        self._moments: dict[Outlet, SampleRing] = {}
        self._copy = _SharedCopy()

    def read(self, outlet: Outlet) -> bool:
        """Fills the message of an outlet; returns whether it would have been sent.

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
        """Frees what filling the message of an outlet has needed."""
        self._moments.pop(outlet, None)

    def adopt(self) -> None:
        """Is called when the loop has another model or other data."""
        self._moments, self._copy = {}, _SharedCopy()


class _SharedCopy(SpareData):
    """The one copy of the data that all moments of a model use, one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self._copy: mujoco.MjData | None = None

    def copy(self, model: mujoco.MjModel, data: mujoco.MjData) -> mujoco.MjData:
        """Returns the copy, whose content is that of another moment."""
        if self._copy is None:
            self._copy = mujoco.MjData(model)
        return self._copy
