"""Files that a text of MJCF or URDF names, and those that these name."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import suppress
from os.path import basename, dirname, join
from pathlib import Path

from .naming_attributes import naming

_MODELS = 'include', 'model', ''
"""Elements that name files in which others are named; it may be one where none is known."""
_DEEPEST = 100
_MAX_BYTES = 32 * 2**20
"""What is longer is no text of a model."""

NamedFile = tuple[str, bytes | None]
"""A path, and what is in the file where that may be a text of a model."""


def reachable_files(content: bytes, folder: str, *, guess: bool) -> Iterator[NamedFile]:
    """The files that a text names, wherever MuJoCo might look for them.

    So its rules need not be repeated here.

    `folder` is where the text lies. With `guess` those are among them that are named where the
    text is ill-formed.
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
        names = {value, basename(value)}  # of which the second is what `strippath` leaves
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
    """The text of a file that can be read at once; what is in /proc, say, has no size."""
    with suppress(OSError, ValueError):
        status = Path(path).stat()
        if stat.S_ISREG(status.st_mode) and status.st_size > 0:
            with Path(path).open('rb') as file:
                return file.read(_MAX_BYTES)
    return b''
