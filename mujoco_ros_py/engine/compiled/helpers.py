"""Compiled: the functions that a compiled function calls, which are compiled anew with it.

numba compiles a function once for arguments of some types and keeps that, with the constants of
that time. What is kept on disk must follow from what there is now, so no code that numba has
already becomes a part of it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba import types
from numba.core.registry import CPUDispatcher
from numba.extending import typeof_impl

from ..helper import Helper
from ..identity import user_templates


class _Thread(threading.local):
    copies: dict[Any, Any] | None = None
    """While the thread compiles: of helpers, by what they are copies of."""


_thread = _Thread()


@contextmanager
def compiling_anew() -> Iterator[None]:
    """Within, helpers are compiled as if nothing had been compiled yet."""
    for template in user_templates():
        template._impl_cache.clear()
    before, _thread.copies = _thread.copies, {}
    try:
        yield
    finally:
        _thread.copies = before


@typeof_impl.register(Helper)
def _typeof_helper(value: Helper[Any, Any], context: Any) -> types.Dispatcher:
    return _typeof_dispatcher(value.dispatcher, context)


@typeof_impl.register(CPUDispatcher)
def _typeof_dispatcher(value: Any, context: Any) -> types.Dispatcher:
    return types.Dispatcher(value if _thread.copies is None else _copy(value, _thread.copies))


def _copy(dispatcher: Any, copies: dict[Any, Any]) -> Any:
    if dispatcher not in copies:
        pipeline = dispatcher._compiler.pipeline_class
        copies[dispatcher] = made = CPUDispatcher(
            dispatcher.py_func, dispatcher.locals, dispatcher.targetoptions, pipeline
        )
        if not dispatcher._can_compile:  # the types of its arguments were given
            for signature in dispatcher.nopython_signatures:
                made.compile(signature)
            made.disable_compile()
    return copies[dispatcher]
