"""The compiled functions of this package, as addresses and as functions for Python."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from . import machine_code
from .cache import NativeCode

LOOP = {
    'on_control': 2,
    'on_passive': 2,
    'full_step': 3,
    'forward': 3,
    'forward_once': 4,
    'run': 5,
}
ENGINE_PLUGINS = {
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
MESSAGES = {
    'take_messages': 3,
    'take_all': 3,
    'wake_loop': 2,
    'read_ring': 2,
    'deliver': 3,
    'run_clock': 1,
    'send_now': 1,
}
LOCKSTEP = {'await_answers': 4, 'take_earlier': 4, 'repeat': 1, 'take_answers': 3}
WORLDS = {'work': 2, 'help_out': 2}
CRASHES = {'on_crash': 1}
PAINT = {'render': 3, 'call_guarded': 5}
ARGUMENTS = {**LOOP, **PAINT, **MESSAGES, **LOCKSTEP, **CRASHES, **WORLDS, **ENGINE_PLUGINS}
"""The number of integers that each function of `compiled.kernel`, `compiled.engine_plugin_calls`
and the like takes, by name. Every simulation needs LOOP, simulations that exchange messages need
MESSAGES, those in lockstep LOCKSTEP, servers CRASHES, compiled render callbacks PAINT, batches of
worlds WORLDS, and engine plugins ENGINE_PLUGINS."""


_loading = threading.Lock()
_ready: set[str] = set()
"""The functions that were prepared."""
_places: dict[str, str] = {}
"""The places of functions among those that are being compiled, for the log."""


def function(name: str) -> machine_code.Loaded:
    """Returns the code of a function, from the cache or newly compiled.

    Threads that ask for it at the same time get the same code: if each loaded its own, all but one
    would be freed, although a thread runs it.
    """
    with _loading:
        return _function(name)


@cache
def _function(name: str) -> machine_code.Loaded:
    # never clear this cache: MuJoCo's callbacks and many records have addresses of its code
    what = 'engine plugins' if name in ENGINE_PLUGINS else 'the physics loop'
    place = _places.pop(name, '')
    return machine_code.load(
        f'{what}{place} ({name})', lambda: _key(name), partial(_compile, name)
    )


def load_ahead() -> None:
    """Loads what the server will need, on a thread of its own, as long as it is in the cache.

    LLVM links code without the GIL, so that Python can import modules meanwhile.
    """

    def load() -> None:
        for name in (*LOOP, *MESSAGES, *CRASHES):
            with _loading:
                # The lock is released between two functions, so that a thread that needs one of
                # them now need not wait for all.
                if machine_code.load_kept(_key(name)) is None:
                    return  # it is compiled when it is needed, and the user hears of that

    # A daemon: a start that fails must not wait for code that it no longer needs.
    threading.Thread(target=load, name='code', daemon=True).start()


def prepare(*groups: Mapping[str, int]) -> None:
    """Has functions ready, such as LOOP and MESSAGES; the log counts those that are compiled."""
    with _loading:
        names = [name for group in groups for name in group if name not in _ready]
        missing = [name for name in names if machine_code.load_kept(_key(name)) is None]
        # Counted before the first one is compiled, so that the log says how much is to come.
        _places.update((name, f', {k} of {len(missing)}') for k, name in enumerate(missing, 1))
        for name in names:
            _function(name)
        _ready.update(names)


def wake_function() -> int:
    """Returns the address of the C function `wake(event, count)`, which signals an eventfd."""
    return function('wake_loop').address


def _key(name: str) -> machine_code.Key:
    return machine_code.Key(('kernel', name))


@cache
def call(name: str) -> Any:
    """Returns a function for Python to call, which runs without the GIL."""
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * ARGUMENTS[name])
    return prototype(function(name).address)


def _compile(name: str) -> NativeCode:
    from . import compiled  # imports numba

    for_plugins = name in ENGINE_PLUGINS
    build = compiled.compile_engine_plugin_call if for_plugins else compiled.compile_kernel
    return build(name, ARGUMENTS[name])
