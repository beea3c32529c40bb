"""Computes a tag of all sources of this package that affect compiled code."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import mujoco


@cache
def engine_tag() -> str:
    """Returns MuJoCo's version and a digest of this package's files as of the first call."""
    return engine_tag_now()


def engine_tag_now() -> str:
    """Returns MuJoCo's version and a digest of this package's files, computed now."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob('*.py')):
        # Hashes bytes instead of syntax: exceptions contain line numbers, which comments shift.
        digest.update(file.read_bytes())
    return f'{mujoco.__version__}-{digest.hexdigest()[:12]}'
