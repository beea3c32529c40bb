"""Matches the elements of two lists, including changed elements.

`difflib` does not fit: it prefers the longest unchanged block, does not detect moves, and cannot
pair elements that are only similar.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence

Key = tuple[Hashable, ...]
Pair = tuple[int, int]
Likeness = Callable[[int, int], int]
_MOST = 2500
"""The maximum number of pairs to compare; elements of longer lists are paired in order."""


def matched(
    a: Sequence[Key], b: Sequence[Key], likeness: Likeness
) -> tuple[list[Pair], list[Pair]]:
    """Returns pairs of positions in two lists: the pairs in order, and the moved pairs.

    Equal keys are paired first. For other keys, `likeness` returns how much they have in common; 0
    means that they cannot be paired.
    """
    equal = list(_equal(a, b))
    fixed = _in_order(equal)
    ordered = set(fixed)
    moved = [pair for pair in equal if pair not in ordered]
    known_a, known_b = {i for i, _ in moved}, {j for _, j in moved}
    alike: list[Pair] = []
    for rows, columns in _gaps(fixed, len(a), len(b)):
        left = [i for i in rows if i not in known_a]
        right = [j for j in columns if j not in known_b]
        alike += _aligned(left, right, likeness)
    return sorted([*fixed, *alike]), moved


def _equal(a: Sequence[Key], b: Sequence[Key]) -> Iterator[Pair]:
    """Pairs equal elements: first at both ends of the lists, then in any position."""
    least = min(len(a), len(b))
    start = next((n for n in range(least) if a[n] != b[n]), least)
    stop = next((n for n in range(least - start) if a[-1 - n] != b[-1 - n]), least - start)
    places = defaultdict(list)
    for j in reversed(range(start, len(b) - stop)):
        places[b[j]].append(j)
    yield from ((n, n) for n in range(start))
    for i in range(start, len(a) - stop):
        if places[a[i]]:
            yield i, places[a[i]].pop()
    yield from ((len(a) - n, len(b) - n) for n in range(stop, 0, -1))


def _in_order(pairs: list[Pair]) -> list[Pair]:
    """Returns the longest selection of pairs whose positions increase in both lists."""
    lowest: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(lowest, j)
        lowest[length : length + 1] = [j]
        ends[length : length + 1] = [number]
        before.append(ends[length - 1] if length else -1)
    found, last = [], ends[-1] if ends else -1
    while last >= 0:
        found.append(pairs[last])
        last = before[last]
    return found[::-1]


def _gaps(fixed: list[Pair], a: int, b: int) -> Iterator[tuple[range, range]]:
    """Yields the ranges of positions between these pairs, in lists of length `a` and `b`."""
    row = column = 0
    for i, j in [*fixed, (a, b)]:
        if row < i and column < j:
            yield range(row, i), range(column, j)
        row, column = i + 1, j + 1


def _aligned(a: list[int], b: list[int], likeness: Likeness) -> list[Pair]:
    """Pairs elements without changing their order, for the largest sum of likenesses."""
    if len(a) * len(b) > _MOST:
        return [(i, j) for i, j in zip(a, b, strict=False) if likeness(i, j)]
    alike = [[likeness(i, j) for j in b] for i in a]
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            paired = alike[i][j] + best[i + 1][j + 1] if alike[i][j] else 0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    found, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if alike[i][j] and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            found.append((a[i], b[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found
