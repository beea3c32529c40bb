"""The libraries that sweeps need, which are imported only where a sweep is made."""

from __future__ import annotations

import importlib.util

from ..errors import SweepError

_LIBRARIES = 'ray', 'pyarrow', 'plotly', 'rich'


def check_libraries() -> None:
    """Raises SweepError, which tells how to install them, where libraries are missing."""
    missing = [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        verb = 'is' if len(missing) == 1 else 'are'
        raise SweepError(
            f'sweeps need libraries: {", ".join(missing)} {verb} not installed; '
            "pip install 'mujoco_ros_py[sweep]' installs them"
        )
