"""The package's own compiled functions, as addresses and as Python callables."""

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
PIPES = {'push_message': 2, 'pop_message': 2, 'serve_pipes': 1, 'run_pipes': 1}
LOCKSTEP = {'await_answers': 4, 'take_earlier': 4, 'repeat': 1, 'take_answers': 3}
WORLDS = {'work': 2, 'help_out': 2}
CRASHES = {'on_crash': 1}
PAINT = {'render': 3, 'call_guarded': 5}
ARGUMENTS = {
    **LOOP, **PAINT, **MESSAGES, **PIPES, **LOCKSTEP, **CRASHES, **WORLDS, **ENGINE_PLUGINS
}  # fmt: skip
"""The number of integer arguments of each function of `compiled.kernel`,
`compiled.engine_plugin_calls` and other modules, by name. Every simulation needs LOOP. Simulations
with messages need MESSAGES, message filters PIPES, lockstep needs LOCKSTEP, servers need CRASHES,
compiled render callbacks PAINT, batches of worlds WORLDS, and engine plugins ENGINE_PLUGINS."""


_loading = threading.Lock()
_ready: set[str] = set()
"""The names of the functions that `prepare` has loaded."""
_places: dict[str, str] = {}
"""Positions of the functions in the current compilation ("2 of 5"), for the log."""


def function(name: str) -> machine_code.Loaded:
    """Returns the code of a function, from the cache or newly compiled.

    Concurrent callers get the same code. If each loaded its own copy, all but one copy would be
    freed while threads still run them.
    """
    with _loading:
        return _function(name)


@cache
def _function(name: str) -> machine_code.Loaded:
    # Never clear this cache: MuJoCo's callbacks and many records contain addresses of the code.
    what = 'engine plugins' if name in ENGINE_PLUGINS else 'the physics loop'
    place = _places.pop(name, '')
    return machine_code.load(
        f'{what}{place} ({name})', lambda: _key(name), partial(_compile, name)
    )


def load_ahead() -> None:
    """Loads the functions that the server needs from the cache, on a separate thread.

    LLVM links code without the GIL, so Python can import modules at the same time.
    """

    def load() -> None:
        for name in (*LOOP, *MESSAGES, *CRASHES):
            with _loading:
                # Releases the lock between two functions, so another thread can load the function
                # that it needs without waiting for all.
                if machine_code.load_kept(_key(name)) is None:
                    return  # compiled and logged on first use

    # A daemon: a failing start must not wait for code that it no longer needs.
    threading.Thread(target=load, name='code', daemon=True).start()


def prepare(*groups: Mapping[str, int]) -> None:
    """Loads or compiles the functions of groups such as LOOP; the log numbers the compilations."""
    with _loading:
        names = [name for group in groups for name in group if name not in _ready]
        missing = [name for name in names if machine_code.load_kept(_key(name)) is None]
        # Counts the missing functions before compiling, so that the log can show the total.
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
    """Returns a Python callable that runs the function without the GIL."""
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * ARGUMENTS[name])
    return prototype(function(name).address)


def _compile(name: str) -> NativeCode:
    from . import compiled  # imports numba

    for_plugins = name in ENGINE_PLUGINS
    build = compiled.compile_engine_plugin_call if for_plugins else compiled.compile_kernel
    return build(name, ARGUMENTS[name])
