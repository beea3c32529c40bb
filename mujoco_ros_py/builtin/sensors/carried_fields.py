"""Fields of a sensor's state that go on when the model changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...plugins import State
from ...plugins.compiled_code import Memory

Fields = Mapping[str, Any]
"""The values of the fields of a state, by name."""


def begun(fields: Fields) -> dict[str, Any]:
    """Returns what the fields begin with, as compiled code may change them."""
    return {name: _content(value) for name, value in fields.items()}


def carried(state: State, before: Fields, fields: Fields) -> dict[str, Any]:
    """Returns the fields of the state that takes the place of another.

    `before` is what the fields of the old one began with. A field that would begin with the same
    is as compiled code has left it; any other is new, such as an id that has moved.
    """
    return {
        name: _left(state, name, value) if _same(before.get(name), value) else value
        for name, value in fields.items()
    }


def _content(value: Any) -> Any:
    """Returns a copy of the numbers; None for what is known by its address alone."""
    if isinstance(value, Memory):
        return value.array.copy()
    return None if hasattr(value, 'address') else np.array(value)


def _same(before: Any, value: Any) -> bool:
    now = _content(value)
    if before is None or now is None or before.shape != now.shape:
        return False
    return bool(np.array_equal(before, now, equal_nan=before.dtype.kind == 'f'))


def _left(state: State, name: str, value: Any) -> Any:
    """Returns a field as compiled code has left it."""
    if isinstance(value, Memory):
        records: Any = state.base
        return records.kept[name]
    return np.array(state[name]) if np.ndim(state[name]) else state[name].item()
