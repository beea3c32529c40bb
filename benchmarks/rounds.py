"""Repeats the rounds of a row until its median ratio is steady."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

from .rows import Row

Pair = tuple[float, float]
"""The values of this package and of its counterpart, measured shortly after each other."""
Rounds = Generator[Pair | dict[str, Pair], None, None]
"""The rounds of a row: each is a pair, or a pair for each case of the row by name."""

_CONFIDENCE = 0.9
_SHARE = 1 / 5
"""The figure is steady if its spread is below this fraction of the distance to the limit."""
_PREFIXES = ('', 'm', 'u', 'n')


class LeftOutError(Exception):
    """A row cannot be measured on this machine; the message is the reason."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """The result of a row, for the case with the worst median ratio."""

    ratio: float
    spread: float
    """Half the width of the 90 % confidence interval of the median ratio."""
    rounds: int
    seconds: float
    measured: str
    """The medians of both values as text, with units."""


def measure(row: Row, rounds: Rounds, begin_s: float, limit_s: float) -> Result:
    """Runs rounds until the spread of their median is below a fifth of the distance to the limit.

    The first round is a warm-up, and counts only if no second round fits. `begin_s` is a time of
    the monotonic clock. No round starts that would probably end more than `limit_s` after it.
    """
    made = []
    before = math.nan
    with closing(rounds):
        for each in rounds:
            made.append(each if isinstance(each, dict) else {'': each})
            result = _result(row, made[1:] or made, time.monotonic() - begin_s)
            now = time.monotonic()
            steady = result.spread < _SHARE * abs(result.ratio - row.limit)
            if steady or now + (now - before) > begin_s + limit_s:
                break
            before = now
    return result


def _result(row: Row, rounds: list[dict[str, Pair]], seconds: float) -> Result:
    cases = {case: [each[case] for each in rounds] for case in rounds[0]}
    ratios = {case: sorted(ours / theirs for ours, theirs in cases[case]) for case in cases}
    worst = min if row.rule == 'at least' else max
    case = worst(ratios, key=lambda case: statistics.median(ratios[case]))
    values = (statistics.median(each) for each in zip(*cases[case], strict=True))
    measured = ' against '.join(_with_unit(value, row.unit) for value in values)
    return Result(
        ratio=statistics.median(ratios[case]),
        spread=spread(ratios[case]),
        rounds=len(rounds),
        seconds=seconds,
        measured=f'{case}: {measured}' if len(cases) > 1 else measured,
    )


def spread(ordered: list[float]) -> float:
    """Returns half the width of a 90 % confidence interval of the median of sorted values.

    The interval reaches from the k-th lowest to the k-th highest value. It misses the true median
    if fewer than k values are on one side of the median, and each value is on either side with
    probability 1/2 (sign test). Returns infinity for fewer than five values, because even their
    extremes do not reach 90 %.
    """
    count = len(ordered)
    left_out, outside = 0, 0
    while 2 * (outside := outside + math.comb(count, left_out)) <= (1 - _CONFIDENCE) * 2**count:
        left_out += 1
    return (ordered[-left_out] - ordered[left_out - 1]) / 2 if left_out else math.inf


def _with_unit(value: float, unit: str) -> str:
    if value >= 100 or not value or unit != 's':
        return f'{value:,.0f} {unit}'
    power = next((k for k in range(len(_PREFIXES)) if value * 1e3**k >= 1), len(_PREFIXES) - 1)
    return f'{value * 1e3**power:.3g} {_PREFIXES[power]}{unit}'
