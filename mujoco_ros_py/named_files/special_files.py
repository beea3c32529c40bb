"""Finds FIFOs, sockets and devices that a model names, before opening them could block."""

from __future__ import annotations

import stat
from pathlib import Path

from .reachable_files import reachable_files


def special_file_named_in(content: bytes, folder: str) -> str | None:
    """Returns a sentence on the first special file that an MJCF or URDF text names, or None.

    Included texts are searched too. `folder` is the folder of the text. Missing files are left to
    MuJoCo, as are those named after a place where the text is ill-formed.
    """
    paths = (path for path, _ in reachable_files(content, folder, guess=False))
    return next(filter(None, map(special_file_at, paths)), None)


def special_file_at(path: str) -> str | None:
    """Returns a sentence on a special file at the path; None for files, folders and nothing."""
    kind = _kind(path)
    return f'{path[:200]!r} is {kind}, not a file' if kind else None


def _kind(path: str) -> str:
    """Returns the kind of a special file; empty for a file, a folder and nothing."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):  # missing, or not a valid file name
        return ''
    if stat.S_ISFIFO(mode):
        return 'a FIFO'
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return 'a device'
    return 'a socket' if stat.S_ISSOCK(mode) else ''
