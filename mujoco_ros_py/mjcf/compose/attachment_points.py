"""The elements that other models can be attached to: sites and the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..tree.element import Element
from ..tree.lists import E, ElementList
from ..write.form import WORLD, Form

if TYPE_CHECKING:
    from .attachment import AttachmentFrame
    from .root import RootElement


class Attachable(Element):
    """A site of a body or of the world, to which another model can be attached."""

    __slots__ = ()

    def attach(self, attachment: RootElement, *, extra_body: bool = True) -> AttachmentFrame:
        """Attaches another model at this site, by a frame to which joints can be added.

        From then on the elements of the other model belong to this model as well; their names are
        prefixed with the name of the other model. Without `extra_body` the frame is a <frame>,
        which takes no joints; the bodies of the other model's world are then in the body of the
        site, or in the world, where they may have free joints. Raises ValueError for anything but
        a model, for a model that is attached already, and for one that sets an option to another
        value than this model.
        """
        return self.root._attach_at(self, attachment, extra_body)


class World(Element):
    """The worldbody of a model."""

    __slots__ = ()

    def _identifier(self, form: Form) -> str | None:
        """Returns the world's name, which in an attached model is that of the attachment body."""
        frame = self.root.frame
        if frame is None or form.prefix_root is None or form.prefix_root is self.root:
            return WORLD
        return frame.body_identifier(form)

    def _child(self, kind: type[Element]) -> Any:
        return AttachList(self, kind) if kind.tag == 'attach' else super()._child(kind)


class AttachList(ElementList[E]):
    """The list of the world's <attach> elements, which is at the same time the method `attach`."""

    __slots__ = ()

    def __call__(self, attachment: RootElement, *, extra_body: bool = True) -> AttachmentFrame:
        """Attaches another model to the world, as `Site.attach` does at a site."""
        return self.parent.root.attach(attachment, extra_body=extra_body)
