"""Functions that compiled code calls, without importing numba before something is compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec('P')
R = TypeVar('R')


class Helper(Generic[P, R]):
    """A function for compiled functions to call; from Python it is called as it is."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.py_func = function
        self.__module__, self.__qualname__ = function.__module__, function.__qualname__
        self.__doc__ = function.__doc__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """As Python."""
        return self.py_func(*args, **kwargs)

    @cached_property
    def dispatcher(self) -> Any:
        """What numba makes of it: a part of the function that calls it, not a call."""
        import numba

        return numba.njit(nogil=True, forceinline=True)(self.py_func)


def helper(function: Callable[P, R]) -> Helper[P, R]:
    """Decorates a function of a module that compiled functions call."""
    return Helper(function)
