"""What numba has of the functions that it compiles, looked at without importing numba.

As long as numba is not imported, there is nothing of all this.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import reduce
from types import FunctionType
from typing import Any

from ..foreign.numba_internals import (
    attribute_of,
    has_given_types,
    implementation_of,
    intrinsic_of,
    is_type,
    keeps_compiled,
    overload_options,
    pipeline_of,
    registered_templates,
)
from .code_references import UnfollowedError
from .installed_packages import installed_name, is_installed

_Overload = tuple[Any, ...]
_TYPES = {'Integer', 'Float', 'Complex', 'Boolean', 'NoneType'}


def options(dispatcher: Any) -> Iterator[Any]:
    """The options that a dispatcher compiles its function with.

    Raises UnfollowedError for a compiler of the user's own.
    """
    pipeline = pipeline_of(dispatcher)
    if installed_name(pipeline) is None:
        raise UnfollowedError(f'compiled by {pipeline.__qualname__}')
    yield _sorted(dispatcher.targetoptions)
    yield _sorted(dispatcher.locals)
    if has_given_types(dispatcher):
        yield list(dispatcher.overloads)


def numba_type(value: Any) -> tuple[Any, ...] | None:
    """Describes a type of numba's, such as float64; None for anything else."""
    if not is_type(value):
        return None
    kind = type(value)
    if kind.__name__ in _TYPES:
        return 'type', value.name
    if kind.__name__ == 'Array':
        inner = numba_type(value.dtype)
        shape = value.ndim, value.layout, value.mutable, value.aligned
        return inner and ('type of array', inner, *shape)
    return None


def is_found_by_name(kind: type) -> bool:
    """Whether another process finds the class by its name, and need not take it from here."""
    module = sys.modules.get(kind.__module__)
    if module is None or kind.__module__ == '__main__':
        return False
    try:
        return reduce(getattr, kind.__qualname__.split('.'), module) is kind  # type: ignore[comparison-overlap]
    except AttributeError:
        return False


def _sorted(mapping: dict[str, Any]) -> dict[str, Any]:
    return {name: mapping[name] for name in sorted(mapping)}


class _Registrations:
    """What was registered with numba since it was imported; its lists only grow."""

    def __init__(self) -> None:
        self.by_function: dict[int, tuple[Any, list[Any]]] = {}
        """Templates of functions by the address of these, which are kept."""
        self.always: list[Any] = []
        """Overloads by users of what does not belong to them: compiled code need not name it."""
        self.replaced: dict[int, Any] = {}
        """What does not belong to users, but has an implementation of theirs."""
        self._read = [0, 0]

    def read(self) -> None:
        """Takes what was registered since the last call."""
        functions, attributes = registered_templates(*self._read)
        for function, kind in functions:
            for template in getattr(kind, 'templates', ()):
                self._take(function, template)
        for template in attributes:
            if implementation_of(template) is not None and not _is_shipped(template):
                self.always.append(template)
        self._read = [self._read[0] + len(functions), self._read[1] + len(attributes)]

    def _take(self, function: Any, template: Any) -> None:
        if not is_installed(getattr(function, '__module__', None)):
            self.by_function.setdefault(id(function), (function, []))[1].append(template)
        elif _is_shipped(template):
            return
        elif implementation_of(template) is not None:
            self.always.append(template)
        else:
            self.replaced[id(function)] = function


_registrations = _Registrations()


def always_reached() -> list[_Overload]:
    """Implementations by users of methods, operators and functions that are not theirs."""
    _registrations.read()
    return [_describe(template) for template in _registrations.always]


def overloads_of(function: FunctionType) -> list[_Overload]:
    """What compiled code runs in place of a function of the user.

    Raises UnfollowedError if it is something other than another function.
    """
    _, templates = _registrations.by_function.get(id(function), (None, []))
    return [_describe(each) for each in templates if not _is_known(each)]


def is_replaced(value: Any) -> bool:
    """Whether somebody told numba how to compile what belongs to a package."""
    return id(value) in _registrations.replaced


def user_templates() -> list[Any]:
    """All overloads that are not numba's own or ours."""
    _registrations.read()
    own = [each for _, templates in _registrations.by_function.values() for each in templates]
    return [each for each in [*own, *_registrations.always] if keeps_compiled(each)]


def _is_known(template: Any) -> bool:
    """Whether the overload is a function of an installed module, not one made for the user."""
    return installed_name(implementation_of(template)) is not None


def _describe(template: Any) -> _Overload:
    implementation = implementation_of(template)
    if implementation is None:
        raise UnfollowedError(f'{template.__name__} is no overload')
    how, jit = overload_options(template)
    return implementation, attribute_of(template), *how, _sorted(jit)


def _is_shipped(template: Any) -> bool:
    """Whether it comes with numba or with this package."""
    functions = implementation_of(template), intrinsic_of(template)
    modules = [template.__module__, *(each.__module__ for each in functions if each is not None)]
    return all(module is None or is_installed(module) for module in modules)
