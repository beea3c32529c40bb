"""The templates through which numba finds users' overloads.

This module relies on these facts of numba:

- A template of `overload` stores compiled implementations in `_impl_cache`, compiles them with the
  decorator returned by `_get_jit_decorator`, and has the compile options in `_jit_options`.
- `overload` creates a template and adds it to `builtin_registry`, whose lists only grow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .numba_objects import Template

TEMPLATES = 'numba.core.typing.templates'
"""The numba module with the templates and their registry."""


def registered_templates(
    functions: int, attributes: int
) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Returns numba's registrations except the first `functions` and the first `attributes`.

    Functions come with their types, which contain templates; attributes are templates.
    """
    if TEMPLATES not in sys.modules:
        return [], []
    # waits for a thread that is importing the module
    registry = import_module(TEMPLATES).builtin_registry
    return registry.globals[functions:], registry.attributes[attributes:]


def implementation_of(template: Template) -> Any:
    """Returns the function decorated with `overload`, or None for another kind of template."""
    return getattr(template, '_overload_func', None)


def intrinsic_of(template: Template) -> Any:
    """Returns the function decorated with `intrinsic`, or None for another kind of template."""
    return getattr(template, '_definition_func', None)


def attribute_of(template: Template) -> str:
    """Returns the attribute of `overload_attribute` or `overload_method`, or '' for a function."""
    return getattr(template, '_attr', '')


def overload_options(template: Template) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Returns the options of `overload`, and the options for compiling its implementation."""
    how = (
        getattr(template, '_strict', None),
        getattr(template, 'prefer_literal', None),
        getattr(getattr(template, '_inline', None), '_inline', None),
    )
    return how, getattr(template, '_jit_options', None) or {}


def keeps_compiled(template: Template) -> bool:
    """Returns whether a template stores the implementations that it has compiled."""
    return hasattr(template, '_impl_cache')


def forget_compiled(template: Template) -> None:
    """Makes a template compile its implementations again."""
    template._impl_cache.clear()


def replace_decorator(
    template: Template, decorator_of: Callable[[Any], Callable[..., Any]]
) -> None:
    """Makes a template compile with the decorator that `decorator_of(template)` returns."""
    template._get_jit_decorator = decorator_of
