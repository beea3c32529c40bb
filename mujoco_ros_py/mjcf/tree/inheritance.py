"""What classes of defaults say of an element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .outermost import DEFAULT, around

if TYPE_CHECKING:
    from .element import Element

_WITHOUT = DEFAULT, 'freejoint'
"""Elements that no defaults hold for, though one is in a class and the other is a joint."""


ORIENTATIONS = 'quat', 'axisangle', 'xyaxes', 'zaxis', 'euler'
"""An element has one of these; its own replaces that of its class."""
_ONE_OF = (
    ORIENTATIONS,
    ('kv', 'dampratio'),
    ('inheritrange', 'ctrlrange'),
    ('inheritrange', 'actrange'),
)
"""Groups of attributes of which an element has one."""
_PLAIN = 'motor'
"""The actuator whose attributes are those that all kinds of actuators have in common."""


def inherited(element: Element) -> dict[str, Any]:
    """The attributes that an element does not set itself and its classes of defaults do.

    Of an actuator's own parameters those that no other kind of actuator comes before: MuJoCo sets
    them anew for each kind that it reads.
    """
    said = set(_said(element))
    found: dict[str, Any] = {}
    actuators = element.root.get_children('actuator')._types
    common, replaced = actuators[_PLAIN]._attributes, False
    for section in defaults_of(element):
        left = {key for group in _ONE_OF if not said.isdisjoint(group) for key in group} | said
        replaced = replaced or (section.tag in actuators and section.tag != element.tag)
        for key in _said(section):
            lost = replaced and key not in common
            if key in element._attributes and key not in left and not lost:
                found[key] = getattr(section, key)
        said.update(_said(section))
    return {key: value for key, value in found.items() if value is not None}


def _said(element: Element) -> list[str]:
    """The attributes that count: those with a value, and references that are to be empty."""
    return [
        key
        for key, kept in element._values.items()
        if type(kept) is not str or kept or element._attributes[key] in element._references
    ]


def defaults_of(element: Element) -> Iterator[Element]:
    """The sections of defaults that hold for it, those that count most first.

    Those of a section of a class are what the classes say that its own one is in.
    """
    if element.tag in _WITHOUT or element._parent is None:
        return
    holder: Any = _default_class(element)
    while holder is not None and holder.tag == DEFAULT:
        for section in reversed(holder._children):  # of actuators, later ones override others
            if section is not element and _is_for(section, element):
                yield section
        holder = around(holder)


def _is_for(section: Element, element: Element) -> bool:
    """<tendon> is for all tendons, <equality> for all constraints, any actuator for any other."""
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
