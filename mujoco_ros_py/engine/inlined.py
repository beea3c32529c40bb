"""Functions for compiled code that do not import numba before something is compiled."""

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
    """A function that compiled functions call; Python calls it unchanged."""

    def __init__(self, function: Callable[P, R], **options: Any) -> None:
        """`options` are those of `numba.njit`."""
        self.py_func, self.options = function, options
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function as Python does."""
        return self.py_func(*args, **kwargs)

    @cached_property
    def dispatcher(self) -> Any:
        """The numba dispatcher of the function, which is inlined into its callers."""
        # Here and not at the top: a start with code from the cache never comes here.
        import numba

        return numba.njit(nogil=True, forceinline=True, **self.options)(self.py_func)


def inlined(function: Callable[P, R]) -> Inlined[P, R]:
    """Decorates a function of a module that compiled functions call.

    Raises PluginError for anything but a plain function. Functions decorated with `numba.njit` can
    be called by compiled functions without this decorator.
    """
    if not isinstance(function, FunctionType):
        name = getattr(function, '__qualname__', repr(function))
        raise PluginError(
            f'@inlined decorates functions, {name} is a {type(function).__name__};'
            ' compiled functions call what @numba.njit decorates without @inlined'
        )
    return Inlined(function)
