"""A text that stands for everything in this room that compiled code follows from."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import mujoco


@cache
def engine_tag() -> str:
    """The version of MuJoCo, and the digest of the files of this room when it was first asked."""
    return engine_tag_now()


def engine_tag_now() -> str:
    """The version of MuJoCo, and the digest of the files as they are by now."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob('*.py')):
        digest.update(file.read_bytes())
    return f'{mujoco.__version__}-{digest.hexdigest()[:12]}'
