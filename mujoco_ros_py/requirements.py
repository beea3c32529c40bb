"""Checks the versions of MuJoCo (when this module is imported) and of numba.

pip checks them once, at the installation. Later, other packages may change them, and packages of a
Linux distribution are never checked.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, distribution

OLDEST, TOO_NEW = (3, 17), (4, 1)
"""The oldest supported version of MuJoCo and the first unsupported one, as in setup.py."""
OLDEST_NUMBA = (0, 62)
"""The oldest supported version of numba, as in setup.py."""


def check_mujoco() -> None:
    """Raises ImportError, with one sentence, for a version on which compiled code would crash."""
    found = _installed('mujoco')
    if found and not OLDEST <= _numbers(found) < TOO_NEW:
        oldest, too_new = ('.'.join(map(str, each)) for each in (OLDEST, TOO_NEW))
        raise ImportError(
            f'mujoco_ros_py needs MuJoCo {oldest} or newer, and below {too_new}, found {found}:'
            f" {sys.executable} -m pip install --upgrade 'mujoco>={oldest},<{too_new}'"
        )


def check_numba() -> None:
    """Raises ImportError, with one sentence, for a version that the engine cannot use."""
    found = _installed('numba')
    if found and _numbers(found) < OLDEST_NUMBA:
        oldest = '.'.join(map(str, OLDEST_NUMBA))
        raise ImportError(
            f'mujoco_ros_py needs numba {oldest} or newer, found {found}:'
            f" {sys.executable} -m pip install --upgrade 'numba>={oldest}'"
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split('.')[:3] if part.isdigit())


def _installed(name: str) -> str:
    """Returns the version of a package; empty if it is missing, which its import will report."""
    if name in sys.modules:
        return str(getattr(sys.modules[name], '__version__', ''))
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return ''
    # Packages of a Linux distribution have an .egg-info.
    written = found.read_text('METADATA') or found.read_text('PKG-INFO') or ''
    # Parsing all metadata, as `importlib.metadata.version` does, would take most of this check.
    lines = (line.partition(': ') for line in written.splitlines())
    return next((value for key, _, value in lines if key == 'Version'), '')


check_mujoco()
