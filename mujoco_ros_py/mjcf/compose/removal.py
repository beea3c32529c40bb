"""Removes an element of a body together with everything that depends on it."""

from __future__ import annotations

from typing import Any

from ..tree.element import Element

_SECTIONS = (
    'actuator', 'asset', 'contact', 'custom', 'deformable', 'equality', 'sensor', 'tendon',
)  # fmt: skip
"""The sections whose elements are removed as a whole if a part refers to a removed element."""


def remove_with_referrers(element: Element) -> list[Element]:
    """Removes an element and, recursively, its referrers; returns the topmost removed elements.

    This removes, for example, a tendon with a site on its path, an actuator with its joint, a
    sensor with its object, and a camera with the body that it looks at.
    """
    root = element.root
    tops, gone = [element], {id(each) for each in element.walk()}
    while found := [each for each in root.walk() if id(each) not in gone and _refers(each, gone)]:
        for each in found:
            top = _whole(each)
            if id(top) not in gone:
                tops.append(top)
                gone.update(id(below) for below in top.walk())
    for top in tops:
        if not top.is_removed:
            top.remove()
    return tops


def _refers(element: Element, gone: set[int]) -> bool:
    for reference in element._references:
        if reference.key not in element._values:
            continue
        named: Any = reference.__get__(element)
        if isinstance(named, str):
            kept: Any = element._values[reference.key]
            several = kept if isinstance(kept, tuple) else ()
            if any(id(each) in gone for each in several):
                return True
        elif id(named) in gone:
            return True
    return False


def _whole(element: Element) -> Element:
    """Returns the element of a section that contains this element, or the element itself."""
    whole = element
    while (above := whole._parent) is not None and above.tag not in _SECTIONS:
        whole = above
    return element if above is None else whole
