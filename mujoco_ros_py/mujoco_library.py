"""The C library of MuJoCo below its bindings, for what these do not have."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

import mujoco


@cache
def library_path() -> Path:
    """The file of the library that the bindings have loaded. Raises ImportError if there is none.

    It relies on the wheel of MuJoCo, which has one `libmujoco.*<version>*` beside the bindings.
    """
    folder = Path(mujoco.__file__).parent
    for path in sorted(folder.glob(f'libmujoco.*{mujoco.__version__}*')):
        return path
    raise ImportError(f'no libmujoco {mujoco.__version__} in {folder}')


def open_library() -> ctypes.CDLL:
    """Opens the library once more, without loading it again.

    Each caller gets an object of its own: the types that it declares for a function are for its
    own calls only.
    """
    return ctypes.CDLL(str(library_path()))
