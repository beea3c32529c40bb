"""Sites and the world, where other models are attached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..tree.element import Element
from ..tree.lists import E, ElementList
from ..write.form import WORLD, Form

if TYPE_CHECKING:
    from .attachment import AttachmentFrame
    from .root import RootElement


class Attachable(Element):
    """A site of a body or of the world."""

    __slots__ = ()

    def attach(self, attachment: RootElement, *, extra_body: bool = True) -> AttachmentFrame:
        """Attaches another model here, by a frame to which joints can be added.

        All of the other model is part of this one's from now on; its names get its own before
        them. Without `extra_body` the frame is a <frame>, which takes no joints: bodies in the
        world of the other model are in the body of the site then, or in the world, where they may
        have free joints. Raises ValueError for what is no model, is attached already, or sets an
        option to another value than this model does.
        """
        return self.root._attach_at(self, attachment, extra_body)


class World(Element):
    """The worldbody."""

    __slots__ = ()

    def _identifier(self, form: Form) -> str | None:
        """The name of the world; that of an attached model is the body that it is attached by."""
        frame = self.root.frame
        if frame is None or form.prefix_root is None or form.prefix_root is self.root:
            return WORLD
        return frame.body_identifier(form)

    def _child(self, kind: type[Element]) -> Any:
        return AttachList(self, kind) if kind.tag == 'attach' else super()._child(kind)


class AttachList(ElementList[E]):
    """The <attach> elements of the world, and a method of the same name."""

    __slots__ = ()

    def __call__(self, attachment: RootElement, *, extra_body: bool = True) -> AttachmentFrame:
        """Attaches another model to the world, as `attach` of a site does."""
        return self.parent.root.attach(attachment, extra_body=extra_body)
