"""The folder for what can be made again: compiled code, and meshes for other programs."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """Returns the folder of the user's own cache; it need not exist.

    A user without a home, as in some containers and services, has one among the temporary files.
    """
    root = os.environ.get('MUJOCO_ROS_PY_CACHE_DIR') or os.environ.get('XDG_CACHE_HOME')
    path = os.path.expanduser(root or '~/.cache')
    if path.startswith('~'):  # nobody knows the home
        return Path(tempfile.gettempdir()) / f'mujoco_ros_py-{os.getuid()}'
    return Path(path) / 'mujoco_ros_py'
