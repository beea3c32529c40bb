"""Speeds up imports, which take most of the time of a server's start."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

_GLFW = 'PYGLFW_LIBRARY'
"""The environment variable with the path of the library that pyGLFW loads."""


@contextmanager
def quick_imports() -> Iterator[None]:
    """Skips work during imports that a start does not need.

    pyGLFW, which mujoco imports, would start a Python process for each library that it finds, to
    ask for the library's version. Inside this context, it only loads its own library.
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
    """Pauses Python's garbage collector, for code that creates many objects and little garbage.

    The collector would traverse all of them several times, which takes a fifth of the time of
    imports and of numba.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _tell_glfw() -> bool:
    """Sets the variable to pyGLFW's own library; returns whether it was set.

    Does nothing if the user has set the variable, or in a Wayland session, which needs another
    library.
    """
    if os.environ.get(_GLFW) or os.environ.get('XDG_SESSION_TYPE') == 'wayland':
        return False
    found = find_spec('glfw')
    folder = Path(found.origin).parent if found is not None and found.origin else None
    library = None if folder is None else folder / 'x11' / 'libglfw.so'
    if library is None or not library.is_file():
        return False
    os.environ[_GLFW] = str(library)
    return True
