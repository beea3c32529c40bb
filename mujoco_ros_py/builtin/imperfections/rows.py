"""Rows of faults for compiled code. Their memory survives a change of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .timeline import NamedEntry

Rows = NDArray[np.void]
Key = tuple[int, str, int]
"""Identifies a row in all models: the index of its entry in the timeline (or -1), the name of its
element, and the index of its number among the numbers of the element."""
WINDOW = [('entry', np.int64), ('begin', np.float64), ('end', np.float64), ('active', np.int64)]
"""The first fields of a fault: the index of its entry, its time window, and `active`."""


@dataclass(frozen=True, slots=True)
class KeyedRows:
    """Rows of one kind, with the key of each row."""

    rows: Rows
    keys: tuple[Key, ...]
    places: tuple[str, ...]
    """The fields that depend on the model; all other fields are parameters and memory."""

    def remember(self, keys: Sequence[Key], rows: Rows) -> None:
        """Copies parameters and memory from the rows of another model that have the same keys."""
        before = dict(zip(keys, rows, strict=True))
        for key, row in zip(self.keys, self.rows, strict=True):
            if key in before:
                for name in self.rows.dtype.names or ():
                    if name not in self.places:
                        row[name] = before[key][name]


def window(index: int, entry: NamedEntry) -> Mapping[str, Any]:
    """Returns the values of the fields in `WINDOW`."""
    return {'entry': index, 'begin': entry.at, 'end': entry.end, 'active': entry.active}


def filled(dtype: np.dtype[Any], values: Mapping[str, Any]) -> Rows:
    """Returns a row (an array without dimensions) with these values, and 0 in other fields."""
    row = np.zeros((), dtype)
    for name, value in values.items():
        row[name] = value
    return row


def array_of(dtype: np.dtype[Any], rows: Sequence[Rows]) -> Rows:
    """Returns the rows as an array, which may be empty."""
    made = np.zeros(len(rows), dtype)
    for k, row in enumerate(rows):
        made[k] = row
    return made


def by_effect(effects: Sequence[str]) -> Callable[[NamedEntry], int]:
    """Returns a sort key for entries: the earliest position of their effects in `effects`.

    The faults of one number are applied in this order, even if they come from several entries.
    """
    return lambda entry: min(effects.index(each) for each in entry.effects if each in effects)
