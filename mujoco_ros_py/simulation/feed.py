"""Hands snapshots to functions, each at a rate of its own, beside the physics."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future

from .duty import Duty, Owner
from .simulation import Simulation
from .snapshots import Snapshot, SnapshotReceiver
from .ticker import Ticker

_AT_ONCE = float('-inf')
_WAIT_S = 0.2
_IDLE_S = 0.05
_EXACT_S = 1e-9
"""Time is a sum of steps: so much may be missing to the moment that is due."""


class Follower:
    """A function that gets snapshots, until it is closed or its owner is."""

    def __init__(self, rate_hz: float, duty: Duty) -> None:
        self.period_s = 1.0 / rate_hz
        self.due = _AT_ONCE
        """In simulated time, or in wall time while the simulation is unthrottled."""
        self._duty = duty

    @property
    def closed(self) -> bool:
        """Whether it is not called any more."""
        return self._duty.closed

    def close(self) -> None:
        """Ends it: it is not called from now on. Waits 1 s for a call that is under way."""
        self._duty.close()

    def offer(self, snapshot: Snapshot, now: float) -> None:
        """Calls the function if its time has come: once a period, on average."""
        if now < self.due - _EXACT_S:
            return
        on_time = now - self.due < self.period_s
        self.due = (self.due if on_time else now) + self.period_s
        self._duty(snapshot)


class SnapshotFeed:
    """One thread and one receiver for all who publish what the simulation does.

    A rate counts in simulated time, the first call comes at once after a load, a reset or another
    jump of the time. While paused the last moment is repeated now and then, for those who come
    late. A simulation that is much faster than real time is followed with `wall_rate_hz` at most,
    and while it is unthrottled rates count in wall time, so that nothing slows it down.

    A follower that does not return is left behind: the others go on on another thread, with data
    of their own, and it is called again once it has returned. One that takes its time by intent
    asks for a thread of its own, with which it gets a feed of its own.
    """

    name = 'the feed of the publishers'

    def __init__(self, simulation: Simulation, wall_rate_hz: float, thread: str = 'feed') -> None:
        self._simulation = simulation
        self._wall_rate_hz = wall_rate_hz
        self._receiver = simulation.receiver()
        self._followers: tuple[Follower, ...] = ()
        self._epoch: int | None = None
        self._unthrottled = False
        self._ticker = Ticker(thread, self._tick)
        self.start, self.close = self._ticker.start, self._ticker.close
        self.doing = self._ticker.doing

    @property
    def beats(self) -> int | None:
        """Changes as long as the thread goes on; None while it is not to run."""
        return self._ticker.beats

    def follow(
        self,
        rate_hz: float,
        function: Callable[[Snapshot], object],
        owner: Owner | None = None,
        *,
        thread: bool = False,
    ) -> Follower:
        """Calls `function(snapshot)` at this rate; from any thread.

        The snapshot is valid during the call. What the function raises is its owner's to deal
        with; without one it is logged, and the function gets no more. With `thread` it is called
        on a thread of its own, and however long it takes, it holds up no other.
        """
        if thread:
            name = f'follower of {owner.name}' if owner else 'follower'
            alone = _OwnFeed(self._simulation, self._wall_rate_hz, name)
            follower = alone.follow(rate_hz, function, owner)
            alone.start()
            return follower
        what = getattr(function, '__qualname__', repr(function))
        follower = Follower(rate_hz, (owner or Owner.nobody('a follower')).duty(what, function))
        self._followers = (*(f for f in self._followers if not f.closed), follower)
        return follower

    def leave_behind(self) -> None:
        """A follower does not return: the others go on without it."""
        if self._receiver.done() and self._receiver.exception() is None:
            self._receiver = self._simulation.renew(self._receiver.result())
        self._ticker.replace()

    def _tick(self) -> float:
        """Hands out what came in, asks for the next; returns when to look again."""
        followers = tuple(follower for follower in self._followers if not follower.closed)
        receiver = self._usable()
        if not followers or receiver is None:
            return self._idle(followers)
        if self._unthrottled != (self._simulation.realtime < 0):
            self._unthrottled = not self._unthrottled
            _restart(followers)
        if self._unthrottled:
            return self._tick_in_wall_time(receiver, followers)
        snapshot = receiver.take(_WAIT_S)
        if snapshot is not None:
            if snapshot.epoch != self._epoch:
                self._epoch = snapshot.epoch
                _restart(followers)
            self._offer(followers, snapshot, snapshot.time)
        elif self._simulation.paused:
            _restart(followers)
        if not self._ticker.superseded:
            due = min(follower.due for follower in followers) - _EXACT_S
            receiver.ask(due=due, epoch=self._epoch)
        return self._pause_s(followers)

    def _idle(self, followers: tuple[Follower, ...]) -> float:
        """Nobody follows, or the physics thread has not made the receiver yet."""
        return _IDLE_S

    def _pause_s(self, followers: tuple[Follower, ...]) -> float:
        """None, where waiting for what is due keeps to the rate in wall time by itself."""
        rate_hz = max(1.0 / follower.period_s for follower in followers)
        expected_hz = rate_hz * self._simulation.realtime
        return 0.0 if expected_hz <= self._wall_rate_hz * 1.001 else 1.0 / self._wall_rate_hz

    def _usable(self) -> SnapshotReceiver | None:
        """The receiver, once the physics thread has made it."""
        receiver: Future[SnapshotReceiver] = self._receiver
        return receiver.result() if receiver.done() and receiver.exception() is None else None

    def _tick_in_wall_time(
        self, receiver: SnapshotReceiver, followers: tuple[Follower, ...]
    ) -> float:
        snapshot = receiver.next(_WAIT_S)
        now = time.monotonic()
        if snapshot is not None:
            self._epoch = snapshot.epoch
            self._offer(followers, snapshot, now)
        return max(0.0, min(follower.due for follower in followers) - now)

    def _offer(self, followers: tuple[Follower, ...], snapshot: Snapshot, now: float) -> None:
        for follower in followers:
            follower.offer(snapshot, now)
            if self._ticker.superseded:  # it took too long: others have the rest of them
                return


class _OwnFeed(SnapshotFeed):
    """That of one follower, with which it ends."""

    def _idle(self, followers: tuple[Follower, ...]) -> float:
        """Ends the thread, and gives the receiver back."""
        if not self._receiver.done():
            return _IDLE_S
        if (receiver := self._usable()) is not None:
            self._simulation.release(receiver)
        self.close()
        return 0.0


def _restart(followers: tuple[Follower, ...]) -> None:
    for follower in followers:
        follower.due = _AT_ONCE
