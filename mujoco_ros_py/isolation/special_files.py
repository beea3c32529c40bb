"""FIFOs, sockets and devices that a model names, found before somebody opens them and waits."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import suppress
from os.path import basename, dirname, join
from pathlib import Path
from typing import Any
from xml.parsers import expat

_MODELS = 'include', 'model'
"""Elements that name files in which others are named."""
_DEEPEST = 100
_MAX_BYTES = 32 * 2**20
"""What is longer is no text of a model."""


def special_file(content: bytes, folder: str) -> str | None:
    """A sentence about the first that a text of MJCF or URDF names, or one that it includes.

    `folder` is where the text lies. Each file is looked for wherever MuJoCo might, so that its
    rules need not be repeated here. Files that are missing are left to MuJoCo, as are all that are
    named behind a place where the text is ill-formed.
    """
    paths = _paths(content, (folder,), set(), 0)
    return next(filter(None, map(special, paths)), None)


def special(path: str) -> str | None:
    """A sentence about what lies at the path, if it is none of a file, a folder and nothing."""
    kind = _kind(path)
    return f'{path[:200]!r} is {kind}, not a file' if kind else None


def _kind(path: str) -> str:
    """What it is; empty for a file, a folder and nothing."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):  # it is missing, or no name of a file
        return ''
    if stat.S_ISFIFO(mode):
        return 'a FIFO'
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return 'a device'
    return 'a socket' if stat.S_ISSOCK(mode) else ''


def _paths(
    content: bytes, folders: tuple[str, ...], passed: set[str], depth: int
) -> Iterator[str]:
    """Where the files may lie that the text names, and those that these name."""
    elements = _elements(content)
    below = {'', *(value for _, key, value in elements if key.endswith('dir'))}
    for tag, key, value in elements:
        if not key.startswith('file') or not value:
            continue
        names = {value, basename(value)}  # of which the second is what `strippath` leaves
        for path in {join(f, b, n) for f in folders for b in below for n in names}:
            if path in passed:
                continue
            passed.add(path)
            yield path
            if tag in _MODELS and depth < _DEEPEST:
                yield from _paths(_text(path), (*folders, dirname(path)), passed, depth + 1)


def _text(path: str) -> bytes:
    """Of a file that can be read at once; what the kernel makes up (/proc) has no size."""
    with suppress(OSError, ValueError):
        status = Path(path).stat()
        if stat.S_ISREG(status.st_mode) and 0 < status.st_size <= _MAX_BYTES:
            return Path(path).read_bytes()
    return b''


def _elements(content: bytes) -> list[tuple[str, str, str]]:
    """Element, attribute and value of all that names files and folders, as far as it is XML."""
    found: list[tuple[str, str, str]] = []

    def note(tag: str, attributes: dict[str, Any]) -> None:
        for key, value in attributes.items():
            if key.startswith('file') or key.endswith('dir'):
                found.append((tag, key, value.replace('\\', '/')))

    parser = expat.ParserCreate('utf-8')
    parser.StartElementHandler = note
    with suppress(expat.ExpatError):
        parser.Parse(content.partition(b'\0')[0], True)
    return found
