"""The children with one tag as a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar, overload

if TYPE_CHECKING:
    from ..schema import ElementSpec
    from .element import Element
    from .names import NameScope

E = TypeVar('E', bound='Element')


class ElementList(Generic[E]):
    """The current children with one tag, by position, slice or name.

    Raises KeyError for an unknown name, and IndexError for a position beyond the end.
    """

    __slots__ = ('_kind', '_parent')

    def __init__(self, parent: Element, kind: type[E]) -> None:
        self._parent = parent
        self._kind = kind

    @property
    def spec(self) -> ElementSpec:
        """The spec of the elements in the list."""
        return self._kind.spec

    @property
    def tag(self) -> str:
        """The tag of the elements in the list."""
        return self._kind.tag

    @property
    def parent(self) -> Element:
        """The parent of the elements in the list."""
        return self._parent

    @property
    def namescope(self) -> NameScope:
        """The names of the elements' model."""
        return self._parent.namescope

    def _elements(self) -> list[E]:
        kind, children = self._kind, self._parent.all_children()
        if self._parent.root._lists_frames:
            return [child for child in children if child.tag == kind.tag]  # type: ignore[misc]
        return [child for child in children if type(child) is kind]

    def __len__(self) -> int:
        return len(self._elements())

    def __iter__(self) -> Iterator[E]:
        return iter(self._elements())

    @overload
    def __getitem__(self, index: int | str) -> E: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[E]: ...
    def __getitem__(self, index: int | str | slice) -> E | Sequence[E]:
        return self._named(index) if isinstance(index, str) else self._elements()[index]

    def _named(self, name: str) -> E:
        namespace = self._kind.spec.namespace
        found = self._parent.find(namespace, name) if namespace else None
        for element in self._elements():
            if element is found:
                return element
        known = ', '.join(sorted(each._name for each in self._elements() if each._name))
        raise KeyError(f'unknown <{self.tag}> {name!r}; known: {known or "none"}')

    def __delitem__(self, index: int | str | slice) -> None:
        found = self._elements()[index] if isinstance(index, slice) else [self[index]]
        for element in found:
            element.remove()

    def clear(self) -> None:
        """Removes all elements of the list from the model."""
        del self[:]

    def __eq__(self, other: object) -> bool:
        return list(self) == other if isinstance(other, list) else self is other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._elements())
