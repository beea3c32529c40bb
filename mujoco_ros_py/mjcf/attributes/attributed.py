"""The part of an element that attribute descriptors use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ..schema import ElementSpec

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..files.assets import Asset
    from ..write.form import Form
    from .attribute import Attribute


class Attributed:
    """An element's attributes and their values: the base of all element classes."""

    __slots__ = ('_edited', '_values')

    spec: ClassVar[ElementSpec]
    tag: ClassVar[str]
    _attributes: ClassVar[Mapping[str, Attribute]]
    """The descriptors of the attributes by their XML names."""
    _checks: ClassVar[Mapping[str, Callable[[str], object] | None]]
    """The functions that check the text of each attribute, by its XML name."""
    _for_reading: ClassVar[tuple[Mapping[str, Any], Mapping[str, Any], str, bool, bool]]
    """The class attributes used for reading, in one tuple because single lookups are slower.

    The tuple holds: `_checks`; for each attribute the texts known to pass its check (None if it
    has no check); `_key` or an empty text; `_repeated`; and whether children are allowed.
    """
    _references: ClassVar[Sequence[Any]]
    """The attributes that refer to other elements, including skin files, which name bodies."""
    _files: ClassVar[Sequence[Any]]
    """The attributes that refer to files."""
    _places_files: ClassVar[bool]
    """Whether the element refers to files, or to folders of files."""
    _dependent: ClassVar[frozenset[str]]
    """The attributes whose kind depends on another attribute, and which must be set last."""
    _required: ClassVar[tuple[str, ...]]
    """The required attributes, in the order of the schema."""
    _needed: ClassVar[frozenset[str]]
    """The required attributes, as a set."""
    _key: ClassVar[str | None]
    """The attribute with the element's name, such as `name` or `class`; None without a name."""
    _scope: ClassVar[str]
    """The scope within which the element's name is unique; empty if the element has no name."""

    _values: dict[str, Any]
    """The stored values of the attributes, by XML name."""
    _edited: bool
    """Whether an attribute was set or deleted since the element was read."""

    @property
    def root(self) -> RootElement:
        """The model that the element belongs to."""
        raise NotImplementedError

    @property
    def is_removed(self) -> bool:
        """Whether the element was removed from its model."""
        raise NotImplementedError

    def _identifier(self, form: Form) -> str | None:
        """Returns the element's name as written with `form`, or None if it is unnamed."""
        raise NotImplementedError

    def _with_its_files(self, asset: Asset) -> list[Asset]:
        """Returns a file that the element refers to, then the files that this file refers to."""
        return [asset]
