"""Models and their elements, under PyMJCF's class names."""

from __future__ import annotations

from typing import Any

from .. import AttachmentFrame, Element
from .. import RootElement as _RootElement
from ..compose.attachment import FrameChild
from ..compose.attachment_points import Attachable, World
from ..compose.copying import Copies, include
from ..tree.default_class import Default
from ..tree.lists import ElementList
from .namescope import NameScope

# These names are private, but users' annotations and isinstance checks use them.
_ElementImpl = Element
_AttachableElement = Attachable | World
_AttachmentFrame = AttachmentFrame
_AttachmentFrameChild = FrameChild
_DefaultElement = Default
_ElementListView = ElementList

__all__ = ['RootElement']


class RootElement(_RootElement):
    """A model whose sections exist from the start; its elements are always written with a name."""

    __slots__ = ()

    _names_all = True
    _lists_frames = True
    _lends_units = True

    def __init__(
        self,
        model: str | None = None,
        model_dir: str = '',
        assets: dict[str, bytes] | None = None,
        *,
        empty: bool = False,
    ) -> None:
        super().__init__(model, model_dir, assets)
        self._namescope = NameScope(self)
        self._namescope.follows = False
        if not empty:
            add_sections(self)

    def resolve_references(self) -> None:
        """Replaces names in references with elements. Names assigned later stay names."""
        super().resolve_references()
        self._namescope.follows = False

    def include_copy(self, other: object, override_attributes: bool = False) -> None:
        """Copies another model into this one; `override_attributes` also copies its name."""
        copy_into(self, other, override_attributes)

    def _empty_copy(self) -> RootElement:
        return type(self)(model_dir=self.model_dir, assets=self.assets, empty=True)


def copy_into(model: RootElement, other: Any, override_attributes: bool) -> Copies:
    """Adds copies of the other model's elements; returns the copies, keyed by the originals."""
    copies = include(model, other, override_attributes)
    if override_attributes:
        model.model = other.model
    return copies


def add_sections(element: Any) -> None:
    """Adds the implicit elements below an element, which `mjcf` creates only on demand."""
    for kind in element._types.values():
        if kind._always:
            add_sections(element._child(kind))
