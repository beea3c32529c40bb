"""Reads the implementations that users have registered with numba, and retires overloads.

This module does not import numba: until another module does, nothing is registered.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator
from functools import reduce
from types import FunctionType, ModuleType
from typing import Any

from ..foreign.numba.numba_internals import has_given_types, is_type, pipeline_of
from ..foreign.numba.numba_objects import NumbaFunction, Template
from ..foreign.numba.numba_registry import (
    forget_functions,
    is_retired,
    remove,
    restore,
    silence,
    templates_in,
)
from ..foreign.numba.numba_templates import (
    attribute_of,
    implementation_of,
    intrinsic_of,
    keeps_compiled,
    overload_options,
    registered_templates,
)
from .code_references import UnfollowedError
from .installed_packages import installed_name, is_installed

_Overload = tuple[Any, ...]
_TYPES = {'Integer', 'Float', 'Complex', 'Boolean', 'NoneType'}


def options(dispatcher: NumbaFunction) -> Iterator[Any]:
    """Yields the options with which a dispatcher compiles its function.

    Raises UnfollowedError for a user-defined compiler.
    """
    pipeline = pipeline_of(dispatcher)
    if installed_name(pipeline) is None:
        raise UnfollowedError(f'compiled by {pipeline.__qualname__}')
    yield _sorted(dispatcher.targetoptions)
    yield _sorted(dispatcher.locals)
    if has_given_types(dispatcher):
        yield list(dispatcher.overloads)


def numba_type(value: Any) -> tuple[Any, ...] | None:
    """Describes a numba type such as float64; returns None for other values."""
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
    """Returns whether another process can find the class by its name."""
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
    """The registrations since numba was imported."""

    def __init__(self) -> None:
        self.by_function: dict[int, tuple[Any, list[Any]]] = {}
        """Maps the `id` of each function with templates to the function, which keeps it alive, and
        its templates."""
        self.always: list[Any] = []
        """Users' overloads of other packages' objects; they also affect code that does not name
        them."""
        self.replaced: dict[int, Any] = {}
        """Objects of other packages that have a user's implementation."""
        self._read = [0, 0]
        self._reading = threading.Lock()

    def read(self) -> None:
        """Reads the registrations since the last call; thread-safe."""
        with self._reading:
            self._read_more()

    def _read_more(self) -> None:
        functions, attributes = registered_templates(*self._read)
        for function, kind in functions:
            for template in getattr(kind, 'templates', ()):
                if not is_retired(template):
                    self._take(function, template)
        for template in attributes:
            has_code = implementation_of(template) is not None and not is_retired(template)
            if has_code and not _is_shipped(template):
                self.always.append(template)
        # numba's lists only grow, so each entry is read once.
        self._read = [self._read[0] + len(functions), self._read[1] + len(attributes)]

    def _take(self, function: Any, template: Template) -> None:
        if not is_installed(getattr(function, '__module__', None)):
            self.by_function.setdefault(id(function), (function, []))[1].append(template)
        elif _is_shipped(template):
            return
        elif implementation_of(template) is not None:
            self.always.append(template)
        else:
            # A user's intrinsic or template: its code is Python that runs in the compiler, and
            # cannot be followed.
            self.replaced[id(function)] = function


_registrations = _Registrations()


def _read_anew() -> None:
    """Discards all entries, so that the next call reads numba's registry from the start.

    Called after overloads were retired or restored.
    """
    global _registrations
    _registrations = _Registrations()


class RetiredOverloads:
    """Makes numba ignore the overloads that modules have registered, before they are reloaded.

    If an old and a new module implemented the same function of a package, numba would compile the
    old implementation. Afterwards the overloads can be restored or dropped.
    """

    def __init__(self, modules: Iterable[ModuleType]) -> None:
        # Functions refer to the namespace of their module, not to the module, which may have been
        # replaced under its name.
        namespaces = {id(vars(module)) for module in modules}
        self._before = {template: silence(template) for template in templates_in(namespaces)}
        _read_anew()

    def restore(self) -> None:
        """Restores the overloads."""
        for template, before in self._before.items():
            restore(template, before)
        _read_anew()

    def drop(self) -> None:
        """Removes the overloads from numba, which would otherwise keep their modules alive."""
        remove(self._before)
        forget_functions()
        self._before = {}
        _read_anew()


def always_reached() -> list[_Overload]:
    """Returns users' implementations of other packages' methods, operators and functions."""
    _registrations.read()
    return [_describe(template) for template in _registrations.always]


def overloads_of(function: FunctionType) -> list[_Overload]:
    """Returns the functions that compiled code runs instead of a user's function.

    Raises UnfollowedError if the replacement is not a function.
    """
    _, templates = _registrations.by_function.get(id(function), (None, []))
    return [_describe(each) for each in templates if not _is_known(each)]


def is_replaced(value: Any) -> bool:
    """Returns whether a user has defined how numba compiles an object of a package."""
    return id(value) in _registrations.replaced


def user_templates() -> list[Any]:
    """Returns all overloads that belong neither to numba nor to this package."""
    _registrations.read()
    own = [each for _, templates in [*_registrations.by_function.values()] for each in templates]
    return [each for each in [*own, *_registrations.always] if keeps_compiled(each)]


def _is_known(template: Template) -> bool:
    """Returns whether an overload is an installed module's own, and not created for a user."""
    return installed_name(implementation_of(template)) is not None


def _describe(template: Template) -> _Overload:
    implementation = implementation_of(template)
    if implementation is None:
        raise UnfollowedError(f'{template.__name__} is not an overload')
    how, jit = overload_options(template)
    return implementation, attribute_of(template), *how, _sorted(jit)


def _is_shipped(template: Template) -> bool:
    """Returns whether a template belongs to numba or to this package."""
    functions = implementation_of(template), intrinsic_of(template)
    modules = [template.__module__, *(each.__module__ for each in functions if each is not None)]
    return all(module is None or is_installed(module) for module in modules)
