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

    Python's collector would look several times through ever more modules, in which nothing is
    garbage. pyGLFW, which mujoco imports, would start a Python for each library that it finds, to
    ask for its version; it loads its own one instead.
    """
    collects, tells = gc.isenabled(), _tell_glfw()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
        if tells:
            os.environ.pop(_GLFW, None)  # other processes choose for themselves


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
