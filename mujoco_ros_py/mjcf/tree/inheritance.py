"""Finds the attributes that an element inherits from default classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..schema.alternatives import rivals
from .outermost import DEFAULT, around

if TYPE_CHECKING:
    from .element import Element

_WITHOUT = DEFAULT, 'freejoint'
"""The elements without defaults, although one is in a class and the other is a joint."""

_PLAIN = 'motor'
"""The actuator that has only the attributes that all kinds of actuators share."""


def inherited(element: Element) -> dict[str, Any]:
    """Returns the attributes that an element does not set, but that its default classes set.

    Parameters of a specific kind of actuator are inherited only if no other kind comes later in
    the class, because MuJoCo resets them for each kind that it reads.
    """
    said = set(_said(element))
    found: dict[str, Any] = {}
    actuators = element.root.get_children('actuator')._types
    common, replaced = actuators[_PLAIN]._attributes, False
    for section in defaults_of(element):
        left = said | rivals(said)
        replaced = replaced or (section.tag in actuators and section.tag != element.tag)
        for key in _said(section):
            lost = replaced and key not in common
            if key in element._attributes and key not in left and not lost:
                found[key] = getattr(section, key)
        said.update(_said(section))
    return {key: value for key, value in found.items() if value is not None}


def _said(element: Element) -> list[str]:
    """Returns the attributes with a value, and references that are explicitly empty."""
    return [
        key
        for key, kept in element._values.items()
        if type(kept) is not str or kept or element._attributes[key] in element._references
    ]


def defaults_of(element: Element) -> Iterator[Element]:
    """Yields the default sections that apply to an element, those of highest priority first.

    For a section of a class they are the sections of the classes around it.
    """
    if element.tag in _WITHOUT or element._parent is None:
        return
    holder: Any = _default_class(element)
    while holder is not None and holder.tag == DEFAULT:
        for section in reversed(holder._children):  # of actuators, the last one wins
            if section is not element and _is_for(section, element):
                yield section
        holder = around(holder)


def _is_for(section: Element, element: Element) -> bool:
    """Returns whether a section of defaults applies to an element.

    The section <tendon> applies to all tendons, <equality> to all constraints, and any actuator to
    any other.
    """
    parent = element._parent
    assert parent is not None
    if section.tag in (element.tag, parent.tag):
        return section.tag != DEFAULT
    actuators = element.root.get_children('actuator')._types
    return (
        parent.tag in ('actuator', DEFAULT)
        and element.tag in actuators
        and section.tag in actuators
    )


def _default_class(element: Element) -> Any:
    above = element._parent
    if above is not None and above.tag == DEFAULT:
        return around(above)
    name = element._values.get('class')
    while name is None and above is not None:
        name = above._values.get('childclass')
        above = above._parent
    outermost = element.root.default
    if not isinstance(name, str):
        return outermost if name is None else name
    return element.root.find('default', name) or outermost
