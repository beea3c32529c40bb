"""FIFOs, sockets and devices that a model names, found before somebody opens them and waits."""

from __future__ import annotations

import stat
from pathlib import Path

from .reachable_files import reachable_files


def special_file_named_in(content: bytes, folder: str) -> str | None:
    """A sentence about the first that a text of MJCF or URDF names, or one that it includes.

    `folder` is where the text lies. Files that are missing are left to MuJoCo, as are all that are
    named behind a place where the text is ill-formed.
    """
    paths = (path for path, _ in reachable_files(content, folder, guess=False))
    return next(filter(None, map(special_file_at, paths)), None)


def special_file_at(path: str) -> str | None:
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
