"""Finds the file in the folder of a bag."""

from __future__ import annotations

from pathlib import Path

from ...errors import ConfigError


def single_file(path: Path) -> Path:
    """Returns the file in the folder of a bag. Raises ConfigError unless it has a single file."""
    if not path.is_dir():
        return path
    found = sorted(path.glob('*.mcap'))
    if len(found) != 1:
        names = ', '.join(each.name for each in found) or 'none'
        raise ConfigError(
            f'{path} must have one file .mcap, or a file must be given; known: {names}'
        )
    return found[0]
