"""A thread that sends the messages of outlets, in compiled code and without the GIL."""

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
"""The number of rings that may wait for a thread: the moments in older ones are left out."""
_RECENT_S = 0.1
"""How old moments may become while they wait for code that cannot keep up, in s."""


class OutletFeed:
    """Serves outlets from one thread, which has copies of the data of its own.

    The rate of an outlet counts in simulated time, and its first message comes at once after a
    load, a reset or another jump of the time. No message is left out as long as the thread lags
    behind by a few moments at most. During a pause the last moment is repeated now and then, for
    subscribers that come late. A simulation that is much faster than real time sends moments
    `wall_rate_hz` times a second at most. While it is unthrottled, rates are limits in wall time,
    too, so that nothing slows it down.

    Code that does not return is left behind: another thread serves the other outlets, and it is
    called again once it has returned.
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
        """`command` has the physics thread call a function between two steps.

        With `inline` there is no thread: the physics thread sends the messages itself. With
        `newest` only as many moments wait as come in a tenth of a second, so that code that cannot
        keep up gets moments that have not passed long ago.
        """
        self._inline, self._newest = inline, newest
        self._left_out = 0
        """The number of messages that rings left out before they were replaced."""
        self.name = f'the feed of {thread}'
        self._running, self._command, self._thread_name = running, command, thread
        self._least_period_s = 1.0 / wall_rate_hz
        self._outlets: list[Outlet] = []
        self._closing: list[Outlet] = []
        """The outlets that are closed, and that compiled code may still use."""
        self._ring: SampleRing | None = None
        """The ring into which the loop writes."""
        self._unread: list[SampleRing] = []
        """The rings that the thread still has to read, oldest first; the loop writes into the last
        one only."""
        self._readers: dict[Any, SampleRing] = {}
        """The ring that each thread reads: the present one, and those that were left behind."""
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        self._stale = self._closed = False

    def add(self, outlet: Outlet) -> None:
        """Sends the messages of an outlet from now on; any thread may call this."""
        with self._changed:
            self._outlets.append(outlet)
            if self._thread is None and not self._inline and not self._closed:
                self._start_thread()
        self._ask_to_refresh()

    def remove(self, outlet: Outlet) -> None:
        """Stops sending the messages of an outlet, and releases it as soon as nothing uses it."""
        outlet.disable()
        with self._changed:
            if outlet in self._outlets:
                self._outlets.remove(outlet)
                self._closing.append(outlet)
        self._ask_to_refresh()

    def replace(self, old: Outlet, new: Outlet) -> None:
        """Sends the messages of another outlet in place of one, whose last ones are still sent."""
        new.before = old
        with self._changed:
            self._outlets = [new if each is old else each for each in self._outlets]
            self._closing.append(old)
        self._ask_to_refresh()

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Is called on the physics thread when the loop has another model or other data."""
        self._stale = True
        self.refresh()

    def refresh(self) -> None:
        """Makes a ring for the present outlets if they have changed; on the physics thread."""
        with self._changed:
            if not self._stale:
                return
            self._stale = False
            outlets = [outlet for outlet in self._outlets if not outlet.left_behind]
        loop, model, data = self._running.loop, self._running.model, self._running.data
        ring = None
        if outlets and model is not None and data is not None and not self._closed:
            least_s, room, before = self._least_period_s, self._room(outlets), self._ring
            ring = loop.new_ring(
                model, data, outlets, least_s, inline=self._inline, capacity=room, before=before
            )
        self._replace(ring)

    def close(self) -> None:
        """Stops sending messages; waits up to 1 s for a message that is under way."""
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
        """A number that changes as long as the thread goes on; None while it is not to run."""
        ring = self._readers.get(self._thread) if self._thread is not None else None
        return None if ring is None or self._closed else ring.turns

    @property
    def copies(self) -> int:
        """How many copies of the data the feed writes into."""
        ring = self._ring
        return 0 if ring is None else ring.capacity

    @property
    def left_out(self) -> int:
        """The number of messages that were left out, as they came faster than they are sent."""
        ring = self._ring
        return self._left_out + (0 if ring is None else ring.left_out)

    def doing(self) -> str:
        """Tells which message is filled or sent now; an empty string if there is none."""
        ring = self._readers.get(self._thread) if self._thread is not None else None
        outlet = None if ring is None else ring.current
        return '' if outlet is None else outlet.name

    def leave_behind(self) -> None:
        """Has another thread serve the outlets, except one whose code does not return."""
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
        """Returns the number of moments that may wait in a ring."""
        if not self._newest:
            return RING_CAPACITY
        come = _RECENT_S / min(outlet.period_s for outlet in outlets)
        return min(RING_CAPACITY, max(2, 1 << math.ceil(math.log2(max(come, 1.0)))))

    def _ask_to_refresh(self) -> None:
        """Has the physics thread make a new ring soon; it has none to make once it has ended."""
        with self._changed:
            asked, self._stale = self._stale, True
        if asked:
            return
        refreshed = self._command(self.refresh)
        refreshed.add_done_callback(lambda done: self._replace(None) if done.exception() else None)

    def _replace(self, ring: SampleRing | None) -> None:
        """Has the loop fill another ring, and the thread read it."""
        loop = self._running.loop
        before = self._ring
        if before is not None:
            loop.abandon(before)
            self._left_out += before.left_out
        with self._changed:
            self._ring = ring
            if before is not None:
                before.finish()  # before a thread can read the next one
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
        """Reads one ring after the other, until the feed is closed or another thread does it."""
        me = threading.current_thread()
        while (ring := self._next(me)) is not None:
            ring.read()
            self._finish(me)
            del ring  # its memory is free while the thread waits

    def _next(self, me: threading.Thread) -> SampleRing | None:
        """Waits for the next ring that can be read; None: the thread is to end."""
        with self._changed:
            while not self._closed and self._thread is me:
                if (ring := self._readable()) is not None:
                    self._readers[me] = ring
                    return ring
                self._changed.wait()
        return None

    def _readable(self) -> SampleRing | None:
        """Takes the oldest ring that is free off those to be read.

        Older ones with code that does not return, or with which another thread is busy, are only
        read out, and are given up for it.
        """
        free = next((k for k, ring in enumerate(self._unread) if self._is_free(ring)), None)
        if free is None:
            return None
        self._give_up(free)
        return self._unread.pop(0)

    def _give_up(self, count: int) -> None:
        """Leaves out what is in the oldest of the rings that are to be read."""
        for _ in range(count):
            self._left_out += self._unread.pop(0).unsent

    def _is_free(self, ring: SampleRing) -> bool:
        """Returns whether no thread reads the ring or is in the code of one of its outlets."""
        behind = any(outlet.left_behind for outlet in ring.outlets)
        return not behind and all(map(_is_left_behind, self._readers.values()))

    def _finish(self, me: threading.Thread) -> None:
        """Forgets the ring that the thread has read."""
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
        """Releases closed outlets that no thread uses any more."""
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
