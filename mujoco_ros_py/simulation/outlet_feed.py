"""Sends the messages of outlets from a thread, in compiled code and without the GIL."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import mujoco

from ..engine import RING_CAPACITY, Outlet, SampleRing
from .running_model import RunningModel

_LAST_S = 1.0
_MOST_UNREAD = 4
"""The maximum number of rings that wait for a thread; samples in older rings are dropped."""
_RECENT_S = 0.1
"""The maximum age in s of samples that wait for slow code, with `newest`."""


class OutletFeed:
    """Sends the messages of outlets from one thread, which works on its own copies of the data.

    The physics loop writes these copies, called samples, to a ring, from which the thread reads
    them. No message is dropped if the thread lags behind by a few samples only.

    Rates are in simulated time. After a load, a reset or another jump of the time, each outlet
    sends its first message immediately. During a pause, the last sample is repeated from time to
    time for late subscribers. At most `wall_rate_hz` samples are sent per second of wall time,
    even if the simulation is much faster than real time. While the simulation is unthrottled, an
    outlet's rate is also its maximum rate in wall time, because more messages would slow the
    simulation down.

    If the code of an outlet does not return, its thread is left behind in this code, and another
    thread serves the other outlets. Once the code has returned, its outlet is served again.
    """

    def __init__(
        self,
        running: RunningModel,
        command: Callable[[Callable[[], Any]], Any],
        wall_rate_hz: float,
        thread: str = 'outlets',
        *,
        inline: bool = False,
        newest: bool = False,
    ) -> None:
        """`command` calls a function on the physics thread between two steps.

        With `inline`, the physics thread sends the messages itself. With `newest`, only samples
        of the last tenth of a second wait to be sent, to give slow code recent samples.
        """
        self._inline, self._newest = inline, newest
        self._left_out = 0
        """The number of messages dropped by rings that were replaced."""
        self.name = f'the feed of {thread}'
        self._running, self._command, self._thread_name = running, command, thread
        self._least_period_s = 1.0 / wall_rate_hz
        self._outlets: list[Outlet] = []
        self._closing: list[Outlet] = []
        """Closed outlets that compiled code may still use."""
        self._ring: SampleRing | None = None
        """The ring that the loop fills."""
        self._unread: list[SampleRing] = []
        """The rings that the thread has yet to read, oldest first. The loop fills the last one."""
        self._readers: dict[Any, SampleRing] = {}
        """The ring that each thread reads: the current thread, and threads left behind."""
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        self._stale = self._closed = False

    def add(self, outlet: Outlet) -> None:
        """Starts sending the messages of an outlet. Any thread may call this."""
        with self._changed:
            self._outlets.append(outlet)
            if self._thread is None and not self._inline and not self._closed:
                self._start_thread()
        self._ask_to_refresh()

    def remove(self, outlet: Outlet) -> None:
        """Stops sending the messages of an outlet, and releases it once it is unused."""
        outlet.disable()
        with self._changed:
            if outlet in self._outlets:
                self._outlets.remove(outlet)
                self._closing.append(outlet)
        self._ask_to_refresh()

    def replace(self, old: Outlet, new: Outlet) -> None:
        """Replaces an outlet with another. Pending messages of the old outlet are still sent."""
        new.before = old
        with self._changed:
            self._outlets = [new if each is old else each for each in self._outlets]
            self._closing.append(old)
        self._ask_to_refresh()

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Called on the physics thread when the model or the data is replaced."""
        self._stale = True
        self.refresh()

    def refresh(self) -> None:
        """Creates a new ring if the outlets or the model have changed; on the physics thread."""
        with self._changed:
            if not self._stale:
                return
            self._stale = False
            outlets = [outlet for outlet in self._outlets if not outlet.left_behind]
        loop, model, data = self._running.loop, self._running.model, self._running.data
        ring = None
        if outlets and model is not None and data is not None and not self._closed:
            least_s, room, before = self._least_period_s, self._room(outlets), self._ring
            ring = SampleRing(
                loop.address, model, data, outlets, least_s, inline=self._inline, capacity=room,
                before=before, spare=loop.spare,
            )  # fmt: skip
        self._replace(ring)

    def close(self) -> None:
        """Stops sending messages; waits up to 1 s for a message in progress."""
        with self._changed:
            self._closed = True
            thread, rings = self._thread, {*self._unread, *self._readers.values(), self._ring}
            self._unread = []
            self._changed.notify_all()
        for ring in rings:
            if ring is not None:
                ring.stop()
        if thread is not None and thread is not threading.current_thread():
            thread.join(_LAST_S)
        self._release_unused()

    @property
    def beats(self) -> int | None:
        """A number that changes while the thread makes progress; None if it has nothing to do."""
        ring = self._readers.get(self._thread) if self._thread is not None else None
        return None if ring is None or self._closed else ring.turns

    @property
    def copies(self) -> int:
        """The number of copies of the data in the current ring."""
        ring = self._ring
        return 0 if ring is None else ring.capacity

    @property
    def left_out(self) -> int:
        """The number of messages dropped because they were due faster than they could be sent."""
        ring = self._ring
        return self._left_out + (0 if ring is None else ring.left_out)

    @property
    def is_busy(self) -> bool:
        """Whether samples wait to be read, or a message is being filled or sent."""
        with self._changed:
            rings = {*self._unread, *self._readers.values(), *filter(None, [self._ring])}
        return any(ring.is_busy for ring in rings)

    def doing(self) -> str:
        """Returns the name of the message that is filled or sent now; empty if the feed waits."""
        ring = self._readers.get(self._thread) if self._thread is not None else None
        outlet = None if ring is None else ring.current
        return '' if outlet is None else outlet.name

    def leave_behind(self) -> None:
        """Starts another thread for all outlets except the one whose code does not return."""
        with self._changed:
            ring = self._readers.get(self._thread) if self._thread is not None else None
            outlet = None if ring is None else ring.current
            if ring is None or outlet is None:
                return
            outlet.left_behind = True
            ring.stop()
            self._start_thread()
        self._ask_to_refresh()

    def _room(self, outlets: list[Outlet]) -> int:
        """Returns the maximum number of samples that may wait in a ring."""
        if not self._newest:
            return RING_CAPACITY
        come = _RECENT_S / min(outlet.period_s for outlet in outlets)
        return min(RING_CAPACITY, max(2, 1 << math.ceil(math.log2(max(come, 1.0)))))

    def _ask_to_refresh(self) -> None:
        """Asks the physics thread for a new ring; drops the old ring if that thread has ended."""
        with self._changed:
            asked, self._stale = self._stale, True
        if asked:
            return
        refreshed = self._command(self.refresh)
        refreshed.add_done_callback(lambda done: self._replace(None) if done.exception() else None)

    def _replace(self, ring: SampleRing | None) -> None:
        """Replaces the ring that the loop fills and the thread reads next."""
        loop = self._running.loop
        before = self._ring
        if before is not None:
            loop.abandon(before)
            self._left_out += before.left_out
        with self._changed:
            self._ring = ring
            if before is not None:
                before.finish()  # before a thread can read the next ring
            if ring is not None and not self._inline:
                self._unread.append(ring)
                self._give_up(len(self._unread) - _MOST_UNREAD)
            self._changed.notify_all()
        if ring is not None:
            loop.fill(ring)
        self._release_unused()

    def _start_thread(self) -> None:
        self._thread = threading.Thread(target=self._run, name=self._thread_name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        """Reads rings until the feed is closed or another thread takes over."""
        me = threading.current_thread()
        while (ring := self._next(me)) is not None:
            ring.read()
            self._finish(me)
            del ring  # frees its memory while the thread waits

    def _next(self, me: threading.Thread) -> SampleRing | None:
        """Waits for the next ring that can be read; returns None if the thread must end."""
        with self._changed:
            while not self._closed and self._thread is me:
                if (ring := self._readable()) is not None:
                    self._readers[me] = ring
                    return ring
                self._changed.wait()
        return None

    def _readable(self) -> SampleRing | None:
        """Removes the oldest free ring from the unread rings, and returns it.

        Drops the rings before it, because they have an outlet whose code does not return.
        """
        free = next((k for k, ring in enumerate(self._unread) if self._is_free(ring)), None)
        if free is None:
            return None
        self._give_up(free)
        return self._unread.pop(0)

    def _give_up(self, count: int) -> None:
        """Drops the `count` oldest unread rings, and counts their messages as dropped."""
        for _ in range(count):
            self._left_out += self._unread.pop(0).unsent

    def _is_free(self, ring: SampleRing) -> bool:
        """Returns whether no outlet of the ring is left behind and no active thread is reading."""
        behind = any(outlet.left_behind for outlet in ring.outlets)
        return not behind and all(map(_is_left_behind, self._readers.values()))

    def _finish(self, me: threading.Thread) -> None:
        """Called when a thread has read its ring.

        If the thread was left behind, the outlet that blocked it is served again.
        """
        with self._changed:
            ring = self._readers.pop(me)
            behind = [outlet for outlet in ring.outlets if outlet.left_behind]
            superseded = self._thread is not me
        if superseded:
            for outlet in behind:
                outlet.left_behind = False
            self._ask_to_refresh()
        self._release_unused()

    def _release_unused(self) -> None:
        """Releases the closed outlets that no thread uses."""
        with self._changed:
            used = {id(outlet) for ring in self._readers.values() for outlet in ring.outlets}
            for ring in (*self._unread, *filter(None, [self._ring])):
                used |= {id(outlet) for outlet in ring.outlets}
            free = [outlet for outlet in self._closing if id(outlet) not in used]
            self._closing = [outlet for outlet in self._closing if id(outlet) in used]
        for outlet in free:
            outlet.release()


def _is_left_behind(ring: SampleRing) -> bool:
    """Returns whether the thread that reads the ring is in code that did not return."""
    outlet = ring.current
    return outlet is not None and outlet.left_behind
