"""The elements that models can be attached to: sites and the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..tree.element import Element
from ..tree.lists import E, ElementList
from ..write.form import WORLD, Form

if TYPE_CHECKING:
    from .attachment import AttachmentFrame
    from .root import RootElement


class Attachable(Element):
    """A site, to which another model can be attached."""

    __slots__ = ()

    def attach(self, attachment: RootElement, *, extra_body: bool = True) -> AttachmentFrame:
        """Attaches another model at this site. Joints can be added to the returned frame.

        The elements of the other model then belong to this model as well, and their names are
        prefixed with the other model's name. Without `extra_body` the frame is a <frame> and takes
        no joints. The bodies of the other model's world are then in the body that contains the
        site, or in the world, where they can have free joints.

        Raises ValueError if `attachment` is not a model, if it is already attached, or if it sets
        an option to a different value than this model.
        """
        return self.root._attach_at(self, attachment, extra_body)


class World(Element):
    """The worldbody of a model."""

    __slots__ = ()

    def _identifier(self, form: Form) -> str | None:
        """Returns the world's name; in an attached model this is the attachment body's name."""
        frame = self.root.frame
        if frame is None or form.prefix_root is None or form.prefix_root is self.root:
            return WORLD
        return frame.body_identifier(form)

    def _child(self, kind: type[Element]) -> Any:
        return AttachList(self, kind) if kind.tag == 'attach' else super()._child(kind)


class AttachList(ElementList[E]):
    """The list of the world's <attach> elements, which can also be called as `attach`."""

    __slots__ = ()

    def __call__(self, attachment: RootElement, *, extra_body: bool = True) -> AttachmentFrame:
        """Attaches another model to the world, like `Site.attach`."""
        return self.parent.root.attach(attachment, extra_body=extra_body)
