"""Finds the names of elements in a physics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...mjcf import Element
from ...mjcf.physics.bound_elements import elements_in, one_kind


def names_from_elements(mjcf_elements: Element | Iterable[Element]) -> tuple[Any, Any]:
    """Returns the kind of the elements and their name or names; (None, None) for no elements.

    Raises ValueError for elements that cannot be bound together.
    """
    if isinstance(mjcf_elements, Element):
        return one_kind([mjcf_elements]), mjcf_elements.full_identifier
    elements = elements_in(mjcf_elements)
    if not elements:
        return None, None
    return one_kind(elements), [element.full_identifier for element in elements]
