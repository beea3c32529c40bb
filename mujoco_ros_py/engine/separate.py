"""Functions that are compiled separately, once for all compiled callers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Generic, ParamSpec, TypeVar

from ..errors import PluginError

P = ParamSpec('P')
R = TypeVar('R')


class Separate(Generic[P, R]):
    """A function that compiled functions call by address; in Python it is called unchanged."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.py_func = function
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the undecorated function."""
        return self.py_func(*args, **kwargs)


def separate(function: Callable[P, R]) -> Separate[P, R]:
    """Decorates a module-level function for use in compiled functions.

    The function is compiled once per combination of argument types, cached, and shared by all
    callers. Large functions that many plugins call compile faster than with `inlined`; a call
    takes a few nanoseconds longer. Compiled functions must pass the arguments by position. The
    function must not refer to objects of its process, as `print` does, nor raise exceptions of
    classes that are not built in. Raises PluginError for anything other than a plain function.
    """
    if not isinstance(function, FunctionType):
        name = getattr(function, '__qualname__', repr(function))
        raise PluginError(f'@separate decorates functions; {name} is a {type(function).__name__}')
    return Separate(function)
