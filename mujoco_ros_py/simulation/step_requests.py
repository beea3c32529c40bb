"""Requests for single steps of a paused simulation."""

from __future__ import annotations

from concurrent.futures import Future
from numbers import Integral
from typing import Any

from ..config.wording import shown
from ..errors import SimulationError
from .threads.command_queue import settle


def check_steps(count: object) -> None:
    """Raises SimulationError unless the count is a whole number of at least 1."""
    if not isinstance(count, Integral) or count < 1:
        raise SimulationError(
            f'number of steps must be a whole number of at least 1, got {shown(count)}'
        )


class StepRequests:
    """Adds requested steps to the record of the loop, and settles each request at its last step.

    Used on the physics thread only.
    """

    def __init__(self, record: Any) -> None:
        self._record = record
        self._requests: list[tuple[int, Future[None]]] = []
        """The step count at which each future is settled, in ascending order."""
        self.drops = 0
        """The number of calls to `drop`."""

    def add(self, count: int, done: Future[None]) -> None:
        """Requests `count` more steps; `done` is settled after the last one."""
        self._record.burst += count
        self._requests.append((int(self._record.steps + self._record.burst), done))

    def __bool__(self) -> bool:
        return bool(self._requests)

    @property
    def made(self) -> int:
        """The number of unsettled requests whose steps have all been made."""
        steps = self._record.steps
        return sum(last <= steps for last, _ in self._requests)

    def settle(self, count: int) -> None:
        """Settles the oldest `count` requests."""
        made, self._requests = self._requests[:count], self._requests[count:]
        for _, done in made:
            settle(done)

    def withdraw(self, done: Future[None]) -> int:
        """Cancels the remaining steps of one request and returns their number.

        The request fails, and other requests are kept. Returns 0 if the request is settled.
        """
        found = [index for index, (_, each) in enumerate(self._requests) if each is done]
        if not found:
            return 0
        index, steps = found[0], int(self._record.steps)
        before = self._requests[index - 1][0] if index else steps
        left = self._requests[index][0] - max(before, steps)
        self._record.burst -= left
        later = [(last - left, each) for last, each in self._requests[index + 1 :]]
        self._requests[index:] = later
        settle(done, error=SimulationError('the remaining steps were withdrawn'))
        return left

    def drop(self, reason: str) -> None:
        """Cancels all requests: they fail with a SimulationError with this reason."""
        self._record.burst = 0
        self.drops += 1
        dropped, self._requests = self._requests, []
        for _, done in dropped:
            settle(done, error=SimulationError(reason))
