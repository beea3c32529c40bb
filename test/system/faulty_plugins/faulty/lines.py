"""Lines of the output that tests wait for."""

from __future__ import annotations

import os


def say(line: str) -> None:
    """Writes a line in one piece, so that no line of another thread comes into it."""
    os.write(1, f'{line}\n'.encode())
