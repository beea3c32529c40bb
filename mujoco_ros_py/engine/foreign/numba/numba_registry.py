"""Removes overloads from numba's registry, which numba itself cannot do.

This module relies on these facts of numba, in addition to those in `numba_templates`:

- `builtin_registry` has lists of template classes (`functions`, `attributes`) and of objects with
  their types (`globals`). Contexts read the lists by position, so no list may become shorter.
- The typing context has an instance of each template that it has read, in `_functions` and
  `_attributes`, and the types of objects in `_globals`.
- An overload that returns None declines, and numba tries the next overload.
- Code that uses an overloaded attribute or method gets the type of its implementation from the
  template registered last (`_get_function_type`).
- The target context has caches by type that keep functions alive: the data models in
  `data_model_manager`, and the selectors `_casts` and `_get_constants`.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from functools import cache
from importlib import import_module
from typing import Any

from .numba_objects import Template, Typing
from .numba_templates import (
    TEMPLATES,
    attribute_of,
    forget_compiled,
    implementation_of,
    intrinsic_of,
)

_NO_ATTRIBUTE = ''
"""A name that no attribute has."""


def templates_in(namespaces: Collection[int]) -> list[Template]:
    """Returns the templates of the functions that modules have registered with numba.

    `namespaces` has the `id` of `vars(module)` for each module. The list is empty until numba is
    imported.
    """
    if TEMPLATES not in sys.modules or not namespaces:
        return []
    # waits for a thread that is importing the module
    registry = import_module(TEMPLATES).builtin_registry
    every = [*registry.functions, *registry.attributes]
    return [template for template in every if _is_in(template, namespaces)]


def is_retired(template: Template) -> bool:
    """Returns whether a template has been silenced, or replaces a removed template."""
    return implementation_of(template) is _decline or getattr(template, 'key', None) is _decline


def silence(template: Template) -> dict[str, Any]:
    """Makes an overload decline all requests; returns the argument for `restore`."""
    if implementation_of(template) is None:
        return {}  # an intrinsic, which is only found by its own name
    own = vars(template)
    before = {name: own[name] for name in ('_overload_func', '_attr') if name in own}
    with _compiler_lock():
        # Without `staticmethod`, the function would become a method of the template.
        template._overload_func = staticmethod(_decline)
        if '_attr' in before:
            template._own_attribute, template._attr = before['_attr'], _NO_ATTRIBUTE
        forget_compiled(template)
    return before


def restore(template: Template, before: dict[str, Any]) -> None:
    """Restores a silenced overload."""
    if before:
        with _compiler_lock():
            for name, value in before.items():
                setattr(template, name, value)
            forget_compiled(template)


def remove(templates: Collection[Template]) -> None:
    """Removes templates, and the functions that they implement, from numba."""
    gone = set(templates)
    if not gone:
        return
    with _compiler_lock():
        for template in gone:
            if hasattr(template, '_own_attribute'):
                _forward(template)
        _take_out_of_lists(sys.modules[TEMPLATES].builtin_registry, gone)
        _take_out_of_context(_target().typing_context, gone)


def forget_functions() -> None:
    """Clears the caches through which numba keeps unused functions alive."""
    if 'numba.core.registry' not in sys.modules:
        return
    with _compiler_lock():
        context = _target().target_context
        for keeping in (context._casts, context._get_constants, context.data_model_manager):
            keeping._cache.clear()


def _forward(template: Template) -> None:
    """Makes a removed template take its types from the template that numba uses now.

    Compiled code may still refer to the removed template.
    """
    attribute = template._own_attribute

    def function_type(context: Typing, kind: Any) -> Any:
        every = context._get_attribute_templates(kind)
        used = next(each for each in every if attribute_of(each) == attribute)
        return used._get_function_type(context, kind)

    template._get_function_type = staticmethod(function_type)


def _take_out_of_lists(registry: Any, gone: set[Template]) -> None:
    for number, template in enumerate(registry.functions):
        if template in gone:
            # Replaces the entry instead of removing it: contexts remember how far they have read.
            registry.functions[number] = _no_template('AbstractTemplate')
    for number, template in enumerate(registry.attributes):
        if template in gone:
            registry.attributes[number] = _no_template('AttributeTemplate')
    for number, (_, kind) in enumerate(registry.globals):
        if gone.intersection(_templates_of(kind)):
            registry.globals[number] = _decline, type(kind)(_no_template('AbstractTemplate'))


def _take_out_of_context(context: Typing, gone: set[Template]) -> None:
    for table in (context._functions, context._attributes):
        for key, templates in list(table.items()):
            table[key] = [each for each in templates if type(each) not in gone]
            if not table[key]:
                del table[key]
    for place, kind in list(context._globals.items()):
        left = [each for each in _templates_of(kind) if each not in gone]
        if len(left) < len(_templates_of(kind)):
            del context._globals[place]
            if left:
                context._globals[place] = type(kind)(left)


def _templates_of(kind: Any) -> tuple[Template, ...]:
    return getattr(kind, 'templates', ())


def _is_in(template: Template, namespaces: Collection[int]) -> bool:
    functions = implementation_of(template), intrinsic_of(template), getattr(template, 'key', None)
    return any(id(getattr(each, '__globals__', None)) in namespaces for each in functions)


def _decline(*arguments: Any, **keywords: Any) -> None:
    """Stands in for a retired implementation, and declines all requests."""


@cache
def _no_template(base: str) -> Any:
    """Returns an entry without effect for the lists of the registry."""
    kind = getattr(sys.modules[TEMPLATES], base)
    return type('NoTemplate', (kind,), {'key': _decline, 'generic': _decline})


def _target() -> Any:
    return sys.modules['numba.core.registry'].cpu_target


def _compiler_lock() -> Any:
    """Returns the lock that numba holds while compiling."""
    return sys.modules['numba.core.compiler_lock'].global_compiler_lock
