"""The description of one difference between two models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..files.assets import Asset
from ..sources.source import Location
from ..write.form import Form
from ..write.number_text import number_text

_LONG = 60
"""The maximum number of characters of a value that are shown."""
_SAME = 20
"""The number of characters shown before the first difference between two long values."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One difference between a first and a second model."""

    kind: Literal['added', 'removed', 'changed', 'moved']
    path: str
    """The path of the element, such as `worldbody/body[arm]/geom[2]`. Each part has the element's
    name, or its index among the elements with its tag. Names and indices are those in the first
    model, or in the second model for an added element."""
    attribute: str | None = None
    """The XML name of the changed attribute; None for other differences."""
    old: Any = None
    """The old state. For a changed attribute: its value, with an array as a tuple and an element
    as its name, or None if it was not set. For a removed element: the element. For a moved
    element: the preceding sibling, or None if the element was first."""
    new: Any = None
    """The new state, as described for `old`; for an added element, the element."""
    old_location: Location | None = None
    """The location of the element in the first model; None if the element is missing there or the
    model was not read from text."""
    new_location: Location | None = None

    def __str__(self) -> str:
        where = ' -> '.join(str(each) for each in self.locations)
        return f'{self.summary} ({where})' if where else self.summary

    @property
    def locations(self) -> list[Location]:
        """The known locations of the element, first model first."""
        return [each for each in (self.old_location, self.new_location) if each]

    @property
    def summary(self) -> str:
        """The difference in words, like `str(difference)` but without the locations."""
        if self.kind == 'changed':
            return f'changed {self.path} {self.attribute}: {_change(self.old, self.new)}'
        if self.kind == 'moved':
            was, now = (f'after {each}' if each else 'first' for each in (self.old, self.new))
            return f'moved {self.path}: {was} -> {now}'
        return f'{self.kind} {self.path}: {_short(str(self.new or self.old))}'


def _change(old: Any, new: Any) -> str:
    was, now = _text(old), _text(new)
    if was == now:
        both = all(map(_can_be_read, (old, new)))
        return f'{was} {"has different content" if both else "can be read in only one model"}'
    pairs = enumerate(zip(was, now, strict=False))
    other = next((n for n, (x, y) in pairs if x != y), min(len(was), len(now)))
    start = other - _SAME if max(len(was), len(now)) > _LONG else 0
    return f'{_short(was, start)} -> {_short(now, start)}'


def _can_be_read(file: Asset) -> bool:
    try:
        file.to_bytes()
    except OSError:
        return False
    return True


def _text(value: Any) -> str:
    if value is None:
        return 'none'
    if isinstance(value, tuple):
        return ' '.join(number_text(each, Form()) for each in value)
    if isinstance(value, Asset):
        return f'"{value.written or value.get_vfs_filename()}"'
    return f'"{value}"' if isinstance(value, str) else number_text(value, Form())


def _short(text: str, start: int = 0) -> str:
    start = max(start, 0)
    stop = start + _LONG
    return f'{"..." * bool(start)}{text[start:stop]}{"..." * (stop < len(text))}'
