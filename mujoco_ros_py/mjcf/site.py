"""Sites, where other models are attached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .element import Element
from .form import Form
from .naming import WORLD

if TYPE_CHECKING:
    from .attachment import AttachmentFrame


class Attachable(Element):
    """A site of a body or of the world; or the world."""

    __slots__ = ()

    def _identifier(self, form: Form) -> str | None:
        """The world of an attached model is the body that it is attached by."""
        if self.tag != 'worldbody':
            return super()._identifier(form)
        return form.prefix(self.root) or WORLD

    def attach(self, attachment: Any) -> AttachmentFrame:
        """Attaches another model here, by a frame to which joints can be added.

        All of the other model is part of this one's from now on; its names get its own before
        them. Raises ValueError for what is no model, is attached already, or sets an option to
        another value than this model does.
        """
        return self.root._attach_at(self, attachment)
