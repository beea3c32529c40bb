"""An element's place in its model: above it, below it, and what it is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ..attributes.attributed import Attributed
from ..schema import root
from ..write.form import Form
from .names import NameScope, model_of
from .outermost import DEFAULT

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..sources.source import Location, Source
    from .element import Element

_SHORTCUTS = frozenset(root().children['actuator'].children) - {'general', 'plugin'}
"""The actuators that also set the parameters for which they have no attribute."""


class Node(Attributed):
    """An element's place in its model, apart from what is done with the element."""

    __slots__ = ('_children', '_parent', '_source', '_start', '_stop')

    _types: ClassVar[Mapping[str, type[Element]]] = {}
    """The classes of children, by tag."""
    _repeated: ClassVar[bool]
    """Whether there may be several of it in one parent."""
    _always: ClassVar[bool]
    """Whether it exists without anybody adding it."""
    _is_root: ClassVar[bool] = False
    _named_by_file: ClassVar[bool] = False
    """Whether it has the name of its file, unless it has one of its own."""
    _names_all: ClassVar[bool] = False
    """Whether elements of this model that have no name are written with one."""
    _lists_frames: ClassVar[bool] = False
    """Whether lists of bodies of this model have the frames of attached models too."""
    _lends_units: ClassVar[bool] = False
    """Whether models without a unit of angles have that of this one when they are attached."""

    _parent: Element | None
    _children: list[Element]
    """The children in the order of the document."""
    _source: Source | None
    """Where it was read from; None: it was made."""
    _start: int
    """Where it begins in the source, in bytes; -1 if it was made."""
    _stop: int
    """Where its end tag begins in the source, or what is behind it if it is one tag."""

    @property
    def parent(self) -> Element | None:
        """The element that this one is in; None for a root, and when it was removed."""
        return self._parent

    @property
    def root(self) -> RootElement:
        """The model that it belongs to, which is the topmost element."""
        top: Any = self
        while (above := top._parent) is not None:
            top = above
        return top  # type: ignore[no-any-return]

    @property
    def is_removed(self) -> bool:
        """Whether it is in no model any more."""
        return not self.root._is_root

    @property
    def _location(self) -> Location | None:
        """Where it was read from, by file and line; None if it was made."""
        return None if self._source is None else self._source.location(self._start)

    def walk(self) -> Iterator[Element]:
        """This element and all below it, in the order of the document; none of attached models."""
        left: list[Any] = [self]
        while left:
            element = left.pop()
            yield element
            left.extend(reversed(element._children))

    # Names

    @property
    def namescope(self) -> NameScope:
        """The names of the model that it belongs to. Raises ValueError for what was removed."""
        root = self.root
        if not root._is_root:
            raise ValueError(f'{self} was removed from its model')
        return root.namescope

    @property
    def full_identifier(self) -> str | None:
        """Its name in the topmost model; None for what has no name."""
        return self.prefixed_identifier()

    def prefixed_identifier(
        self, prefix_root: RootElement | NameScope | None = None
    ) -> str | None:
        """Its name as seen from that model, or from the topmost; None for what has no name."""
        root = self.root
        topmost = root.root_model if root._is_root else root
        return self._identifier(Form(prefix_root=model_of(prefix_root or topmost)))

    @property
    def _resets(self) -> bool:
        """Whether it says something without attributes, as <motor/> does in defaults.

        It does where it was read; where somebody asked for it, it is there and says nothing.
        """
        return self._could_reset and not self._edited

    @property
    def _is_emptied(self) -> bool:
        """Whether it has lost what it said, so that its tag would say something else."""
        return self._could_reset and self._edited and not self._values

    @property
    def _could_reset(self) -> bool:
        """Whether it was read, and is an actuator in defaults that sets what it does not say."""
        if self._source is None or self.tag not in _SHORTCUTS:
            return False
        return self._parent is not None and self._parent.tag == DEFAULT

    @property
    def _name(self) -> str | None:
        """The name or class by which it is found."""
        key = self._key
        return self._values.get(key) if key else None

    @classmethod
    def _name_with(cls, values: Mapping[str, Any]) -> str | None:
        """The name that it has if these are its attributes."""
        return values.get(cls._key) if cls._key else None

    def _identifier(self, form: Form) -> str | None:
        """Its name in a model that is written in this form; None if it has none."""
        if self._name:
            return form.prefix(self.root) + self._name
        return form.unnamed(self) if self._key == 'name' else None

    def _check_name(self, name: str) -> None:
        """Raises ValueError for a name that it must not have, or that another one has."""
        root = self.root
        if root._is_root:
            root._namescope.check(self, name)

    def _rename(self, old: str | None, new: str | None) -> None:
        """The model finds it by this name from now on."""
        root = self.root
        if root._is_root:
            root._namescope.rename(self, old, new)
