"""Whether two elements say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .files.assets import Asset

if TYPE_CHECKING:
    from .element import Element


def same(a: Element, b: Any) -> bool:
    """Tag, attributes and children; of roots, all but the names of the models."""
    left = [(a, b)]
    while left:
        ours, theirs = left.pop()
        if getattr(theirs, 'spec', None) is not ours.spec:
            return False
        if not (ours._is_root or _same_attributes(ours, theirs)):
            return False
        children, others = _sorted_children(ours), _sorted_children(theirs)
        if len(children) != len(others):
            return False
        left.extend(zip(children, others, strict=True))
    return True


def _same_attributes(a: Element, b: Element) -> bool:
    ours, theirs = a.get_attributes(), b.get_attributes()
    return ours.keys() == theirs.keys() and all(
        _same_value(value, theirs[key]) for key, value in ours.items()
    )


def _same_value(a: Any, b: Any) -> bool:
    if hasattr(a, 'full_identifier') and hasattr(b, 'full_identifier'):
        return bool(a.full_identifier == b.full_identifier)
    if isinstance(a, Asset) and isinstance(b, Asset):
        return _same_file(a, b)
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)


def _same_file(a: Asset, b: Asset) -> bool:
    """By what is in them, or where that is not there, by their paths."""
    try:
        return a == b
    except OSError:
        return a.path == b.path


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
