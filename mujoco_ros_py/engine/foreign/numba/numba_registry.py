"""Takes overloads out of numba's registry, for which numba has no function.

This relies on these facts of numba, besides those that `numba_templates` names:

- `builtin_registry` has lists of classes of templates (`functions`, `attributes`) and of objects
  with their types (`globals`). Contexts read the lists by position, so no list may become shorter.
- The typing context has made an instance of each template that it has read, in `_functions` and
  `_attributes`, and it has the types of objects in `_globals`.
- An overload that returns None declines, and numba goes on to the next one.
- Code that uses an overloaded attribute or method asks the class of the template that was
  registered last for the type of its implementation (`_get_function_type`).
- The target context has caches by type, which keep functions alive: models of data in
  `data_model_manager`, the selectors `_casts` and `_get_constants`.
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
    """Returns the templates of functions that modules have registered, by `id` of `vars(module)`.

    Until numba is imported, there are none.
    """
    if TEMPLATES not in sys.modules or not namespaces:
        return []
    registry = import_module(TEMPLATES).builtin_registry  # waits for a thread that imports it now
    every = [*registry.functions, *registry.attributes]
    return [template for template in every if _is_in(template, namespaces)]


def is_retired(template: Template) -> bool:
    """Returns whether a template has been silenced, or stands in for one that was removed."""
    return implementation_of(template) is _decline or getattr(template, 'key', None) is _decline


def silence(template: Template) -> dict[str, Any]:
    """Has an overload decline whatever it is asked for; returns what `restore` needs."""
    if implementation_of(template) is None:
        return {}  # an intrinsic, which is found by its own name only
    own = vars(template)
    before = {name: own[name] for name in ('_overload_func', '_attr') if name in own}
    with _compiler_lock():
        # Without a `staticmethod`, the function would become a method of the template.
        template._overload_func = staticmethod(_decline)
        if '_attr' in before:
            template._own_attribute, template._attr = before['_attr'], _NO_ATTRIBUTE
        forget_compiled(template)
    return before


def restore(template: Template, before: dict[str, Any]) -> None:
    """Puts a silenced overload back into use."""
    if before:
        with _compiler_lock():
            for name, value in before.items():
                setattr(template, name, value)
            forget_compiled(template)


def remove(templates: Collection[Template]) -> None:
    """Has numba forget templates and the functions that they are for."""
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
    """Clears the caches by which numba keeps functions alive that nobody uses."""
    if 'numba.core.registry' not in sys.modules:
        return
    with _compiler_lock():
        context = _target().target_context
        for keeping in (context._casts, context._get_constants, context.data_model_manager):
            keeping._cache.clear()


def _forward(template: Template) -> None:
    """Has code that asks a removed template get the type of the one that is in use."""
    attribute = template._own_attribute

    def function_type(context: Typing, kind: Any) -> Any:
        every = context._get_attribute_templates(kind)
        used = next(each for each in every if attribute_of(each) == attribute)
        return used._get_function_type(context, kind)

    template._get_function_type = staticmethod(function_type)


def _take_out_of_lists(registry: Any, gone: set[Template]) -> None:
    for number, template in enumerate(registry.functions):
        if template in gone:
            # An entry takes its place: contexts remember how far they have read, by position.
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
    """Is called in place of an implementation that is out of use."""


@cache
def _no_template(base: str) -> Any:
    """Returns an entry for the lists of the registry that has no effect."""
    kind = getattr(sys.modules[TEMPLATES], base)
    return type('NoTemplate', (kind,), {'key': _decline, 'generic': _decline})


def _target() -> Any:
    return sys.modules['numba.core.registry'].cpu_target


def _compiler_lock() -> Any:
    """Returns the lock that numba holds while it compiles."""
    return sys.modules['numba.core.compiler_lock'].global_compiler_lock
