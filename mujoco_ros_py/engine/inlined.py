"""Functions for compiled code that do not import numba until they are compiled."""

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
    """A function that compiled functions inline; in Python it is called unchanged."""

    def __init__(self, function: Callable[P, R], **options: Any) -> None:
        """`options` are passed to `numba.njit`."""
        self.py_func, self.options = function, options
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the undecorated function."""
        return self.py_func(*args, **kwargs)

    @cached_property
    def dispatcher(self) -> Any:
        """The function's numba dispatcher, which inlines the function into its callers."""
        # Imported here and not at the top: a start with cached code does not need numba.
        import numba

        return numba.njit(nogil=True, forceinline=True, **self.options)(self.py_func)


def inlined(function: Callable[P, R]) -> Inlined[P, R]:
    """Decorates a module-level function for use in compiled functions.

    Raises PluginError for anything other than a plain function. Compiled functions can call
    functions decorated with `numba.njit` without this decorator.
    """
    if not isinstance(function, FunctionType):
        name = getattr(function, '__qualname__', repr(function))
        raise PluginError(
            f'@inlined decorates functions, but {name} is a {type(function).__name__};'
            ' functions decorated with @numba.njit do not need @inlined'
        )
    return Inlined(function)
