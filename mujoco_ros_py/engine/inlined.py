"""Functions that compiled code calls, without importing numba before something is compiled."""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import cached_property
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar

from ..errors import PluginError

P = ParamSpec('P')
R = TypeVar('R')


class Inlined(Generic[P, R]):
    """A function for compiled functions to call; from Python it is called as it is."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.py_func = function
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function as Python does."""
        return self.py_func(*args, **kwargs)

    @cached_property
    def dispatcher(self) -> Any:
        """What numba makes of it: a part of the function that calls it, not a call."""
        import numba

        return numba.njit(nogil=True, forceinline=True)(self.py_func)


def inlined(function: Callable[P, R]) -> Inlined[P, R]:
    """Decorates a function of a module that compiled functions call.

    Raises PluginError for anything but a function: one that `numba.njit` has decorated is called
    by compiled functions as it is.
    """
    if not isinstance(function, FunctionType):
        name = getattr(function, '__qualname__', repr(function))
        raise PluginError(
            f'@inlined decorates functions, {name} is a {type(function).__name__};'
            ' compiled functions call what @numba.njit decorates without @inlined'
        )
    return Inlined(function)
