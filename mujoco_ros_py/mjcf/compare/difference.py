"""The description of one difference between two models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..files.assets import Asset
from ..sources.source import Location
from ..write.form import Form
from ..write.number_text import number_text

_LONG = 60
"""The number of characters of a value that are shown."""
_SAME = 20
"""The number of characters shown before the first one in which two long values differ."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One difference of the second of two models from the first."""

    kind: Literal['added', 'removed', 'changed', 'moved']
    path: str
    """The path of the element, such as `worldbody/body[arm]/geom[2]`. Each part has the name of an
    element, or its number among those of its tag. The path is that in the first model, or that in
    the second if the element was added."""
    attribute: str | None = None
    """The XML name of the attribute that changed; None if the difference is not in an attribute.
    """
    old: Any = None
    """The old state. For a changed attribute it is the value: several numbers are a tuple, an
    element is its name, and None means that there was no value. For a removed element it is the
    element. For a moved element it is the sibling that came before; None means that the element
    was first."""
    new: Any = None
    """The new state, described as in `old`; for an added element it is the element."""
    old_location: Location | None = None
    """The location of the element in the first model; None if that model lacks the element or was
    not read."""
    new_location: Location | None = None

    def __str__(self) -> str:
        where = ' -> '.join(str(each) for each in self.locations)
        return f'{self.summary} ({where})' if where else self.summary

    @property
    def locations(self) -> list[Location]:
        """The known locations of the element, that in the first model first."""
        return [each for each in (self.old_location, self.new_location) if each]

    @property
    def summary(self) -> str:
        """The difference in words, as in `str(difference)` but without the locations."""
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
        return f'{was} {"has another content" if both else "can be read for one of them alone"}'
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
