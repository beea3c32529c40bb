"""Functions for compiled code that are compiled once, by themselves, whoever calls them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Generic, ParamSpec, TypeVar

from ..errors import PluginError

P = ParamSpec('P')
R = TypeVar('R')


class Separate(Generic[P, R]):
    """A function that compiled functions call at its address; Python calls it unchanged."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.py_func = function
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function as Python does."""
        return self.py_func(*args, **kwargs)


def separate(function: Callable[P, R]) -> Separate[P, R]:
    """Decorates a function of a module that compiled functions call by position.

    Its code is compiled once for each combination of types of its arguments, is kept in the cache,
    and is shared by all callers: large functions that many plugins call compile faster than with
    `inlined`, and a call takes some nanoseconds longer. The function must not refer to objects of
    its process, as `print` does, nor raise exceptions of classes that are not built in. Raises
    PluginError for anything but a plain function.
    """
    if not isinstance(function, FunctionType):
        name = getattr(function, '__qualname__', repr(function))
        raise PluginError(f'@separate decorates functions, {name} is a {type(function).__name__}')
    return Separate(function)
