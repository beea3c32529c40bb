"""Estimates the latency of commands from a recording."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...errors import ConfigError, RecordingError
from ..files.message_times import Clock
from ..files.recorded_run import RecordedRun
from .correlation import correlated_delays
from .fields import COMMANDS, STATES, FieldReader
from .fits import Fit, fitted
from .onsets import Delays, onset_delays, visible
from .series import Array, Response, Series, check_topic, read_series

_FEWEST = 8
"""The fewest delays from which a latency is estimated."""
_STEPS = 0.5
"""If at least this share of a command's changes are isolated steps, the onset method is used."""
_REST_S, _REST_STATES = 0.05, 10
"""The minimum rest before a step beyond the longest delay, in s and in states."""
_WITHIN_95 = 1.959964


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What to estimate: the topics, the compared fields, and the method."""

    commands: str
    states: str
    joint: str = ''
    """The joint; empty if the messages have a single joint."""
    command_field: str = ''
    """The compared number of the commands: an index for arrays, `linear.x` and so on for twists,
    `position` and so on for joints."""
    state: str = ''
    """The compared number of the states: `position`, `velocity` or `effort` for joints, `linear.x`
    and so on for odometry."""
    longest: float = 0.5
    """The longest possible delay in s."""
    clock: Clock = 'received'
    distribution: str = 'auto'
    from_onset: bool = False
    """Whether to use only changes after a rest, even if the command changes continuously."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """An estimated latency."""

    commands: Series
    states: Series
    method: str
    delays: Delays
    fit: Fit
    unseen: int
    """The number of changes without a visible response, or with missing states."""

    @property
    def mean(self) -> tuple[float, float, float]:
        """The mean delay in s, and its 95 % confidence interval."""
        values = self.delays.values
        mean = float(np.mean(values))
        statistical = float(np.std(values, ddof=1)) / len(values) ** 0.5
        half = _within_95(len(values) - 1) * math.hypot(statistical, self.delays.common)
        return mean, max(mean - half, 0.0), mean + half

    @property
    def stddev(self) -> tuple[float, float, float]:
        """The standard deviation of the delay in s, and its 95 % confidence interval."""
        values = self.delays.values
        apart = values - np.mean(values)
        variance = float(np.var(values, ddof=1))
        half = _within_95(len(values) - 1) * math.sqrt(
            max(float(np.mean(apart**4)) - variance**2, 0.0) / len(values)
        )
        noise = self.delays.noise**2
        found = (
            math.sqrt(max(each - noise, 0.0))
            for each in (variance, variance - half, variance + half)
        )
        deviation, low, high = found
        return deviation, low, high


def _within_95(freedom: int) -> float:
    """Returns the 97.5 % quantile of Student's t distribution.

    This is its Cornish-Fisher expansion: Abramowitz and Stegun, "Handbook of Mathematical
    Functions" (1964), 26.7.5. The error is below 0.1 % for 7 degrees of freedom and more.
    """
    z, n = _WITHIN_95, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def estimate_latency(run: RecordedRun, asked: Question) -> Estimate:
    """Estimates the latency of commands.

    Raises RecordingError if the recording lacks what is asked for, or is too short, and
    ConfigError for invalid options.
    """
    if not 0.0 < asked.longest < math.inf:
        raise ConfigError(f'--max must be greater than 0, got {asked.longest:g}')
    if asked.commands == asked.states:
        raise ConfigError(f'--states must differ from --commands, got {asked.states}')
    kind = check_topic(run, asked.commands, COMMANDS, '--commands')
    state_kind = check_topic(run, asked.states, STATES, '--states')
    state = asked.state
    if not state and state_kind == 'nav_msgs/Odometry' and 'Twist' in kind:
        state = asked.command_field
    readers = {
        asked.commands: FieldReader(kind, '--command-field', asked.command_field, asked.joint),
        asked.states: FieldReader(state_kind, '--state', state, asked.joint),
    }
    found = read_series(run, readers, asked.clock)
    commands, states = found[asked.commands], found[asked.states]
    _check_overlap(run, commands, states)
    begin = int(commands.times[0])
    pair = [((each.times - begin) / 1e9, each.values) for each in (commands, states)]
    method, delays, unseen = _delays(f'{run.path}: {asked.commands}', pair, asked)
    mean = float(np.mean(delays.values))
    if mean + _WITHIN_95 * delays.common < 0.0:
        raise RecordingError(
            f'{run.path}: {states.topic} moves before {commands.topic} changes: the clocks differ,'
            ' or the command follows the states; use --time received, or other topics'
        )
    fit = fitted(delays, asked.distribution)
    return Estimate(
        commands=commands, states=states, method=method, delays=delays, fit=fit, unseen=unseen
    )


def _delays(
    where: str, pair: list[tuple[Array, Array]], asked: Question
) -> tuple[str, Delays, int]:
    """Returns the method, the delays, and the number of changes without a visible response."""
    (times, values), states = pair
    period = float(np.median(np.diff(states[0])))
    changes = times[1:][np.diff(values) != 0.0]
    if len(changes) < _FEWEST:
        raise RecordingError(
            f'{where}: the command changes {len(changes)} times, but at least {_FEWEST} changes'
            ' are needed'
        )
    quiet = asked.longest + max(_REST_S, _REST_STATES * period)
    responses = list(_responses(changes, states, asked, quiet))
    if asked.from_onset or len(responses) >= max(_FEWEST, _STEPS * len(changes)):
        seen = visible(responses, period) if responses else []
        if len(seen) < _FEWEST:
            raise RecordingError(_few(where, len(changes), len(responses), len(seen), quiet))
        delays = onset_delays(seen, period)
        if (interval := float(np.median(np.diff(changes)))) < quiet:
            # A stream of commands divides a motion into steps, on average half an interval early.
            delays = replace(delays, common=math.hypot(delays.common, interval / 2.0))
        return 'onset', delays, len(responses) - len(seen)
    delays = correlated_delays(pair[0], states, asked.longest, period)
    if len(delays.values) < _FEWEST:
        raise RecordingError(
            f'{where}: the states follow the command in {len(delays.values)} windows of time, but'
            f' at least {_FEWEST} are needed; record for longer, or choose another --state'
        )
    return 'correlation', delays, 0


def _responses(
    changes: Array, states: tuple[Array, Array], asked: Question, quiet: float
) -> Iterator[Response]:
    """Yields the states around each change that is long enough before and after other changes."""
    before = np.diff(changes, prepend=-np.inf)
    after = np.diff(changes, append=np.inf)
    times, values = states
    for change, calm, free in zip(changes, before, after, strict=True):
        if calm < quiet or (free < asked.longest and not asked.from_onset):
            continue
        end = change + (
            2.0 * asked.longest if asked.from_onset else min(free, 2.0 * asked.longest)
        )
        rest = quiet - asked.longest
        first, now, last = np.searchsorted(times, [change - rest, change, end])
        if now - first >= _REST_STATES // 2 and last > now and times[-1] >= change + asked.longest:
            part = slice(int(first), int(last))
            yield Response(times=times[part] - change, values=values[part])


def _few(where: str, changes: int, steps: int, seen: int, quiet: float) -> str:
    """Returns the reason for too few responses."""
    if steps < _FEWEST:
        return (
            f'{where}: {steps} of {changes} changes come at least {quiet:.3g} s after the change'
            f' before, but at least {_FEWEST} are needed; record longer rests, or lower --max'
        )
    return (
        f'{where}: after {seen} of {steps} changes the states move visibly, but at least {_FEWEST}'
        ' are needed; choose another --state, --joint or --command-field, or larger changes'
    )


def _check_overlap(run: RecordedRun, commands: Series, states: Series) -> None:
    """Raises RecordingError if commands and states are not from the same time."""
    for each in (commands, states):
        if len(each.times) < 2:
            raise RecordingError(f'{run.path}: {each.topic} has a single message')
    if commands.times[0] < states.times[-1] and states.times[0] < commands.times[-1]:
        return
    ranges = ' and '.join(
        f'{each.topic} is from {each.times[0] / 1e9:.3f} to {each.times[-1] / 1e9:.3f} s'
        for each in (commands, states)
    )
    hint = (
        '; their stamps are from different clocks: use --time received' if states.stamped else ''
    )
    raise RecordingError(f'{run.path}: commands and states do not overlap: {ranges}{hint}')
