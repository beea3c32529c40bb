"""Applies the edits of an identification to a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ...mjcf import Element, RootElement, element_of_place, set_place
from ...mjcf.attributes.occurrences import is_continued
from ...mjcf.places import INERTIAL
from ...mjcf.tree.inheritance import defaults_of
from ...mjcf.tree.outermost import DEFAULT

Changed = list[tuple[Element, str]]
"""Elements and their changed attributes."""
_INERTIAL_KEYS = 'pos', 'mass', 'fullinertia'


def apply_edits(root: RootElement, edits: Mapping[str, Any]) -> Changed:
    """Sets the value of each place, and returns the changed attributes.

    An attribute of a default class is set in the class if all elements that have it from there
    get the same value, and otherwise in the elements.
    """
    own: Changed = []
    inherited: Changed = []
    for place in edits:
        element, attribute, _ = element_of_place(root, place)
        if attribute == INERTIAL:
            continue
        known = any(_same((element, attribute), each) for each in (*own, *inherited))
        if not known:
            (own if getattr(element, attribute) is not None else inherited).append(
                (element, attribute)
            )
    for place, value in edits.items():
        set_place(root, place, value)
    bodies = [element_of_place(root, place)[0] for place in edits if place.endswith(INERTIAL)]
    own += [(getattr(body, INERTIAL), key) for body in bodies for key in _INERTIAL_KEYS]
    return [*own, *_lifted(root, inherited)]


def _same(one: tuple[Element, str], other: tuple[Element, str]) -> bool:
    return one[0] is other[0] and one[1] == other[1]


def _lifted(root: RootElement, changed: Changed) -> Iterator[tuple[Element, str]]:
    """Moves values into default classes where possible, and yields the changed attributes."""
    groups: dict[tuple[int, str], Changed] = {}
    for number, (element, attribute) in enumerate(changed):
        section = _section(element, attribute)
        key = -1 - number if section is None else id(section)
        groups.setdefault((key, attribute), []).append((element, attribute))
    for group in groups.values():
        element, attribute = group[0]
        section = _section(element, attribute)
        if section is None or not _is_whole(root, section, attribute, group):
            yield from group
            continue
        value = getattr(element, attribute)
        for each, _ in group:
            delattr(each, attribute)
        setattr(section, attribute, _continued(section, attribute, value))
        yield section, attribute


def _section(element: Element, attribute: str) -> Element | None:
    """Returns the default section that sets an element's attribute; None for another kind."""
    for section in defaults_of(element):
        if getattr(section, attribute, None) is not None:
            return section if section.tag == element.tag else None
    return None


def _is_whole(root: RootElement, section: Element, attribute: str, group: Changed) -> bool:
    """Returns whether the group has all elements with the section's value, with equal values."""
    values = [getattr(element, attribute) for element, _ in group]
    if not all(np.array_equal(values[0], each) for each in values):
        return False
    edited = {id(element) for element, _ in group}
    users = {id(each) for each in _users(root.walk(), section, attribute, edited)}
    return users == edited


def _users(
    elements: Iterable[Element], section: Element, attribute: str, edited: set[int]
) -> Iterator[Element]:
    length = np.size(getattr(section, attribute))
    for element in elements:
        is_section = element._parent is not None and element._parent.tag == DEFAULT
        if is_section or attribute not in element._attributes or not _has(element, section):
            continue
        own = None if id(element) in edited else getattr(element, attribute)
        if own is None or (is_continued(element._attributes[attribute]) and np.size(own) < length):
            yield element


def _has(element: Element, section: Element) -> bool:
    return any(each is section for each in defaults_of(element))


def _continued(section: Element, attribute: str, value: Any) -> Any:
    """Returns the new value of a section; a shorter array keeps the section's other numbers."""
    before = getattr(section, attribute)
    if is_continued(section._attributes[attribute]) and np.size(value) < np.size(before):
        return np.concatenate([value, before[len(value) :]])
    return value
