"""Elements of arrays that are carried over from one model to another, as indices in both."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_Indices = np.ndarray[Any, np.dtype[np.intp]]


@dataclass(frozen=True, slots=True)
class Move:
    """The elements of an array that are copied, as indices in both arrays."""

    field: str
    source: _Indices
    target: _Indices


@dataclass(frozen=True, slots=True)
class CommonIds:
    """The ids that objects have in both of two models, in the order of the new one."""

    old: _Indices
    new: _Indices

    def __len__(self) -> int:
        return len(self.old)

    def where(self, wanted: Any) -> CommonIds:
        """Returns those for which an array of booleans, one for each of these, is true."""
        return CommonIds(self.old[wanted], self.new[wanted])

    def alike(self, before: Any, after: Any) -> CommonIds:
        """Returns those that have the same in an array of the one model and of the other."""
        same = before[self.old] == after[self.new]
        return self if same.all() else self.where(same)


def common_ids(old: Sequence[Hashable], new: Sequence[Hashable]) -> CommonIds:
    """Finds objects of one model in another by their keys."""
    if len(old) <= len(new) and old == new[: len(old)]:  # what is added comes last
        alike = np.arange(len(old))
        return CommonIds(alike, alike)
    ids = {key: index for index, key in enumerate(old)}
    found = [(ids[key], index) for index, key in enumerate(new) if key in ids]
    both = np.array(found, np.intp).reshape(-1, 2)
    return CommonIds(both[:, 0], both[:, 1])


def move_rows(field: str, ids: CommonIds) -> Move:
    """Returns the move of an element, or a row, for each pair of ids."""
    return Move(field, ids.old, ids.new)


def move_spans(field: str, ids: CommonIds, old_starts: Any, new_starts: Any, sizes: Any) -> Move:
    """Returns the move of as many numbers as `sizes` tells from each start to the other."""
    source, target = old_starts[ids.old], new_starts[ids.new]
    if (sizes == 1).all():
        return Move(field, source, target)
    moved = _numbers_of(source, sizes)
    there = moved if np.array_equal(source, target) else _numbers_of(target, sizes)
    return Move(field, moved, there)


def _numbers_of(starts: _Indices, sizes: _Indices) -> _Indices:
    """Returns the numbers of all elements of spans, which do not overlap."""
    ends = starts + sizes
    if (starts[1:] == ends[:-1]).all():  # one span after the other
        return np.arange(starts[0], ends[-1])
    begins = np.cumsum(sizes) - sizes
    return np.repeat(starts - begins, sizes) + np.arange(sizes.sum())


def move_alike_spans(
    field: str,
    ids: CommonIds,
    old_starts: Any,
    new_starts: Any,
    old_sizes: dict[int, int],
    new_sizes: dict[int, int],
) -> Move:
    """Returns the move of the spans that have the same size in both models."""
    there = ids.where((old_starts[ids.old] >= 0) & (new_starts[ids.new] >= 0))
    sizes = _sizes(old_starts[there.old], old_sizes)
    same = sizes == _sizes(new_starts[there.new], new_sizes)
    return move_spans(field, there.where(same), old_starts, new_starts, sizes[same])


def _sizes(starts: Any, sizes: dict[int, int]) -> _Indices:
    return np.array([sizes[start] for start in starts.tolist()], np.intp)


def span_sizes(starts: Sequence[Any], total: int) -> dict[int, int]:
    """Returns the number of elements from each start to the next one, or to the end."""
    ordered = sorted({int(start) for array in starts for start in array if start >= 0})
    return dict(zip(ordered, np.diff([*ordered, total]).tolist(), strict=True))
