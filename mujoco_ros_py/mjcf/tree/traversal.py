"""Functions for joints and frames of attached models, and for inherited defaults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .inheritance import inherited

if TYPE_CHECKING:
    from ..compose.attachment import AttachmentFrame
    from ..compose.root import RootElement
    from ..elements import AnyJoint
    from .element import Element


def get_freejoint(element: Element) -> AnyJoint | None:
    """Returns the free joint of a body, in either notation, or None."""
    if element.tag != 'body':
        return None
    joints: list[AnyJoint] = element.find_all('joint', immediate_children_only=True)
    return next((each for each in joints if each.tag == 'freejoint' or each.type == 'free'), None)


def get_attachment_frame(mjcf_model: RootElement) -> AttachmentFrame | None:
    """Returns the frame that attaches a model, or None if the model is not attached."""
    return mjcf_model.frame


def get_frame_freejoint(mjcf_model: RootElement) -> AnyJoint | None:
    """Returns the free joint of a model's attachment frame, or None."""
    frame = mjcf_model.frame
    return None if frame is None else get_freejoint(frame)


def get_frame_joints(mjcf_model: RootElement) -> list[AnyJoint] | None:
    """Returns the joints of a model's attachment frame, or None if the model is not attached."""
    frame = mjcf_model.frame
    if frame is None:
        return None
    return frame.find_all('joint', immediate_children_only=True, exclude_attachments=True)


def commit_defaults(element: Element, attributes: Iterable[str] | None = None) -> None:
    """Copies attributes from an element's default classes to the element itself.

    Copies all attributes or only the named ones, except attributes that the element already sets.
    At most one orientation attribute is copied, because an element can have only one.
    """
    wanted = None if attributes is None else set(attributes)
    for key, value in inherited(element).items():
        if wanted is None or key in wanted:
            setattr(element, key, value)
