"""Calls functions with snapshots, each at its own rate, outside of the physics thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

from .beat import Beat
from .simulation import Simulation
from .snapshots import Snapshot, SnapshotReceiver
from .threads.owner import OwnedCallback, Owner
from .threads.repeating_thread import RepeatingThread

_AT_ONCE = float('-inf')
_WAIT_S, _SOON_S = 0.2, 0.02
"""How long to wait for a snapshot, in s: normally, and in an unthrottled simulation, whose steps
are short. If no snapshot comes in this time and the simulation is paused, the feed repeats the
last state."""
_IDLE_S = 0.05


class Follower:
    """The handle of a function that is called with snapshots.

    The calls end when the follower or its owner is closed.
    """

    def __init__(self, callback: OwnedCallback) -> None:
        self._callback = callback

    @property
    def closed(self) -> bool:
        """Whether the calls have ended."""
        return self._callback.closed

    def close(self) -> None:
        """Stops calling the function; waits up to 1 s for a call in progress."""
        self._callback.close()


class _Schedule:
    """The times at which a follower is due; used by its feed only."""

    def __init__(self, rate_hz: float, callback: OwnedCallback) -> None:
        self.beat = Beat(rate_hz)
        self._callback = callback
        self._at_once = False

    @property
    def ended(self) -> bool:
        """Whether the calls have ended."""
        return self._callback.closed

    def start_over(self) -> None:
        """Makes the next call due immediately."""
        self._at_once = True
        self.beat.start_over()

    def next_due(self, since: float, timestep: float) -> float:
        """Returns when the next call is due, in s since the epoch began."""
        return _AT_ONCE if self._at_once else self.beat.next_due(since, timestep)

    def offer(self, snapshot: Snapshot, now: float) -> None:
        """Calls the function if a call is due. `now` is the time of the monotonic clock."""
        since, timestep = snapshot.time - snapshot.begin, float(snapshot.model.opt.timestep)
        if self._at_once or self.beat.is_due(since, timestep):
            self._at_once = False
            self.beat.note(since, timestep, now)
            self._callback(snapshot)


class SnapshotFeed:
    """Calls all followers from one thread, with the snapshots of one receiver.

    After a load, a reset or another jump of the time, each follower is called immediately. All
    other calls, including the first call of a follower that is added later, are made at the beats
    of the follower's rate (see `Beat`). A call that misses its beat waits for the next one. During
    a pause, the last state is repeated from time to time for late subscribers. At most
    `wall_rate_hz` snapshots are taken per second of wall time, even if the simulation is much
    faster than real time. While the simulation is unthrottled, a follower's rate is also its
    maximum rate in wall time, because more calls would slow the simulation down.

    If a follower does not return, its thread is left behind, and another thread calls the other
    followers, with separate data. Once the follower has returned, it is called again. A slow
    follower should ask for a separate thread; it then gets a separate feed.
    """

    name = 'the feed of the publishers'

    def __init__(self, simulation: Simulation, wall_rate_hz: float, thread: str = 'feed') -> None:
        self._simulation = simulation
        self._wall_rate_hz = wall_rate_hz
        self._receiver: Future[SnapshotReceiver] | None = None
        """The receiver, which has a copy of the data; created for the first follower."""
        self._adding = threading.Lock()
        self._schedules: tuple[_Schedule, ...] = ()
        self._epoch: int | None = None
        self._begin = self._timestep = 0.0
        """The start of the epoch, and the timestep of the newest snapshot, in s."""
        self._thread = RepeatingThread(thread, self._tick)
        self.start, self.close = self._thread.start, self._thread.close
        self.doing = self._thread.doing

    @property
    def beats(self) -> int | None:
        """A number that changes while the thread makes progress; None if it should not run."""
        return self._thread.beats

    def follow(
        self,
        rate_hz: float,
        function: Callable[[Snapshot], object],
        owner: Owner | None = None,
        *,
        thread: bool = False,
    ) -> Follower:
        """Calls `function(snapshot)` at this rate. Any thread may call this method.

        The snapshot is valid during the call. An exception is reported to the owner; without an
        owner, it is logged and the calls end. With `thread`, the function is called on a separate
        thread and cannot delay other functions.
        """
        if thread:
            name = f'follower of {owner.name}' if owner else 'follower'
            alone = _OwnFeed(self._simulation, self._wall_rate_hz, name)
            follower = alone.follow(rate_hz, function, owner)
            alone.start()
            return follower
        what = getattr(function, '__qualname__', repr(function))
        callback = (owner or Owner.of_no_plugin('a follower')).callback(what, function)
        with self._adding:
            if self._receiver is None:
                self._receiver = self._simulation.receiver()
            self._schedules = (*self._going_on(), _Schedule(rate_hz, callback))
        return Follower(callback)

    def leave_behind(self) -> None:
        """Starts another thread for all followers except the one that does not return."""
        if (receiver := self._usable()) is not None:
            self._receiver = self._simulation.renew(receiver)
        self._thread.replace()

    def _going_on(self) -> tuple[_Schedule, ...]:
        return tuple(schedule for schedule in self._schedules if not schedule.ended)

    def _tick(self) -> float:
        """Waits for a snapshot and calls the followers that are due; returns the pause in s."""
        schedules = self._going_on()
        receiver = self._usable()
        if not schedules or receiver is None:
            return self._idle()
        called, wait_s, now = schedules, _WAIT_S, time.monotonic()
        if self._simulation.realtime < 0:
            called = tuple(each for each in schedules if each.beat.wall_due <= now)
            wait_s = _SOON_S
        if not called:
            return min(each.beat.wall_due for each in schedules) - now
        snapshot = receiver.next(wait_s, due=self._due(called), epoch=self._epoch)
        if snapshot is not None:
            self._timestep = float(snapshot.model.opt.timestep)
            if snapshot.epoch != self._epoch:
                jumped = self._epoch is not None
                self._epoch, self._begin = snapshot.epoch, snapshot.begin
                if jumped or self._simulation.stands:
                    _start_over(schedules)
            self._offer(called, snapshot, now)
        elif self._simulation.stands:
            _start_over(called)
        return self._pause_s(schedules)

    def _due(self, schedules: tuple[_Schedule, ...]) -> float:
        """Returns the simulation time at which the next of these followers is due.

        Before the first snapshot, the start of the epoch is unknown, so any state is due.
        """
        if self._epoch is None:
            return _AT_ONCE
        since = self._simulation.time - self._begin
        return self._begin + min(each.next_due(since, self._timestep) for each in schedules)

    def _idle(self) -> float:
        """Returns the pause while there is no follower or no receiver yet."""
        return _IDLE_S

    def _pause_s(self, schedules: tuple[_Schedule, ...]) -> float:
        """Returns the pause that limits the calls to `wall_rate_hz`; 0 below this rate."""
        rate_hz = max(1.0 / each.beat.period_s for each in schedules)
        expected_hz = rate_hz * self._simulation.realtime
        return 0.0 if expected_hz <= self._wall_rate_hz * 1.001 else 1.0 / self._wall_rate_hz

    def _usable(self) -> SnapshotReceiver | None:
        """Returns the receiver, or None until the physics thread has created it."""
        made = self._receiver
        if made is None or not made.done() or made.exception() is not None:
            return None
        return made.result()

    def _offer(self, schedules: tuple[_Schedule, ...], snapshot: Snapshot, now: float) -> None:
        for schedule in schedules:
            schedule.offer(snapshot, now)
            if self._thread.superseded:  # a new thread calls the other followers
                return


class _OwnFeed(SnapshotFeed):
    """The feed of a single follower; it ends with this follower."""

    def _idle(self) -> float:
        """Ends the thread and releases the receiver."""
        if self._receiver is not None and not self._receiver.done():
            return _IDLE_S
        if (receiver := self._usable()) is not None:
            self._simulation.release(receiver)
        self.close()
        return 0.0


def _start_over(schedules: tuple[_Schedule, ...]) -> None:
    for schedule in schedules:
        schedule.start_over()
