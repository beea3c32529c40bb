"""Elements of arrays that are carried over from one model to another, as indices in both.

Most changes add something behind what there is. Elements that lie one after the other are slices,
which are made and used in a fraction of the time that arrays of indices take.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_Indices = np.ndarray[Any, np.dtype[np.intp]]
_Places = slice | _Indices


@dataclass(frozen=True, slots=True)
class Move:
    """The elements of an array that are copied, by their places in both arrays."""

    field: str
    source: _Places
    target: _Places

    def __len__(self) -> int:
        return _count(self.source)


@dataclass(frozen=True, slots=True)
class CommonIds:
    """The ids that objects have in both of two models, in the order of the new one."""

    old: _Places
    new: _Places

    def where(self, wanted: Any) -> CommonIds:
        """Returns those for which an array of booleans, one for each of these, is true."""
        return CommonIds(_indices(self.old)[wanted], _indices(self.new)[wanted])

    def alike(self, before: Any, after: Any) -> CommonIds:
        """Returns those that have the same in an array of the one model and of the other."""
        old, new = before[self.old], after[self.new]
        return self if old.tobytes() == new.tobytes() else self.where(old == new)


def common_ids(old: Sequence[Hashable], new: Sequence[Hashable]) -> CommonIds:
    """Finds objects of one model in another by their keys."""
    if len(old) <= len(new) and old == new[: len(old)]:  # what is added comes last
        return CommonIds(slice(0, len(old)), slice(0, len(old)))
    ids = {key: index for index, key in enumerate(old)}
    found = [(ids[key], index) for index, key in enumerate(new) if key in ids]
    both = np.array(found, np.intp).reshape(-1, 2)
    return CommonIds(both[:, 0], both[:, 1])


def move_rows(field: str, ids: CommonIds) -> Move:
    """Returns the move of an element, or a row, for each pair of ids."""
    return Move(field, ids.old, ids.new)


def move_spans(field: str, ids: CommonIds, old_starts: Any, new_starts: Any, sizes: Any) -> Move:
    """Returns the move of as many numbers as `sizes` tells from each start to the other."""
    return Move(
        field,
        _numbers_of(old_starts[ids.old], sizes),
        _numbers_of(new_starts[ids.new], sizes),
    )


def _numbers_of(starts: _Indices, sizes: _Indices) -> _Places:
    """Returns the numbers of all elements of spans, which do not overlap."""
    if not len(starts):
        return slice(0, 0)
    ends = starts + sizes
    if starts[1:].tobytes() == ends[:-1].tobytes():  # one span after the other
        return slice(int(starts[0]), int(ends[-1]))
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
    return np.array([sizes[start] for start in starts.tolist()], starts.dtype)


def span_sizes(starts: Sequence[Any], total: int) -> dict[int, int]:
    """Returns the number of elements from each start to the next one, or to the end."""
    ordered = sorted({int(start) for array in starts for start in array if start >= 0})
    return dict(zip(ordered, np.diff([*ordered, total]).tolist(), strict=True))


def _count(places: _Places) -> int:
    return places.stop - places.start if isinstance(places, slice) else len(places)


def _indices(places: _Places) -> _Indices:
    return np.arange(places.start, places.stop) if isinstance(places, slice) else places
