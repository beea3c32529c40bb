"""Decides whether two elements have the same content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..attributes.attributed import Attributed
from ..files.assets import Asset
from ..write.form import Form

if TYPE_CHECKING:
    from ..tree.element import Element

Said = tuple[str, frozenset[Any], tuple[int, ...]]
"""The content of an element: its tag, its attributes, and the numbers of its children."""
_NUMBERED = 'actuator', 'equality', 'sensor', 'tendon'
"""The sections whose elements MuJoCo numbers across tags. Their order is also the order of values
in ctrl and sensordata."""


def same(a: Element, b: Any) -> bool:
    """Returns whether two elements have the same tag, attributes and children.

    Names of models are ignored.
    """
    contents = Contents()
    return isinstance(b, Attributed) and contents.read(a) == contents.read(b)


class Contents:
    """Numbers elements by content: elements have equal numbers if their contents are equal."""

    def __init__(self) -> None:
        self._numbers: dict[Said, int] = {}
        self._said: dict[int, Said] = {}
        """The contents of elements, by the identity of the element."""
        self._children: dict[int, list[Element]] = {}

    def read(self, element: Any) -> int:
        """Numbers an element and all elements below it; returns the element's number."""
        form = form_of(element)
        order, left = [], [element]
        while left:
            each = left.pop()
            order.append(each)
            self._children[id(each)] = _sorted_children(each)
            left += self._children[id(each)]
        for each in reversed(order):
            self._read(each, form)
        return self.number(element)

    def number(self, element: Element) -> int:
        """Returns the number that `read` gave an element."""
        return self._numbers[self._said[id(element)]]

    def children(self, element: Element) -> list[Element]:
        """Returns the children with content, sorted by tag unless their overall order matters."""
        return self._children[id(element)]

    def parts(self, element: Element) -> set[Any]:
        """Returns an element's attributes and child numbers; similar elements share many."""
        _, attributes, children = self._said[id(element)]
        return {*attributes, *children}

    def _read(self, element: Element, form: Form) -> None:
        children = [each for each in self._children[id(element)] if not self._is_silent(each)]
        values = frozenset((k, comparable(v, form)) for k, v in attributes_of(element).items())
        said = element.tag, values, tuple(map(self.number, children))
        self._children[id(element)] = children
        self._said[id(element)] = said
        self._numbers.setdefault(said, len(self._numbers))

    def _is_silent(self, element: Element) -> bool:
        """Returns whether an element is implicit and has no content."""
        _, attributes, children = self._said[id(element)]
        return element._always and not (attributes or children or element._resets)


def attributes_of(element: Element) -> dict[str, Any]:
    """Returns the attributes that comparisons use, by their Python names."""
    if element._is_root:
        return {}
    found: dict[str, Any] = element.get_attributes()
    if hasattr(type(element), 'attachment'):  # a frame is named after its attached model
        found['name'] = element.full_identifier
    return found


def form_of(element: Element) -> Form:
    """Returns the form for comparisons: names are relative to the element's topmost model."""
    root = element.root
    return Form(prefix_root=root.root_model if root._is_root else root)


def comparable(value: object, form: Form) -> Any:
    """Converts a value so that equal values compare equal and have equal hashes."""
    if isinstance(value, np.ndarray):
        return tuple(value.tolist())
    if isinstance(value, Attributed):
        return value._identifier(form)
    return _file(value) if isinstance(value, Asset) else value


def _file(asset: Asset) -> str:
    """Returns the file's name with a hash of its content, or its path if it cannot be read."""
    try:
        return asset.get_vfs_filename()
    except OSError:
        return f'{asset.written} (cannot be read)'


def _sorted_children(element: Element) -> list[Element]:
    if element._is_root and element.frames:
        element.get_children('default')  # creates the section for attached models' defaults
    children: list[Element] = element.all_children()
    parent = element._parent
    if parent is not None and parent._is_root and element.tag == 'default':
        sections = (section for each in parent.attachments() for section in each._children)
        children += [section for section in sections if section.tag == element.tag]
    return children if in_order(element) else sorted(children, key=lambda child: child.tag)


def in_order(element: Element) -> bool:
    """Returns whether the order of all children matters, instead of the order within each tag."""
    parent = element._parent
    if parent is None:
        return False
    return parent.tag == 'tendon' or (parent._is_root and element.tag in _NUMBERED)
