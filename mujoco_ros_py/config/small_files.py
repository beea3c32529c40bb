"""Reads small, untrusted files."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import MujocoRosError


def read_small_file(path: Path, limit: int, error: type[MujocoRosError]) -> bytes:
    """Reads a regular, non-empty file of at most `limit` bytes, or raises `error`."""
    try:
        if not path.is_file():
            raise error(f'{path}: {"not a regular file" if path.exists() else "no such file"}')
        with open(path, 'rb', opener=_without_waiting) as file:
            content = file.read(limit + 1)
    except OSError as cause:
        raise error(f'{path}: cannot be read: {cause.strerror or cause}') from cause
    if len(content) > limit:
        raise error(f'{path}: must have at most {limit} bytes')
    if not content.strip():
        raise error(f'{path}: is empty')
    return content


def _without_waiting(path: str, flags: int) -> int:
    """Opens a file without blocking, in case a pipe has replaced it since the check."""
    return os.open(path, flags | os.O_NONBLOCK)
