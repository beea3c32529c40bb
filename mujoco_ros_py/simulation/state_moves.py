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


def common_ids(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Returns the ids that objects have in both models, in the order of the new one."""
    ids = {key: index for index, key in enumerate(old)}
    return [(ids[key], index) for index, key in enumerate(new) if key in ids]


def move_rows(field: str, pairs: Sequence[tuple[int, int]]) -> Move:
    """Returns the move of an element, or a row, for each pair of ids."""
    both = np.array(pairs, np.intp).reshape(-1, 2)
    return Move(field, both[:, 0], both[:, 1])


def move_spans(
    field: str,
    pairs: Sequence[tuple[int, int]],
    old_starts: Any,
    new_starts: Any,
    sizes: Sequence[int],
) -> Move:
    """Returns the move of as many numbers as `sizes` tells from each start to the other."""
    if not pairs:
        return move_rows(field, [])
    both, counts = np.array(pairs, np.intp).reshape(-1, 2), np.array(sizes, np.intp)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return Move(
        field,
        np.repeat(old_starts[both[:, 0]], counts) + within,
        np.repeat(new_starts[both[:, 1]], counts) + within,
    )


def move_alike_spans(
    field: str,
    pairs: Sequence[tuple[int, int]],
    old_starts: Any,
    new_starts: Any,
    old_sizes: dict[int, int],
    new_sizes: dict[int, int],
) -> Move:
    """Returns the move of the spans that have the same size in both models."""
    found = [
        (old, new, old_sizes[int(old_starts[old])])
        for old, new in pairs
        if old_starts[old] >= 0
        and new_starts[new] >= 0
        and old_sizes[int(old_starts[old])] == new_sizes[int(new_starts[new])]
    ]
    both = [(old, new) for old, new, _ in found]
    return move_spans(field, both, old_starts, new_starts, [size for *_, size in found])


def span_sizes(starts: Sequence[Any], total: int) -> dict[int, int]:
    """Returns the number of elements from each start to the next one, or to the end."""
    ordered = sorted({int(start) for array in starts for start in array if start >= 0})
    return dict(zip(ordered, np.diff([*ordered, total]).tolist(), strict=True))
