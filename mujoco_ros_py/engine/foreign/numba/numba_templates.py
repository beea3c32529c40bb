"""The templates by which numba finds what users have overloaded.

This relies on these facts of numba:

- A template of `overload` keeps what it has compiled in `_impl_cache`, compiles it with the
  decorator that its `_get_jit_decorator` returns, and has the options for it in `_jit_options`.
- `overload` makes a template and adds it to `builtin_registry`, whose lists only grow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .numba_objects import Template

TEMPLATES = 'numba.core.typing.templates'
"""The module of numba that has the templates and their registry."""


def registered_templates(
    functions: int, attributes: int
) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Returns what was registered with numba after this many functions and attributes.

    Functions come with their types, which have templates; attributes are templates.
    """
    if TEMPLATES not in sys.modules:
        return [], []
    registry = import_module(TEMPLATES).builtin_registry  # waits for a thread that imports it now
    return registry.globals[functions:], registry.attributes[attributes:]


def implementation_of(template: Template) -> Any:
    """Returns the function decorated with `overload`, or None for another kind of template."""
    return getattr(template, '_overload_func', None)


def intrinsic_of(template: Template) -> Any:
    """Returns the function decorated with `intrinsic`, or None for another kind of template."""
    return getattr(template, '_definition_func', None)


def attribute_of(template: Template) -> str:
    """Returns the attribute of `overload_attribute` or `overload_method`; empty for a function."""
    return getattr(template, '_attr', '')


def overload_options(template: Template) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Returns the options of `overload`, and those for compiling its implementation."""
    how = (
        getattr(template, '_strict', None),
        getattr(template, 'prefer_literal', None),
        getattr(getattr(template, '_inline', None), '_inline', None),
    )
    return how, getattr(template, '_jit_options', None) or {}


def keeps_compiled(template: Template) -> bool:
    """Returns whether a template keeps the implementations that it has compiled."""
    return hasattr(template, '_impl_cache')


def forget_compiled(template: Template) -> None:
    """Has a template compile its implementations again."""
    template._impl_cache.clear()


def replace_decorator(
    template: Template, decorator_of: Callable[[Any], Callable[..., Any]]
) -> None:
    """Has a template compile with what `decorator_of(template)` returns from now on."""
    template._get_jit_decorator = decorator_of
