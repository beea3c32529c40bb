"""The place of an element in its model: its parent, its children and its name."""

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
"""The tags of actuators such as `position`, which set parameters even without attributes."""


class Placed(Attributed):
    """An element's place in its model. Subclasses add the operations."""

    __slots__ = ('_children', '_parent', '_source', '_start', '_stop')

    _types: ClassVar[Mapping[str, type[Element]]] = {}
    """The classes of children by tag."""
    _repeated: ClassVar[bool]
    """Whether a parent can have several elements with this tag."""
    _always: ClassVar[bool]
    """Whether the element exists without being added."""
    _is_root: ClassVar[bool] = False
    _named_by_file: ClassVar[bool] = False
    """Whether an element without a name is named after its file."""
    _names_all: ClassVar[bool] = False
    """Whether unnamed elements of this model are written with a name."""
    _lists_frames: ClassVar[bool] = False
    """Whether this model's lists of bodies include the frames of attached models."""
    _lends_units: ClassVar[bool] = False
    """Whether attached models without an angle unit adopt this model's unit."""

    _parent: Element | None
    _children: list[Element]
    """The children in document order; an empty tuple if children are impossible."""
    _source: Source | None
    """The source that the element was read from; None for other elements."""
    _start: int
    """The byte offset of the element in its source; -1 if it was not read from text."""
    _stop: int
    """The offset of the end tag in the source, or the offset after an empty-element tag."""

    @property
    def parent(self) -> Element | None:
        """The parent of the element; None for a root and for a removed element."""
        return self._parent

    @property
    def root(self) -> RootElement:
        """The model of the element, which is the topmost element."""
        top: Any = self
        while (above := top._parent) is not None:
            top = above
        return top  # type: ignore[no-any-return]

    @property
    def is_removed(self) -> bool:
        """Whether the element was removed from its model."""
        return not self.root._is_root

    @property
    def _location(self) -> Location | None:
        """The file and line that the element was read from; None for other elements."""
        return None if self._source is None else self._source.location(self._start)

    def walk(self) -> Iterator[Element]:
        """Yields the element and its descendants in document order, without attached models."""
        left: list[Any] = [self]
        while left:
            element = left.pop()
            yield element
            left.extend(reversed(element._children))

    # Names

    @property
    def namescope(self) -> NameScope:
        """The names of the element's model. Raises ValueError if the element was removed."""
        root = self.root
        if not root._is_root:
            raise ValueError(f'{self} was removed from its model')
        return root.namescope

    @property
    def full_identifier(self) -> str | None:
        """The element's name in the topmost model; None for an unnamed element."""
        return self.prefixed_identifier()

    def prefixed_identifier(
        self, prefix_root: RootElement | NameScope | None = None
    ) -> str | None:
        """Returns the element's name within a model, by default the topmost model.

        Returns None for an unnamed element.
        """
        root = self.root
        topmost = root.root_model if root._is_root else root
        return self._identifier(Form(prefix_root=model_of(prefix_root or topmost)))

    @property
    def _resets(self) -> bool:
        """Whether the element has a meaning without attributes, like <motor/> in defaults.

        This is true if it was read from text, and false if it was created by an access.
        """
        return self._could_reset and not self._edited

    @property
    def _is_emptied(self) -> bool:
        """Whether all attributes were deleted from an element whose bare tag has a meaning."""
        return self._could_reset and self._edited and not self._values

    @property
    def _could_reset(self) -> bool:
        """Whether the element, read from text, is one of `_SHORTCUTS` in a default class."""
        if self._source is None or self.tag not in _SHORTCUTS:
            return False
        return self._parent is not None and self._parent.tag == DEFAULT

    @property
    def _name(self) -> str | None:
        """The name or class used to look up the element."""
        key = self._key
        return self._values.get(key) if key else None

    @classmethod
    def _name_with(cls, values: Mapping[str, Any]) -> str | None:
        """Returns the name that an element with these attributes has."""
        return values.get(cls._key) if cls._key else None

    def _identifier(self, form: Form) -> str | None:
        """Returns the element's name as written with `form`, or None if it cannot have one."""
        if self._name:
            return form.prefix(self.root) + self._name
        return form.unnamed(self) if self._key == 'name' else None

    def _check_name(self, name: str) -> None:
        """Raises ValueError if the name is invalid or belongs to another element."""
        root = self.root
        if root._is_root:
            root._namescope.check(self, name)

    def _rename(self, old: str | None, new: str | None) -> None:
        """Updates the element's name in the model's lookup."""
        root = self.root
        if root._is_root:
            root._namescope.rename(self, old, new)
