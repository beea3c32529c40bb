"""What attributes know of the element that has them."""

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
    """What has attributes, and keeps their values; the tree makes elements of it."""

    __slots__ = ('_edited', '_values')

    spec: ClassVar[ElementSpec]
    tag: ClassVar[str]
    _attributes: ClassVar[Mapping[str, Attribute]]
    """The attributes by their names in XML."""
    _checks: ClassVar[Mapping[str, Callable[[str], object] | None]]
    """What the text of each attribute has to pass."""
    _for_reading: ClassVar[tuple[Mapping[str, Any], Mapping[str, Any], str, bool]]
    """`_checks`, the texts that passed them lately, `_key` or an empty text, and `_repeated`."""
    _references: ClassVar[Sequence[Any]]
    """The attributes that name other elements, and those whose files do."""
    _files: ClassVar[Sequence[Any]]
    """The attributes that name files."""
    _places_files: ClassVar[bool]
    """Whether it names files, or the folders that files are in."""
    _dependent: ClassVar[frozenset[str]]
    """The attributes whose kind another one tells, and which are therefore set last."""
    _required: ClassVar[tuple[str, ...]]
    """The attributes that have to be there, in the order of the schema."""
    _needed: ClassVar[frozenset[str]]
    """The attributes that have to be there, as a set."""
    _key: ClassVar[str | None]
    """The attribute by which the element is found."""
    _scope: ClassVar[str]
    """What the name of the element is unique in; empty if it has no name."""

    _values: dict[str, Any]
    """What each attribute keeps, by its name in XML."""
    _edited: bool
    """Whether the attributes are not those of the source any more."""

    @property
    def root(self) -> RootElement:
        """The model that it belongs to."""
        raise NotImplementedError

    @property
    def is_removed(self) -> bool:
        """Whether it is in no model any more."""
        raise NotImplementedError

    def _identifier(self, form: Form) -> str | None:
        """Its name in a model that is written in this form; None if it has none."""
        raise NotImplementedError

    def _with_its_files(self, asset: Asset) -> list[Asset]:
        """A file that it names, and the files that this one names in its turn."""
        return [asset]
