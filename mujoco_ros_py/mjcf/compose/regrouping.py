"""Moves elements of a model into a body, and bodies out of frames."""

from __future__ import annotations

from ..tree.element import Element


def enclose(world: Element, name: str) -> Element:
    """Moves the content of a worldbody into a new body with this name; returns the body."""
    content = list(world._children)
    body: Element = world.add('body', name=name)
    for child in content:
        world._children.remove(child)
        child._parent = body
        body._children.append(child)
    return body


def take_out_of_frames(body: Element) -> None:
    """Moves a body out of the frames around it; the frames keep its siblings.

    The order of all bodies stays the same. The body keeps the numbers of its pose, which is then
    relative to the body or world around the frames.
    """
    while (frame := body._parent) is not None and frame.tag == 'frame':
        parent = frame._parent
        assert parent is not None
        if 'childclass' in frame._values and 'childclass' not in body._values:
            body._values['childclass'] = frame._values['childclass']
        place = frame._children.index(body)
        rest = type(frame)._detached(parent)
        rest._values = {key: value for key, value in frame._values.items() if key != 'name'}
        rest._children = frame._children[place + 1 :]
        for child in rest._children:
            child._parent = rest
        frame._children = frame._children[:place]
        body._parent = parent
        place = parent._children.index(frame) + 1
        parent._children[place:place] = [body, rest] if rest._children else [body]
