"""Calls functions with snapshots, each at its own rate, off the physics thread."""

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
"""After how long without a moment that of a pause is repeated, in s, and while unthrottled, when
steps take so little time that there would have been one."""
_IDLE_S = 0.05


class Follower:
    """A function that is called with snapshots, until it or its owner is closed."""

    def __init__(self, callback: OwnedCallback) -> None:
        self._callback = callback

    @property
    def closed(self) -> bool:
        """Whether the function is not called any more."""
        return self._callback.closed

    def close(self) -> None:
        """Ends the calls; waits up to 1 s for one that is under way."""
        self._callback.close()


class _Schedule:
    """When a follower is due, which only its feed knows."""

    def __init__(self, rate_hz: float, callback: OwnedCallback) -> None:
        self.beat = Beat(rate_hz)
        self._callback = callback
        self._at_once = False

    @property
    def ended(self) -> bool:
        """Whether no call is due any more."""
        return self._callback.closed

    def start_over(self) -> None:
        """Makes the next call due at once."""
        self._at_once = True
        self.beat.start_over()

    def next_due(self, since: float, timestep: float) -> float:
        """Returns when the next call is due, in s since the epoch began."""
        return _AT_ONCE if self._at_once else self.beat.next_due(since, timestep)

    def offer(self, snapshot: Snapshot, now: float) -> None:
        """Calls the function if a call is due; `now` is the time of the monotonic clock."""
        since, timestep = snapshot.time - snapshot.begin, float(snapshot.model.opt.timestep)
        if self._at_once or self.beat.is_due(since, timestep):
            self._at_once = False
            self.beat.note(since, timestep, now)
            self._callback(snapshot)


class SnapshotFeed:
    """Calls all followers from one thread, with the snapshots of one receiver.

    The first call after a load, a reset or another jump of the time comes at once, and all others
    are on the `Beat` of the rate, also the first one of a function that begins to follow later. A
    call that comes too late for a moment waits for the next one. During a pause the last moment is
    repeated now and then, for subscribers that come late. A simulation that is much faster than
    real time is followed `wall_rate_hz` times a second at most. While it is unthrottled, a rate is
    one of wall time, too, so that nothing slows it down.

    A follower that does not return is left behind: the others go on on another thread, with data
    of their own, and it is called again once it has returned. A follower that needs long asks for
    a thread of its own, and gets a feed of its own.
    """

    name = 'the feed of the publishers'

    def __init__(self, simulation: Simulation, wall_rate_hz: float, thread: str = 'feed') -> None:
        self._simulation = simulation
        self._wall_rate_hz = wall_rate_hz
        self._receiver: Future[SnapshotReceiver] | None = None
        """What has a copy of the data, made when the first function follows."""
        self._adding = threading.Lock()
        self._schedules: tuple[_Schedule, ...] = ()
        self._epoch: int | None = None
        self._begin = self._timestep = 0.0
        """The begin of the epoch, and the timestep of the newest snapshot, in s."""
        self._thread = RepeatingThread(thread, self._tick)
        self.start, self.close = self._thread.start, self._thread.close
        self.doing = self._thread.doing

    @property
    def beats(self) -> int | None:
        """A number that changes as long as the thread goes on; None while it is not to run."""
        return self._thread.beats

    def follow(
        self,
        rate_hz: float,
        function: Callable[[Snapshot], object],
        owner: Owner | None = None,
        *,
        thread: bool = False,
    ) -> Follower:
        """Calls `function(snapshot)` at this rate; any thread may ask for that.

        The snapshot is valid during the call. The owner is told of an exception; without an owner
        it is logged, and the function is not called again. With `thread` the function has a thread
        of its own, and holds up no other function however long it takes.
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
        """Has another thread call the followers, except one that does not return."""
        if (receiver := self._usable()) is not None:
            self._receiver = self._simulation.renew(receiver)
        self._thread.replace()

    def _going_on(self) -> tuple[_Schedule, ...]:
        return tuple(schedule for schedule in self._schedules if not schedule.ended)

    def _tick(self) -> float:
        """Calls who is due and asks for the next snapshot; returns the pause in seconds."""
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
        """Returns the simulation time from which on one of these is due, or the next moment.

        Only a snapshot tells when the epoch began.
        """
        if self._epoch is None:
            return _AT_ONCE
        since = self._simulation.time - self._begin
        return self._begin + min(each.next_due(since, self._timestep) for each in schedules)

    def _idle(self) -> float:
        """Waits while nobody follows, or the physics thread has not made the receiver yet."""
        return _IDLE_S

    def _pause_s(self, schedules: tuple[_Schedule, ...]) -> float:
        """Returns the pause that keeps the calls within `wall_rate_hz`; 0 where none is needed."""
        rate_hz = max(1.0 / each.beat.period_s for each in schedules)
        expected_hz = rate_hz * self._simulation.realtime
        return 0.0 if expected_hz <= self._wall_rate_hz * 1.001 else 1.0 / self._wall_rate_hz

    def _usable(self) -> SnapshotReceiver | None:
        """Returns the receiver, or None until the physics thread has made it."""
        made = self._receiver
        if made is None or not made.done() or made.exception() is not None:
            return None
        return made.result()

    def _offer(self, schedules: tuple[_Schedule, ...], snapshot: Snapshot, now: float) -> None:
        for schedule in schedules:
            schedule.offer(snapshot, now)
            if self._thread.superseded:  # a new thread calls the rest of them
                return


class _OwnFeed(SnapshotFeed):
    """The feed of a single follower, with which it ends."""

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
