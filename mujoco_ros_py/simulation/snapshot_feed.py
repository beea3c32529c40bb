"""Calls functions with snapshots, each at its own rate, off the physics thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

from .simulation import Simulation
from .snapshots import Snapshot, SnapshotReceiver
from .threads.owner import OwnedCallback, Owner
from .threads.repeating_thread import RepeatingThread

_AT_ONCE = float('-inf')
_WAIT_S = 0.2
_IDLE_S = 0.05
_EXACT_S = 1e-9
"""The tolerance of due times, as the time is a sum of rounded timesteps."""


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
        self.period_s = 1.0 / rate_hz
        self.due = _AT_ONCE
        """When the next call is due, in s of simulated time, or of wall time while unthrottled."""
        self._callback = callback

    @property
    def ended(self) -> bool:
        """Whether no call is due any more."""
        return self._callback.closed

    def offer(self, snapshot: Snapshot, now: float) -> None:
        """Calls the function if a call is due, which happens once a period on average."""
        if now < self.due - _EXACT_S:
            return
        on_time = now - self.due < self.period_s - _EXACT_S  # else this moment would be due again
        self.due = (self.due if on_time else now) + self.period_s
        self._callback(snapshot)


class SnapshotFeed:
    """Calls all followers from one thread, with the snapshots of one receiver.

    Rates count in simulated time, and the first call comes at once after a load, a reset or
    another jump of the time. During a pause the last moment is repeated now and then, for
    subscribers that come late. A simulation that is much faster than real time is followed
    `wall_rate_hz` times a second at most. While it is unthrottled, rates count in wall time, so
    that nothing slows it down.

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
        self._unthrottled = False
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
        if self._unthrottled != (self._simulation.realtime < 0):
            self._unthrottled = not self._unthrottled
            _restart(schedules)
        if self._unthrottled:
            return self._tick_in_wall_time(receiver, schedules)
        snapshot = receiver.take(_WAIT_S)
        if snapshot is not None:
            if snapshot.epoch != self._epoch:
                self._epoch = snapshot.epoch
                _restart(schedules)
            self._offer(schedules, snapshot, snapshot.time)
        elif self._simulation.paused:
            _restart(schedules)
        if not self._thread.superseded:
            due = min(each.due for each in schedules) - _EXACT_S
            receiver.ask(due=due, epoch=self._epoch)
        return self._pause_s(schedules)

    def _idle(self) -> float:
        """Waits while nobody follows, or the physics thread has not made the receiver yet."""
        return _IDLE_S

    def _pause_s(self, schedules: tuple[_Schedule, ...]) -> float:
        """Returns the pause that keeps the calls within `wall_rate_hz`; 0 where none is needed."""
        rate_hz = max(1.0 / each.period_s for each in schedules)
        expected_hz = rate_hz * self._simulation.realtime
        return 0.0 if expected_hz <= self._wall_rate_hz * 1.001 else 1.0 / self._wall_rate_hz

    def _usable(self) -> SnapshotReceiver | None:
        """Returns the receiver, or None until the physics thread has made it."""
        made = self._receiver
        if made is None or not made.done() or made.exception() is not None:
            return None
        return made.result()

    def _tick_in_wall_time(
        self, receiver: SnapshotReceiver, schedules: tuple[_Schedule, ...]
    ) -> float:
        snapshot = receiver.next(_WAIT_S)
        now = time.monotonic()
        if snapshot is not None:
            self._epoch = snapshot.epoch
            self._offer(schedules, snapshot, now)
        return max(0.0, min(each.due for each in schedules) - now)

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


def _restart(schedules: tuple[_Schedule, ...]) -> None:
    for schedule in schedules:
        schedule.due = _AT_ONCE
