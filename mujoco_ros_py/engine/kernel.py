"""The compiled functions of this room, as addresses and as functions that Python can call."""

from __future__ import annotations

import ctypes
from functools import cache, partial
from typing import Any

from . import native
from .cache import NativeCode

LOOP = {
    'on_control': 2,
    'on_passive': 2,
    'full_step': 3,
    'forward': 3,
    'forward_once': 4,
    'run': 5,
}
EXTENSIONS = {
    'plugin_destroy': 2,
    'plugin_copy': 4,
    'plugin_reset': 4,
    'plugin_compute': 4,
    'plugin_advance': 3,
    'plugin_actuator_act_dot': 3,
    'plugin_visualize': 5,
    'plugin_sdf_distance': 3,
    'plugin_sdf_gradient': 4,
    'plugin_sdf_staticdistance': 2,
    'plugin_sdf_aabb': 2,
}
ARGUMENTS = {**LOOP, 'render': 3, 'render_once': 5, **EXTENSIONS}
"""Names in `compiled.kernel` and `compiled.extensions`, and how many integers each takes; what
they do is said there. Every simulation needs LOOP, engine plugins need EXTENSIONS."""


@cache
def function(name: str) -> native.Loaded:
    """A function's code, from the cache or compiled now."""
    what = 'engine plugins' if name in EXTENSIONS else 'the physics loop'
    key = native.Key(('kernel', name))
    loaded = native.load(f'{what} ({name})', lambda: key, partial(_compile, name))
    assert loaded is not None
    return loaded


@cache
def call(name: str) -> Any:
    """The function for Python to call; it runs without the GIL."""
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * ARGUMENTS[name])
    return prototype(function(name).address)


def _compile(name: str) -> NativeCode:
    from . import compiled  # imports numba

    compile_ = compiled.compile_extension if name in EXTENSIONS else compiled.compile_kernel
    return compile_(name, ARGUMENTS[name])
