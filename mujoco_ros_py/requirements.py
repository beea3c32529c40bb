"""Checks the version of MuJoCo; importing this module raises ImportError for other versions."""

from __future__ import annotations

import sys

import mujoco

OLDEST, TOO_NEW = (3, 17), (4, 1)
"""The oldest supported version and the first unsupported one, as in setup.py: pip does not check
them again when another package changes MuJoCo."""


def check_mujoco() -> None:
    """Raises ImportError, in one sentence, for a version on which compiled code would crash."""
    found = mujoco.__version__
    numbers = tuple(int(part) for part in found.split('.')[:3] if part.isdigit())
    if not OLDEST <= numbers < TOO_NEW:
        oldest, too_new = ('.'.join(map(str, each)) for each in (OLDEST, TOO_NEW))
        raise ImportError(
            f'mujoco_ros_py needs MuJoCo {oldest} or newer, and below {too_new}, found {found}:'
            f" {sys.executable} -m pip install --upgrade 'mujoco>={oldest},<{too_new}'"
        )


check_mujoco()
