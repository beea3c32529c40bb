"""Joints and frames of attached models, and defaults made explicit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .attachment import AttachmentFrame
    from .element import Element
    from .elements import AnyJoint
    from .root import RootElement


def get_freejoint(element: Element) -> AnyJoint | None:
    """The free joint of a body, whichever way it is written; None if it has none."""
    if element.tag != 'body':
        return None
    joints: list[AnyJoint] = element.find_all('joint', immediate_children_only=True)
    return next((each for each in joints if each.tag == 'freejoint' or each.type == 'free'), None)


def get_attachment_frame(mjcf_model: RootElement) -> AttachmentFrame | None:
    """The frame by which a model is attached; None if it is not."""
    return mjcf_model.frame


def get_frame_freejoint(mjcf_model: RootElement) -> AnyJoint | None:
    """The free joint of that frame; None if it has none."""
    frame = mjcf_model.frame
    return None if frame is None else get_freejoint(frame)


def get_frame_joints(mjcf_model: RootElement) -> list[AnyJoint] | None:
    """The joints of that frame; None if the model is not attached."""
    frame = mjcf_model.frame
    if frame is None:
        return None
    return frame.find_all('joint', immediate_children_only=True, exclude_attachments=True)


def commit_defaults(element: Element, attributes: Iterable[str] | None = None) -> None:
    """Sets the attributes that the element has from its class of defaults on itself.

    All of them, or those that are named; none that it sets already.
    """
    wanted = None if attributes is None else set(attributes)
    for default in _defaults(element):
        for key, value in default.get_attributes().items():
            known = key in element._attributes and key not in element._values
            if known and (wanted is None or key in wanted):
                setattr(element, key, value)


def _defaults(element: Element) -> Iterable[Element]:
    """What the classes say that hold for it, from the innermost to the outermost."""
    holder: Any = _default_class(element)
    actuator = element.spec.namespace == 'actuator'
    while holder is not None and holder.tag == 'default':
        for section in holder._children:
            same = section.tag == element.tag
            if same or (actuator and section.tag in _actuators(element)):
                yield section
        holder = holder._parent


def _default_class(element: Element) -> Any:
    name = element._values.get('class')
    above = element._parent
    while name is None and above is not None:
        name = above._values.get('childclass')
        above = above._parent
    outermost = element.root.default
    if not isinstance(name, str):
        return outermost if name is None else name
    return element.root.find('default', name) or outermost


def _actuators(element: Element) -> set[str]:
    assert element._parent is not None
    return set(element._parent._types)
