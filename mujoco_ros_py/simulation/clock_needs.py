"""Collects the clock rates that plugins need, and warns if the clock is slower."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from ..engine import LoopClock
from .status import Status

_log = logging.getLogger(__name__)
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class _Need:
    rate_hz: float
    who: str


class ClockNeeds:
    """Sets the rate of the clock, in simulated time, to the highest rate that a plugin needs.

    The methods can be called on any thread, unless their docstrings say otherwise.
    """

    def __init__(self) -> None:
        self._needs: list[_Need] = []
        self._clock: LoopClock | None = None
        self._changing = threading.Lock()
        self._told: set[tuple[str, _Need]] = set()
        self._seen = 0, 0.0
        """The number of dropped clock messages, and the simulated time, at the last `look`."""

    def add(self, who: str, rate_hz: float) -> Callable[[], None]:
        """Adds a rate that a plugin needs; returns a function that removes it (call it once)."""
        need = _Need(rate_hz, who)

        def take_back() -> None:
            with self._changing:
                self._needs.remove(need)
                self._apply()

        with self._changing:
            self._needs.append(need)
            self._apply()
        return take_back

    def serve(self, clock: LoopClock) -> None:
        """Sets the clock whose rate is adjusted."""
        with self._changing:
            self._clock = clock
            self._apply()

    def look(self, status: Status) -> None:
        """Warns, once for each need, if the clock is too slow. Call it on one thread only."""
        with self._changing:
            need, clock = max(self._needs, key=_rate, default=None), self._clock
        if need is None or clock is None:
            return
        if need.rate_hz * status.timestep > 1.0 + _ROUNDING:
            self._tell(
                need,
                'needs the clock %g times per simulated second, but the time changes only'
                ' %g times: the timestep is %g s',
                need.rate_hz, 1.0 / status.timestep, status.timestep,
            )  # fmt: skip
        elif not _is_whole(1.0 / (need.rate_hz * status.timestep)):
            self._tell(
                need,
                'needs the clock %g times per simulated second, but the period is not a multiple'
                ' of the timestep of %g s: a thread that sleeps for a period wakes at a later'
                ' step, and so less often; choose a timestep that divides the period',
                need.rate_hz, status.timestep,
            )  # fmt: skip
        (before, since_s), left_out = self._seen, clock.left_out
        self._seen = left_out, status.time
        if left_out > before and status.time > since_s:
            self._tell(
                need,
                'needs the clock %g times per simulated second, but about %.0f of these messages'
                ' are dropped, because the simulation is too fast to publish each of them; lower'
                ' realtime',
                need.rate_hz, (left_out - before) / (status.time - since_s),
            )  # fmt: skip

    def _apply(self) -> None:
        if self._clock is not None:
            need = max(self._needs, key=_rate, default=None)
            self._clock.period_s = 0.0 if need is None else 1.0 / need.rate_hz

    def _tell(self, need: _Need, sentence: str, *numbers: float) -> None:
        if (sentence, need) not in self._told:
            self._told.add((sentence, need))
            _log.warning(f'%s {sentence}', need.who, *numbers)


def _is_whole(steps: float) -> bool:
    return abs(steps - round(steps)) < _ROUNDING * steps


def _rate(need: _Need) -> float:
    return need.rate_hz
