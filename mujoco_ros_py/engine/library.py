"""The libmujoco that the bindings loaded, and symbols for compiled code."""

from __future__ import annotations

import ctypes
import hashlib
from functools import cache
from pathlib import Path

import llvmlite.binding as llvm
import mujoco

from ..mujoco_log import forward_warnings

add_symbol = llvm.add_symbol
"""Makes an address known to compiled code under a name, before that code is loaded."""


def add_thread_key(symbol: str) -> ctypes.c_uint:
    """Makes a new pthread key known to compiled code, which finds it at the symbol's address.

    The result has to live as long as the process. Raises OSError if the process has no key left.
    """
    key = ctypes.c_uint()
    if ctypes.CDLL(None).pthread_key_create(ctypes.byref(key), None):
        raise OSError('no pthread key left')
    add_symbol(symbol, ctypes.addressof(key))
    return key


@cache
def library() -> ctypes.CDLL:
    """The shared library of the installed bindings, its symbols known to compiled code too."""
    forward_warnings()
    folder = Path(mujoco.__file__).parent
    names = sorted(folder.glob(f'libmujoco.*{mujoco.__version__}*'))
    if not names:
        raise ImportError(f'no libmujoco {mujoco.__version__} in {folder}')
    llvm.load_library_permanently(str(names[0]))
    return ctypes.CDLL(str(names[0]))


@cache
def layer_tag() -> str:
    """Version of MuJoCo and digest of this room: all code compiled here follows from it."""
    return layer_digest()


def layer_digest() -> str:
    """The same as it is by now, if the files were changed since."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob('*.py')):
        digest.update(file.read_bytes())
    return f'{mujoco.__version__}-{digest.hexdigest()[:12]}'
