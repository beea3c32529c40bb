"""Functions for compiled code that are compiled once, by themselves, whoever calls them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, overload

from ..errors import PluginError

P = ParamSpec('P')
R = TypeVar('R')


class Separate(Generic[P, R]):
    """A function that compiled functions call at its address; Python calls it unchanged."""

    def __init__(self, function: Callable[P, R], *, wide_vectors: bool = False) -> None:
        self.py_func, self.wide_vectors = function, wide_vectors
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function as Python does."""
        return self.py_func(*args, **kwargs)


@overload
def separate(function: Callable[P, R]) -> Separate[P, R]: ...


@overload
def separate(*, wide_vectors: bool) -> Callable[[Callable[P, R]], Separate[P, R]]: ...


def separate(function: Callable[P, R] | None = None, *, wide_vectors: bool = False) -> Any:
    """Decorates a function of a module that compiled functions call by position.

    Its code is compiled once for each combination of types of its arguments, is kept in the cache,
    and is shared by all callers: large functions that many plugins call compile faster than with
    `inlined`, and a call takes some nanoseconds longer. The function must not refer to objects of
    its process, as `print` does, nor raise exceptions of classes that are not built in.

    With `wide_vectors` its loops compute 8 float64 numbers at once on processors with AVX-512,
    where LLVM takes 4 by default. Long loops with many operations for each number that they read
    gain by it. Raises PluginError for anything but a plain function.
    """
    if function is None:
        return functools.partial(separate, wide_vectors=wide_vectors)
    if not isinstance(function, FunctionType):
        name = getattr(function, '__qualname__', repr(function))
        raise PluginError(f'@separate decorates functions, {name} is a {type(function).__name__}')
    return Separate(function, wide_vectors=wide_vectors)
