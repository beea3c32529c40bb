"""Rejects models that attach themselves, even indirectly: MuJoCo would never stop reading."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from posixpath import dirname
from typing import Any
from xml.parsers import expat

from ...errors import MjcfError
from ...mujoco_resources import joined

_NAMING = 'model', 'include'
_DEEPEST = 100


def refuse_circle(content: bytes, path: str, read: Callable[[str], bytes]) -> None:
    """Raises MjcfError, with the chain of files, if the model attaches or includes itself.

    `path` is the path of the model; `read(path)` reads a file that the model refers to.
    """
    way = _way(content, (path,), read, set())
    if way:
        raise MjcfError(f'the model attaches itself, through {", ".join(filter(None, way))}')


def _way(
    content: bytes, passed: tuple[str, ...], read: Callable[[str], bytes], done: set[str]
) -> tuple[str, ...]:
    """Returns the paths from the first file to a repeated file; empty if no file repeats."""
    for name in _names(content):
        path = joined(dirname(passed[-1]), name)
        if path in passed:
            return (*passed, path)
        if path in done or len(passed) > _DEEPEST:
            continue
        try:
            inner = read(path)
        except Exception:  # the compiler reports missing files
            continue
        if way := _way(inner, (*passed, path), read, done):
            return way
        done.add(path)
    return ()


def _names(content: bytes) -> list[str]:
    """Returns the paths of attached and included files, up to the first syntax error."""
    found: list[str] = []

    def note(tag: str, attributes: dict[str, Any]) -> None:
        if tag in _NAMING and 'file' in attributes:
            found.append(attributes['file'])

    parser = expat.ParserCreate('utf-8')
    parser.StartElementHandler = note
    with suppress(expat.ExpatError):
        parser.Parse(content, True)
    return found
