"""Finds the files that an MJCF or URDF text names, and those that these files name."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import suppress
from os.path import basename, dirname, join
from pathlib import Path

from .naming_attributes import naming

_MODELS = 'include', 'model', ''
"""The elements that name files which name others; empty for an unknown element."""
_DEEPEST = 100
_MAX_BYTES = 32 * 2**20
"""The maximum size of a model's text in bytes."""

NamedFile = tuple[str, bytes | None]
"""A path, and the content of the file if it may be the text of a model."""


def reachable_files(content: bytes, folder: str, *, guess: bool) -> Iterator[NamedFile]:
    """Yields the files that a text names, at all places where MuJoCo might look for them.

    Therefore MuJoCo's rules need not be repeated here. `folder` is the folder of the text. With
    `guess` the files that are named in ill-formed text are included.
    """
    return _paths(content, (folder,), set(), 0, guess)


def _paths(
    content: bytes, folders: tuple[str, ...], passed: set[str], depth: int, guess: bool
) -> Iterator[NamedFile]:
    attributes = [
        (tag, key, value.replace('\\', '/')) for tag, key, value in naming(content) if tag or guess
    ]
    below = {'', *(value for _, key, value in attributes if key.endswith('dir'))}
    for tag, key, value in attributes:
        if not key.startswith('file') or not value:
            continue
        names = {value, basename(value)}  # the second is the one that `strippath` leaves
        is_model = tag in _MODELS
        for path in {join(f, b, n) for f in folders for b in below for n in names}:
            if path in passed:
                continue
            passed.add(path)
            text = _text(path) if is_model else None
            yield path, text
            if text is not None and depth < _DEEPEST:
                yield from _paths(text, (*folders, dirname(path)), passed, depth + 1, guess)


def _text(path: str) -> bytes:
    """Returns the text of a regular file; files in /proc, for example, have no size."""
    with suppress(OSError, ValueError):
        status = Path(path).stat()
        if stat.S_ISREG(status.st_mode) and status.st_size > 0:
            with Path(path).open('rb') as file:
                return file.read(_MAX_BYTES)
    return b''
