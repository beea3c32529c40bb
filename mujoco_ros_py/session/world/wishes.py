"""The options that the model of an entity asks for, and whether its world has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ...mjcf import RootElement
from ...mjcf.tree.element import Element
from ...simulation import Option

_OF_WORLD = 'option', 'statistic', 'visual'
_SIZES_OF_WORLD = 'nkey', 'nuserdata'
"""The sizes of what a world has for itself: keyframes, and numbers for its own callbacks."""


def take_options(model: RootElement) -> Element:
    """Removes from an entity's model what holds for a whole world; returns its options."""
    options = model.option
    for section in [each for each in model._children if each.tag in _OF_WORLD]:
        model._children.remove(section)
    for key in _SIZES_OF_WORLD:
        model.size._values.pop(key, None)
    return options


def unkept(options: Element, running: Iterable[Option]) -> tuple[str, ...]:
    """Returns a sentence for each option that a world has otherwise than it is asked for."""
    return tuple(
        f'{path}={_shown(wanted)} is not kept: the world has {_shown(there)}'
        for path, wanted, there in _compared(options, _element_of(running), 'option ')
        if not np.array_equal(wanted, there)
    )


def _element_of(options: Iterable[Option]) -> Element:
    """Returns the element `<option>` that has these options."""
    element: Element = RootElement().option
    for option in options:
        section, _, key = option.name.rpartition('/')
        setattr(element.flag if section else element, key, option.value or None)
    return element


def _compared(options: Element, world: Element, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Yields the options that are set, each as it is asked for and as the world has it."""
    for key in options._values:
        yield f'{path}{key}', getattr(options, key), getattr(world, key)
    for child in options._children:
        yield from _compared(child, world.get_children(child.tag), f'{path}{child.tag} ')


def _shown(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or 'none'
    return ' '.join(f'{number:g}' for number in np.atleast_1d(value))
