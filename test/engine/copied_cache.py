"""A cache of compiled code for one test that already contains the physics loop."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from mujoco_ros_py.engine import cache


def copied_cache(root: Path) -> Path:
    """Copies the code in the user's own cache below a folder, and returns the folder."""
    place = root / cache.folder().name
    place.mkdir(mode=0o700)
    for file in cache.folder().glob('*.machine_code'):
        with suppress(FileNotFoundError):  # another process has replaced it
            shutil.copy(file, place)
    return root
