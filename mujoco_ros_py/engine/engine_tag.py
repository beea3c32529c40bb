"""Identifies everything in this room that determines compiled code."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import mujoco


@cache
def engine_tag() -> str:
    """Returns MuJoCo's version and the digest of this room's files at the first call."""
    return engine_tag_now()


def engine_tag_now() -> str:
    """Returns MuJoCo's version and the digest of this room's files at present."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob('*.py')):
        # Bytes and not syntax: exceptions carry lines, which a comment moves.
        digest.update(file.read_bytes())
    return f'{mujoco.__version__}-{digest.hexdigest()[:12]}'
