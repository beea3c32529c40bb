"""Finds the attributes that an element inherits from default classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..attributes.occurrences import is_continued
from ..schema.alternatives import rivals
from .outermost import DEFAULT, around

if TYPE_CHECKING:
    from .element import Element

_WITHOUT = DEFAULT, 'freejoint'
"""Elements without defaults: a class, although it is inside a class, and a free joint, although it
is a joint."""

_OF_ALL = 'general'
"""The actuator that can set the parameters of all kinds. In a default class, it does not reset the
parameters that other kinds have set."""
_PLAIN = 'motor'
"""The actuator with only the attributes shared by all kinds of actuators."""


def inherited(element: Element) -> dict[str, Any]:
    """Returns the attributes that an element's default classes set and the element does not.

    All actuator kinds in a class share their parameters, and MuJoCo resets the parameters of
    specific kinds whenever it reads another kind. These parameters are therefore inherited only if
    no other kind follows in the class.
    """
    said = set(_said(element))
    found: dict[str, Any] = {}
    actuators = element.root.get_children('actuator')._types
    common, replaced = actuators[_PLAIN]._attributes, False
    for section in defaults_of(element):
        left = said | rivals(said)
        said_here = _said(section)
        if section.tag in actuators and section.tag != element.tag:
            replaced |= section.tag != _OF_ALL or not common.keys() >= set(said_here)
        for key in said_here:
            if key not in element._attributes or (replaced and key not in common):
                continue
            if key not in left:
                found[key] = getattr(section, key)
            elif key in found and is_continued(element._attributes[key]):
                rest = getattr(section, key)[len(found[key]) :]
                found[key] = np.concatenate([found[key], rest])
        said.update(said_here)
    return {key: value for key, value in found.items() if value is not None}


def _said(element: Element) -> list[str]:
    """Returns the attributes with a value, and references that are explicitly empty."""
    return [
        key
        for key, kept in element._values.items()
        if type(kept) is not str or kept or element._attributes[key] in element._references
    ]


def defaults_of(element: Element) -> Iterator[Element]:
    """Yields the default sections that apply to an element, highest priority first.

    For a section of a class, these are sections of the enclosing classes. A section that exists
    only because it was accessed is skipped.
    """
    if element.tag in _WITHOUT or element._parent is None:
        return
    holder: Any = _default_class(element)
    while holder is not None and holder.tag == DEFAULT:
        for section in reversed(holder._children):  # for actuators, the last one wins
            if section is not element and is_said(section) and _is_for(section, element):
                yield section
        holder = around(holder)


def is_said(section: Element) -> bool:
    """Returns whether a default section has attributes, or an effect without attributes."""
    return bool(section._values) or section._resets


def _is_for(section: Element, element: Element) -> bool:
    """Returns whether a default section applies to an element.

    The section <tendon> applies to all tendons, <equality> to all constraints, and any actuator to
    any other actuator.
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
