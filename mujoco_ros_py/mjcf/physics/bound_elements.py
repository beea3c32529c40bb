"""Finds the kind of bound elements, and their ids in the compiled model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..tree.element import Element
from .compiled_names import kind_of, name_now
from .memory import Memory
from .rows import KINDS


def elements_in(collection: Any) -> tuple[Element, ...]:
    """Returns the elements of a collection. Raises ValueError for other members."""
    try:
        found = tuple(collection)
    except TypeError:
        found = (collection,)
    for each in found:
        if not isinstance(each, Element):
            raise ValueError(f'only elements can be bound, got {each!r}')
    return found


def one_kind(elements: Sequence[Element]) -> str:
    """Returns the common kind of the elements. Raises ValueError if their kinds differ."""
    kinds: dict[str, Element] = {}
    for element in {type(each): each for each in elements}.values():
        kind = kind_of(element)
        if kind is None:
            raise ValueError(f'{element} cannot be bound; bindable elements: {", ".join(KINDS)}')
        kinds.setdefault(kind, element)
    if len(kinds) > 1:
        told = ', '.join(f'{kind} ({element})' for kind, element in kinds.items())
        raise ValueError(f'only elements of one kind can be bound together, got {told}')
    return next(iter(kinds))


def id_of(element: Element, kind: str, memory: Memory) -> int:
    """Returns an element's id in the compiled model. Raises ValueError if it has no id.

    If the Physics was created from XML or an MjModel instead of elements, the element is looked up
    by its current name.
    """
    names = memory.names
    name = name_now(element) if names is None else names.get(element)
    if name is None:
        model = element.root.model if element.root._is_root else 'no model (removed)'
        raise ValueError(f'{element} of {model} did not exist when the physics was compiled')
    number = -1 if _is_replicated(element, memory) else memory.layout.id(kind, name)
    if number < 0:
        others = [other for other in memory.layout.names(kind) if other.startswith(name)]
        told = f'; <replicate> can have created {", ".join(others)}' if others else ''
        raise ValueError(f'{element}: the compiled model has no {kind} {name!r}{told}')
    return number


def _is_replicated(element: Element, memory: Memory) -> bool:
    """Returns whether MuJoCo replaced the element with copies.

    The name of such an element may then belong to another object.
    """
    names, above = memory.names, element
    while above.tag != 'replicate':
        parent: Any = above._parent
        if parent is None:
            parent = above.frame if above._is_root else None
            if parent is None or not (names is None or parent.root.worldbody in names):
                return False  # no <replicate> contains it
        above = parent
    return True
