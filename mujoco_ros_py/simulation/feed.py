"""Hands snapshots to functions, each at a rate of its own, on one thread beside the physics."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from .simulation import Simulation
from .snapshots import Snapshot
from .ticker import Ticker

_log = logging.getLogger(__name__)

_AT_ONCE = float('-inf')
_WAIT_S = 0.2
_IDLE_S = 0.05
_CALL_S = 1.0
"""How long a follower that is closed waits for its last call."""


class Follower:
    """A function that gets snapshots, until it is closed."""

    def __init__(
        self, rate_hz: float, function: Callable[[Snapshot], object], lock: threading.RLock
    ) -> None:
        self.period_s = 1.0 / rate_hz
        self.due = _AT_ONCE
        """In simulated time, or in wall time while the simulation is unthrottled."""
        self.closed = False
        self._function = function
        self._lock = lock

    def close(self) -> None:
        """Not called any more from now on; waits 1 s for a call that is under way."""
        self.closed = True
        if self._lock.acquire(timeout=_CALL_S):
            self._lock.release()

    def offer(self, snapshot: Snapshot, now: float) -> None:
        """Calls the function if its time has come: once a period, on average."""
        if self.closed or now < self.due:
            return
        on_time = now - self.due < self.period_s
        self.due = (self.due if on_time else now) + self.period_s
        try:
            self._function(snapshot)
        except Exception:  # a plugin's
            self.closed = True
            _log.exception('a function that follows the simulation raised, it gets no more')


class SnapshotFeed:
    """One thread and one receiver for all who publish what the simulation does.

    A rate counts in simulated time, the first call comes at once after a load or reset. While
    paused the last moment is repeated now and then, for those who come late. A simulation that is
    much faster than real time is followed with `wall_rate_hz` at most, and while it is unthrottled
    rates count in wall time, so that nothing slows it down.
    """

    def __init__(self, simulation: Simulation, wall_rate_hz: float) -> None:
        self._simulation = simulation
        self._receiver = simulation.receiver()
        self._wall_period_s = 1.0 / wall_rate_hz
        self._followers: tuple[Follower, ...] = ()
        self._calling = threading.RLock()
        self._epoch: int | None = None
        self._unthrottled = False
        self._ticker = Ticker('feed', self._tick)
        self.start, self.close = self._ticker.start, self._ticker.close

    def follow(self, rate_hz: float, function: Callable[[Snapshot], object]) -> Follower:
        """Calls `function(snapshot)` at this rate; from any thread.

        The snapshot is valid during the call. A function that raises gets no more.
        """
        follower = Follower(rate_hz, function, self._calling)
        self._followers = (*(f for f in self._followers if not f.closed), follower)
        return follower

    def _tick(self) -> float:
        """Hands out what came in, asks for the next; returns when to look again."""
        followers = self._followers
        if not followers or self._receiver.exception() is not None:
            return _IDLE_S
        if self._unthrottled != (self._simulation.realtime < 0):
            self._unthrottled = not self._unthrottled
            _restart(followers)
        if self._unthrottled:
            return self._tick_in_wall_time(followers)
        receiver = self._receiver.result()
        snapshot = receiver.take(_WAIT_S)
        if snapshot is not None:
            if snapshot.epoch != self._epoch:
                self._epoch = snapshot.epoch
                _restart(followers)
            self._offer(followers, snapshot, snapshot.time)
        elif self._simulation.paused:
            _restart(followers)
        receiver.ask(due=min(follower.due for follower in followers), epoch=self._epoch)
        return self._wall_period_s

    def _tick_in_wall_time(self, followers: tuple[Follower, ...]) -> float:
        snapshot = self._receiver.result().next(_WAIT_S)
        now = time.monotonic()
        if snapshot is not None:
            self._epoch = snapshot.epoch
            self._offer(followers, snapshot, now)
        return max(0.0, min(follower.due for follower in followers) - now)

    def _offer(self, followers: tuple[Follower, ...], snapshot: Snapshot, now: float) -> None:
        with self._calling:
            for follower in followers:
                follower.offer(snapshot, now)


def _restart(followers: tuple[Follower, ...]) -> None:
    for follower in followers:
        follower.due = _AT_ONCE
