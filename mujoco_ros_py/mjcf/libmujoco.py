"""Opens MuJoCo's C library, for functions that the Python bindings lack."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

import mujoco


@cache
def libmujoco() -> ctypes.CDLL:
    """Returns the library that the bindings have loaded. Raises RuntimeError if it is missing."""
    folder = Path(mujoco.__file__).parent
    for path in folder.glob(f'libmujoco.*{mujoco.__version__}*'):
        return ctypes.CDLL(str(path))
    raise RuntimeError(f'no libmujoco {mujoco.__version__} in {folder}')
