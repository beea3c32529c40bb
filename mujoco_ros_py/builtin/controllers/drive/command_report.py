"""Logs what compiled code has counted: refused, clamped and late commands."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....config import listed
from ....log_throttle import Throttle, subject_of
from ....plugins import MujocoPlugin

_log = logging.getLogger(__name__)
Sentences = Mapping[int, Callable[[], str]]
"""Functions that return the sentence for a fault of a message, by the number of the fault."""
_RATE_HZ = 5.0
"""The rate at which the counts are read, per second of simulated time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Count:
    """A number that compiled code counts up, and the sentence for the log when it has grown."""

    reason: str
    """The reason that is counted; the log has it at most once a second for each place."""
    place: int
    """The number of the joint or control for which the reason is counted; otherwise any number."""
    number: int
    sentence: Callable[[], str]


class CommandReport:
    """Reads counts of a plugin off the physics thread, and logs those that have grown.

    Each reason is logged once a second for each place, and whatever else its sentence names.
    """

    def __init__(self, plugin: MujocoPlugin[Any], counts: Callable[[], Iterable[Count]]) -> None:
        self._name, self._counts = plugin.name, counts
        self._throttle = Throttle()
        self._told: dict[tuple[str, int], int] = {}
        plugin.environment.follow(_RATE_HZ, lambda snapshot: self.look())

    def look(self) -> None:
        """Logs the counts that have grown; any thread may call this."""
        for count in self._counts():
            place = count.reason, count.place
            before, self._told[place] = self._told.get(place, 0), count.number
            if count.number <= before:  # a restored state may have counted less
                continue
            text = f'{self._name}: {count.sentence()}'
            line = self._throttle.line(text, count.reason, f'{count.place} {subject_of(text)}')
            if line is not None:
                _log.warning('%s', line)


def fault_counts(faults: Sequence[int], sentences: Sentences) -> Iterator[Count]:
    """Yields the counts of faulty messages: `faults[number]` is the count of fault `number`."""
    for fault, sentence in sentences.items():
        yield Count(reason=str(fault), place=fault, number=int(faults[fault]), sentence=sentence)


def refusal(names: Sequence[str], length: int) -> str:
    """Returns the sentence for a refused array of commands, which had this length."""
    came = 'some that are not finite' if length == len(names) else f'{length} numbers'
    each = f'one for each of {listed(names)}'
    return f'a command must have {len(names)} finite numbers, {each}; got {came}'


def clamping(what: str, value: float, low: float, high: float) -> str:
    """Returns the sentence for a command outside of its limits: `what` names it."""
    return (
        f'{what} is outside of its limits, {low:g} to {high:g}: {value:g} was asked for, and the'
        ' nearest of them is used'
    )


def lateness(names: Sequence[str], timeout_s: float) -> str:
    """Returns the sentence for commands that have ended because no new one has come in time."""
    return f'no command has come for {timeout_s:g} s: those of {listed(names)} have ended'
