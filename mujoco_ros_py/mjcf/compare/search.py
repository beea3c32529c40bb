"""Finds the differences between two models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..files.assets import Asset
from ..write.form import SEPARATOR, Form
from .contents import Contents, attributes_of, comparable, form_of, in_order
from .difference import Difference
from .matching import Pair, matched

if TYPE_CHECKING:
    from ..tree.element import Element


def diff(a: Element, b: Element) -> list[Difference]:
    """Returns the differences between two models; empty if `a.is_same_as(b)`.

    Elements are matched by name. Unnamed elements are matched by content and position. Two files
    are equal if their names are equal and, if both are readable, their contents.
    """
    return list(_Comparison(a, b).differences())


class _Siblings:
    """The children of one element, with the labels and the keys by which they are matched."""

    def __init__(self, elements: list[Element], form: Form, inside: str) -> None:
        self.elements = elements
        self.names = [_name(each, form) for each in elements]
        self.labels: list[str] = []
        counts: Counter[type] = Counter()
        for each, name in zip(elements, self.names, strict=True):
            number = counts[type(each)] if each._repeated else ''
            counts[type(each)] += 1
            self.labels.append(f'{each.tag}[{name or number}]'.removesuffix('[]'))
        self.paths = [f'{inside}{label}' for label in self.labels]

    def keys(self, contents: Contents) -> list[tuple[str, str | int]]:
        """Returns a key for each child. Children with equal keys match."""
        return [
            (each.tag, name or contents.number(each))
            for each, name in zip(self.elements, self.names, strict=True)
        ]

    def before(self, position: int) -> str | None:
        """Returns the label of the preceding element, if the order of the children matters."""
        here, before = self.elements[position], self.elements[position - 1]
        parent = here._parent
        assert parent is not None  # the siblings are children of an element
        if position and (here.tag == before.tag or in_order(parent)):
            return self.labels[position - 1]
        return None


class _Comparison:
    """Compares two models or elements, with everything below them."""

    def __init__(self, a: Element, b: Element) -> None:
        self._elements = a, b
        self._forms = form_of(a), form_of(b)
        self._contents = Contents()
        for each in self._elements:
            self._contents.read(each)

    def differences(self) -> Iterator[Difference]:
        """Yields all differences, in document order."""
        a, b = self._elements
        left: list[Any] = [(a, b, '' if a._is_root else a.tag)]
        if a.tag != b.tag:
            left = [_added(b, b.tag), _removed(a, a.tag)]
        while left:
            found = left.pop()
            if isinstance(found, Difference):
                yield found
                continue
            old, new, path = found
            if self._contents.number(old) != self._contents.number(new):
                yield from self._changes(old, new, path)
                left += reversed(list(self._inside(old, new, path)))

    def _changes(self, a: Element, b: Element, path: str) -> Iterator[Difference]:
        ours, theirs = attributes_of(a), attributes_of(b)
        for key in {**ours, **theirs}:
            pair = ours.get(key), theirs.get(key)
            old, new = (comparable(*each) for each in zip(pair, self._forms, strict=True))
            if old != new:
                files = any(isinstance(each, Asset) for each in pair)
                yield Difference(
                    kind='changed',
                    path=path,
                    attribute='class' if key == 'dclass' else key,
                    old=pair[0] if files else old,
                    new=pair[1] if files else new,
                    old_location=a._location,
                    new_location=b._location,
                )

    def _inside(self, a: Element, b: Element, path: str) -> Iterator[Any]:
        """Yields the differences between two elements' children, and the pairs to compare next."""
        old, new = (
            _Siblings(self._children(one, other), form, f'{path}/'.lstrip('/'))
            for one, other, form in ((a, b, self._forms[0]), (b, a, self._forms[1]))
        )
        pairs, moved = self._matched(old, new)
        for i, j in _in_document(len(old.elements), len(new.elements), pairs, moved):
            if j is None:
                yield _removed(old.elements[i], old.paths[i])
            elif i is None:
                yield _added(new.elements[j], new.paths[j])
            else:
                if (i, j) in moved:
                    yield _moved(old, i, new, j)
                yield old.elements[i], new.elements[j], old.paths[i]

    def _children(self, element: Element, other: Element) -> list[Element]:
        """Returns the children of an element, including implicit ones that `other` has."""
        children = self._contents.children(element)
        tags = {each.tag for each in children}
        missing = [
            element.get_children(each.tag)
            for each in self._contents.children(other)
            if each._always and each.tag in element._types and each.tag not in tags
        ]
        for each in missing:
            self._contents.read(each)
        return sorted([*children, *missing], key=lambda each: each.tag) if missing else children

    def _matched(self, old: _Siblings, new: _Siblings) -> tuple[list[Pair], set[Pair]]:
        def likeness(i: int, j: int) -> int:
            a, b = old.elements[i], new.elements[j]
            if a.tag != b.tag or (old.names[i] and new.names[j]):
                return 0
            return 1 + len(self._contents.parts(a) & self._contents.parts(b))

        pairs, moved = matched(old.keys(self._contents), new.keys(self._contents), likeness)
        return pairs, set(moved)


def _in_document(a: int, b: int, pairs: list[Pair], moved: set[Pair]) -> list[tuple[Any, Any]]:
    """Returns the pairs to report, in order; the partner of an unmatched position is None."""
    partner = {j: i for i, j in pairs}
    of_a = dict([*pairs, *moved])
    entries: list[tuple[tuple[int, int], Any, Any]] = [((i, -1), i, of_a.get(i)) for i in range(a)]
    taken, behind = set(of_a.values()), -1
    for j in range(b):
        behind = partner.get(j, behind)
        while behind + 1 < a and behind + 1 not in of_a:  # removed elements precede added ones
            behind += 1
        if j not in taken:
            entries.append(((behind, j), None, j))
    return [(i, j) for _, i, j in sorted(entries, key=lambda entry: entry[0])]


def _removed(element: Element, path: str) -> Difference:
    return Difference(kind='removed', path=path, old=element, old_location=element._location)


def _added(element: Element, path: str) -> Difference:
    return Difference(kind='added', path=path, new=element, new_location=element._location)


def _moved(old: _Siblings, i: int, new: _Siblings, j: int) -> Difference:
    return Difference(
        kind='moved',
        path=old.paths[i],
        old=old.before(i),
        new=new.before(j),
        old_location=old.elements[i]._location,
        new_location=new.elements[j]._location,
    )


def _name(element: Element, form: Form) -> str | None:
    """Returns the name in the topmost model; None if unnamed or if the tag can occur only once."""
    if element.tag != 'default' and not (element._repeated and _is_named(element)):
        return None
    name: str | None = element._identifier(form)
    return None if name == SEPARATOR else name


def _is_named(element: Element) -> bool:
    return bool(element._name) or hasattr(type(element), 'attachment')
