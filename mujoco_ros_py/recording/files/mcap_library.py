"""Checks for the MCAP library, which is imported only when a recording is opened."""

from __future__ import annotations

import importlib.util

from ...errors import RecordingError

_LIBRARIES = 'mcap', 'zstandard', 'lz4'


def check_mcap() -> None:
    """Raises RecordingError, with the command to install them, if libraries are missing."""
    missing = [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        verb = 'is' if len(missing) == 1 else 'are'
        raise RecordingError(
            f'recordings need libraries: {", ".join(missing)} {verb} not installed; '
            "pip install 'mujoco_ros_py[recording]' installs them"
        )
