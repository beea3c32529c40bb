"""Moves of array elements from one model to another, as indices in both.

Most changes of a model append elements, so the indices of most moves are contiguous. These are
stored as slices, which are much faster to create and to use than arrays of indices.
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
    """The elements of an array to copy, as indices in both arrays."""

    field: str
    source: _Places
    target: _Places

    def __len__(self) -> int:
        return _count(self.source)


@dataclass(frozen=True, slots=True)
class CommonIds:
    """The ids of objects that both models contain, in the order of the new model."""

    old: _Places
    new: _Places

    def where(self, wanted: Any) -> CommonIds:
        """Returns the ids selected by an array of booleans."""
        return CommonIds(_indices(self.old)[wanted], _indices(self.new)[wanted])

    def alike(self, before: Any, after: Any) -> CommonIds:
        """Returns the ids of the objects whose values are equal in both models.

        `before` contains the values in the old model, `after` the values in the new model.
        """
        old, new = before[self.old], after[self.new]
        return self if old.tobytes() == new.tobytes() else self.where(old == new)


def common_ids(old: Sequence[Hashable], new: Sequence[Hashable]) -> CommonIds:
    """Finds the objects that both models contain, by their keys."""
    if len(old) <= len(new) and old == new[: len(old)]:  # objects were only appended
        return CommonIds(slice(0, len(old)), slice(0, len(old)))
    ids = {key: index for index, key in enumerate(old)}
    found = [(ids[key], index) for index, key in enumerate(new) if key in ids]
    both = np.array(found, np.intp).reshape(-1, 2)
    return CommonIds(both[:, 0], both[:, 1])


def move_rows(field: str, ids: CommonIds) -> Move:
    """Returns the move of one element (or row) for each pair of ids."""
    return Move(field, ids.old, ids.new)


def move_spans(field: str, ids: CommonIds, old_starts: Any, new_starts: Any, sizes: Any) -> Move:
    """Returns the move of a span for each pair of ids, from the old start to the new start.

    `sizes` are the lengths of the spans.
    """
    return Move(
        field,
        _numbers_of(old_starts[ids.old], sizes),
        _numbers_of(new_starts[ids.new], sizes),
    )


def _numbers_of(starts: _Indices, sizes: _Indices) -> _Places:
    """Returns the indices of all elements of spans, which must not overlap."""
    if not len(starts):
        return slice(0, 0)
    ends = starts + sizes
    if starts[1:].tobytes() == ends[:-1].tobytes():  # the spans are contiguous
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
    """Returns the move of the spans with the same size in both models."""
    there = ids.where((old_starts[ids.old] >= 0) & (new_starts[ids.new] >= 0))
    sizes = _sizes(old_starts[there.old], old_sizes)
    same = sizes == _sizes(new_starts[there.new], new_sizes)
    return move_spans(field, there.where(same), old_starts, new_starts, sizes[same])


def _sizes(starts: Any, sizes: dict[int, int]) -> _Indices:
    return np.array([sizes[start] for start in starts.tolist()], starts.dtype)


def span_sizes(starts: Sequence[Any], total: int) -> dict[int, int]:
    """Returns the size of each span by its start: a span ends at the next start, or at `total`."""
    ordered = sorted({int(start) for array in starts for start in array if start >= 0})
    return dict(zip(ordered, np.diff([*ordered, total]).tolist(), strict=True))


def _count(places: _Places) -> int:
    return places.stop - places.start if isinstance(places, slice) else len(places)


def _indices(places: _Places) -> _Indices:
    return np.arange(places.start, places.stop) if isinstance(places, slice) else places
