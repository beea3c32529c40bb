"""Logs the refused, clamped and late commands that compiled code counts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ....config import listed
from ....log_throttle import Throttle, subject_of
from ....plugins import MujocoPlugin, State

_log = logging.getLogger(__name__)
Sentences = Mapping[int, Callable[[], str]]
"""Maps each fault number to a function that returns the warning about the faulty message."""
_RATE_HZ = 5.0
"""How often the counters are read, per second of simulated time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Count:
    """The value of a counter in compiled code, and the message to log when the counter grows."""

    reason: str
    """What is counted, such as `clamped`; logged at most once a second for each place."""
    place: int
    """The number of the joint or control; any number if the reason concerns neither."""
    number: int
    sentence: Callable[[], str]


class CommandReport:
    """Reads a plugin's counters outside the physics thread, and logs the counters that have grown.

    Messages that differ only in their numbers are logged at most once a second for each place.
    """

    def __init__(self, plugin: MujocoPlugin[Any], counts: Callable[[], Iterable[Count]]) -> None:
        self._name, self._counts = plugin.name, counts
        self._throttle = Throttle()
        self._told: dict[tuple[str, int], int] = {}
        plugin.environment.follow(_RATE_HZ, lambda snapshot: self.look())

    def look(self) -> None:
        """Logs the counters that have grown; any thread can call this."""
        for count in self._counts():
            place = count.reason, count.place
            before, self._told[place] = self._told.get(place, 0), count.number
            if count.number <= before:  # a restored state may hold a lower number
                continue
            text = f'{self._name}: {count.sentence()}'
            line = self._throttle.line(text, count.reason, f'{count.place} {subject_of(text)}')
            if line is not None:
                _log.warning('%s', line)


def fault_counts(faults: Sequence[int], sentences: Sentences) -> Iterator[Count]:
    """Yields the counters of faulty messages: `faults[k]` is the counter of fault number k."""
    for fault, sentence in sentences.items():
        yield Count(reason=str(fault), place=fault, number=int(faults[fault]), sentence=sentence)


def refusal(names: Sequence[str], length: int | None) -> str:
    """Returns the log message for a refused array; `length` is None unless the array is flat."""
    came = 'some that are not finite' if length == len(names) else f'{length} numbers'
    if length is None:
        came = 'no flat list of numbers'
    each = f'one for each of {listed(names)}'
    return f'a command must have {len(names)} finite numbers, {each}; got {came}'


def clamping(what: str, value: float, low: float, high: float) -> str:
    """Returns the log message for a command outside its limits; `what` names the command."""
    return f'{what} must be from {low:g} to {high:g}, got {value:g}: clamped to these limits'


def lateness(names: Sequence[str], timeout_s: float) -> str:
    """Returns the log message for commands that ended because of `command_timeout`."""
    return f'no command for {timeout_s:g} s: the last commands of {listed(names)} have ended'


class DriveCounts:
    """Reads the counters of refused, late and clamped commands from a drive's record."""

    def __init__(self, joints: Sequence[str], interfaces: Sequence[str], state: State) -> None:
        self._joints, self._interfaces, self._state = joints, interfaces, state

    def __call__(self) -> Iterator[Count]:
        """Yields all counters with their current values; any thread can call this."""
        state = self._state
        refused, late = int(state.drive_refusals), int(state.drive_timeouts)
        yield Count(reason='refused', place=0, number=refused, sentence=self._refused)
        yield Count(reason='late', place=0, number=late, sentence=self._late)
        for k in range(len(self._joints)):
            clamps = int(state.drive[k]['clamps'])
            sentence = partial(self._clamped, k)
            yield Count(reason='clamped', place=k, number=clamps, sentence=sentence)

    def _refused(self) -> str:
        return refusal(self._joints, int(self._state.drive_refused_length))

    def _late(self) -> str:
        return lateness(self._joints, float(self._state.drive_timeout))

    def _clamped(self, k: int) -> str:
        row, kind = self._state.drive[k], self._interfaces[k]
        if kind == 'velocity':
            low, high = -row['max_velocity'], row['max_velocity']
        else:
            low, high = row[f'{kind}_low'], row[f'{kind}_high']
        return clamping(f'the {kind} of joint {self._joints[k]}', row['clamped'], low, high)
