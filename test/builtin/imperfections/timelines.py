"""Timelines for tests, written as lists of entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def by_name(entries: Sequence[Any]) -> dict[str, Any]:
    """Returns the entries by the key `name`, or by `e<index>` without one."""
    named = {}
    for index, entry in enumerate(entries):
        values = dict(entry) if isinstance(entry, Mapping) else entry
        name = values.pop('name', '') if isinstance(values, dict) else ''
        named[name or f'e{index}'] = values
    return named
