"""Checks the version of MuJoCo; importing this module raises ImportError for other versions."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, distribution

OLDEST, TOO_NEW = (3, 17), (4, 1)
"""The oldest supported version and the first unsupported one, as in setup.py: pip does not check
them again when another package changes MuJoCo."""


def check_mujoco() -> None:
    """Raises ImportError, in one sentence, for a version on which compiled code would crash."""
    found = _installed()
    numbers = tuple(int(part) for part in found.split('.')[:3] if part.isdigit())
    if found and not OLDEST <= numbers < TOO_NEW:
        oldest, too_new = ('.'.join(map(str, each)) for each in (OLDEST, TOO_NEW))
        raise ImportError(
            f'mujoco_ros_py needs MuJoCo {oldest} or newer, and below {too_new}, found {found}:'
            f" {sys.executable} -m pip install --upgrade 'mujoco>={oldest},<{too_new}'"
        )


def _installed() -> str:
    """Returns the installed version; empty if it is unknown, as importing MuJoCo will tell."""
    if 'mujoco' in sys.modules:
        return str(getattr(sys.modules['mujoco'], '__version__', ''))
    try:
        written = distribution('mujoco').read_text('METADATA') or ''
    except PackageNotFoundError:
        return ''
    # Parsing all metadata, as `importlib.metadata.version` does, would take most of this check.
    lines = (line.partition(': ') for line in written.splitlines())
    return next((value for key, _, value in lines if key == 'Version'), '')


check_mujoco()
