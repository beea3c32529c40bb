"""Functions on joints and frames of attached models, and on inherited defaults."""

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
    """Returns the free joint of a body, in either notation, or None if it has none."""
    if element.tag != 'body':
        return None
    joints: list[AnyJoint] = element.find_all('joint', immediate_children_only=True)
    return next((each for each in joints if each.tag == 'freejoint' or each.type == 'free'), None)


def get_attachment_frame(mjcf_model: RootElement) -> AttachmentFrame | None:
    """Returns the frame by which a model is attached, or None if it is not attached."""
    return mjcf_model.frame


def get_frame_freejoint(mjcf_model: RootElement) -> AnyJoint | None:
    """Returns the free joint of a model's attachment frame, or None if there is none."""
    frame = mjcf_model.frame
    return None if frame is None else get_freejoint(frame)


def get_frame_joints(mjcf_model: RootElement) -> list[AnyJoint] | None:
    """Returns the joints of a model's attachment frame, or None if the model is not attached."""
    frame = mjcf_model.frame
    if frame is None:
        return None
    return frame.find_all('joint', immediate_children_only=True, exclude_attachments=True)


def commit_defaults(element: Element, attributes: Iterable[str] | None = None) -> None:
    """Sets the attributes that the element inherits from its default class on the element itself.

    These are all attributes or the named ones, except those that the element sets already; of the
    attributes of orientation only one is set.
    """
    wanted = None if attributes is None else set(attributes)
    for key, value in inherited(element).items():
        if wanted is None or key in wanted:
            setattr(element, key, value)
