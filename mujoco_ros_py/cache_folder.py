"""The folder for files that can be recreated: compiled code, and meshes for other programs."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """Returns the user's cache folder, which may not exist yet.

    If the user has no home directory, as in some containers and services, the cache is in the
    folder for temporary files.
    """
    root = os.environ.get('MUJOCO_ROS_PY_CACHE_DIR') or os.environ.get('XDG_CACHE_HOME')
    path = os.path.expanduser(root or '~/.cache')
    if path.startswith('~'):  # the home directory is unknown
        return Path(tempfile.gettempdir()) / f'mujoco_ros_py-{os.getuid()}'
    return Path(path) / 'mujoco_ros_py'
