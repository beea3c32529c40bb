"""Imports what the server consists of in less time; a start is little else."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

_GLFW = 'PYGLFW_LIBRARY'
"""The environment variable that tells pyGLFW which library to load."""


@contextmanager
def quick_imports() -> Iterator[None]:
    """Spares imports of work that a start does not need.

    pyGLFW, which mujoco imports, would start a Python for each library that it finds, to
    ask for its version; it loads its own one instead.
    """
    tells = _tell_glfw()
    try:
        with without_collector():
            yield
    finally:
        if tells:
            os.environ.pop(_GLFW, None)  # other processes choose for themselves


@contextmanager
def without_collector() -> Iterator[None]:
    """Pauses Python's collector while many objects are made, few of which are garbage.

    It would look several times through all of them: a fifth of the time of imports and of numba.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _tell_glfw() -> bool:
    """Sets the variable, unless the user has or a Wayland session needs another library."""
    if os.environ.get(_GLFW) or os.environ.get('XDG_SESSION_TYPE') == 'wayland':
        return False
    found = find_spec('glfw')
    folder = Path(found.origin).parent if found is not None and found.origin else None
    library = None if folder is None else folder / 'x11' / 'libglfw.so'
    if library is None or not library.is_file():
        return False
    os.environ[_GLFW] = str(library)
    return True
