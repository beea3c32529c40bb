"""Whether two elements say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .element import Element


def same(a: Element, b: Any) -> bool:
    """Tag, attributes and children; of roots, all but the names of the models."""
    if b is None or getattr(b, 'spec', None) is not a.spec:
        return False
    return (a._is_root or _same_attributes(a, b)) and _same_children(a, b)


def _same_attributes(a: Element, b: Element) -> bool:
    ours, theirs = a.get_attributes(), b.get_attributes()
    return ours.keys() == theirs.keys() and all(
        _same_value(value, theirs[key]) for key, value in ours.items()
    )


def _same_value(a: Any, b: Any) -> bool:
    if hasattr(a, 'full_identifier') and hasattr(b, 'full_identifier'):
        return bool(a.full_identifier == b.full_identifier)
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)


def _same_children(a: Element, b: Element) -> bool:
    ours, theirs = _sorted_children(a), _sorted_children(b)
    return len(ours) == len(theirs) and all(map(same, ours, theirs))


def _sorted_children(element: Element) -> list[Element]:
    """Those that say anything, tag by tag unless all of their order counts."""
    children = [child for child in element.all_children() if not (child._always and _empty(child))]
    parent = element._parent
    if parent is not None and parent.tag == 'tendon':
        return children
    return sorted(children, key=lambda child: child.tag)


def _empty(element: Element) -> bool:
    return not element._values and all(
        child._always and _empty(child) for child in element.all_children()
    )
