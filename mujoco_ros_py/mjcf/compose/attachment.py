"""Attaches models to each other, with a frame for each attached model."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from ..schema import AttributeSpec, ElementSpec
from ..schema.alternatives import ORIENTATIONS
from ..tree.element import Element
from ..tree.inheritance import inherited
from ..tree.kinds import element_type
from ..write.form import SEPARATOR, Form
from .shared_options import catch_up, reconcile, remember
from .units import agree, choose

if TYPE_CHECKING:
    from ..elements import _AttachmentFrame as _Base
    from .root import RootElement
else:
    _Base = Element

_CHILDREN = 'joint', 'freejoint', 'inertial'
_PLACE = 'pos', *ORIENTATIONS
"""The attributes that a frame copies from its site."""
_PASSED = 'frame', 'replicate'
"""Elements other than bodies that can contain bodies."""


class FrameChild(Element):
    """A joint or inertial of an attachment frame. Its name is unique only within the frame."""

    __slots__ = ()

    def _identifier(self, form: Form) -> str | None:
        """Returns the frame's name, then a slash and the child's own name, if it has one."""
        assert self._parent is not None
        if not self._key:
            return None
        frame = str(self._parent._identifier(form))
        return f'{frame}{self._name}{SEPARATOR}' if self._name else frame

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        others = [pair for pair in super()._texts(form) if pair[0] != 'name']
        name = self._identifier(form)
        return [('name', name), *others] if name else others

    def _check_name(self, name: str) -> None:
        assert self._parent is not None
        if SEPARATOR in name:
            raise ValueError(f'name must not contain {SEPARATOR!r}, got {name!r}')
        for other in self._parent._children:
            if other is not self and other._name == name:
                raise ValueError(f'name {name!r} is already used by {other}')

    def _rename(self, old: str | None, new: str | None) -> None:
        """Does nothing: children of frames are not looked up by name."""


class AttachmentFrame(_Base):
    """The body that contains the world of an attached model. Can have joints and an inertial."""

    __slots__ = ('attachment', 'shared')

    attachment: RootElement
    shared: dict[tuple[str, ...], Any]
    """The attached model's options when they were last copied to its hosts, by tags and
    attribute."""

    def _identifier(self, form: Form) -> str:
        """Returns the frame's name, the prefix of all names in the attached model."""
        return form.frame_name(self)

    def body_identifier(self, form: Form) -> str:
        """Returns the name of the body that represents the attached model's world."""
        return form.frame_name(self)

    def all_children(self) -> list[Element]:
        """Returns the children of the frame, then the children of the attached model's world."""
        return [*self._children, *self._attached_children()]

    def _attached_children(self) -> list[Element]:
        return [child for child in self.attachment.worldbody.all_children() if child._repeated]

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        return [('name', self._identifier(form)), *super()._texts(form)]

    def _written_children(self, form: Form) -> list[Any]:
        self._check_world()
        return [*self._children, *self.attachment.worldbody._children]

    def _check_world(self) -> None:
        """Raises ValueError if an attached element is allowed only in the world."""
        found = _first_of_world(self.attachment.worldbody)
        if found is not None:
            raise ValueError(
                f'{_of_world(found)}, but model {self.attachment.model!r} is attached with a body'
                ' in between; use attach(..., extra_body=False) to attach without one'
            )


class BodilessFrame(AttachmentFrame):
    """A <frame> that contains the world of an attached model, without a body in between."""

    __slots__ = ()

    def body_identifier(self, form: Form) -> str:
        """Returns the name of the body that contains the frame."""
        return str(body_around(self)._identifier(form))

    def _check_world(self) -> None:
        if self._parent is None:  # the frame was removed
            return
        body = body_around(self)
        found = None if body.tag == 'worldbody' else _first_of_world(self.attachment.worldbody)
        if found is not None:
            raise ValueError(
                f'{_of_world(found)}, but model {self.attachment.model!r} is attached in {body}'
            )

    def _no_child(self, tag: str) -> str:
        return (
            f'{self}: <{tag}> is not allowed here, because the model was attached with'
            ' extra_body=False and the frame is not a body'
        )


@cache
def _body_type(body: ElementSpec, world: bool) -> type[AttachmentFrame]:
    tags = [tag for tag in _CHILDREN if world or tag != 'freejoint']
    children = {tag: replace(body.children[tag]) for tag in tags}
    for tag, child in children.items():
        bases = FrameChild, element_type(body.children[tag])
        element_type(child, type('FrameChild', bases, {'__slots__': ()}))
    spec = ElementSpec('body', 'body', True, False, _without_name(body), children)
    return element_type(spec, AttachmentFrame)  # type: ignore[return-value]


@cache
def _frame_type(frame: ElementSpec) -> type[AttachmentFrame]:
    spec = ElementSpec('frame', 'frame', True, False, _without_name(frame))
    return element_type(spec, BodilessFrame)  # type: ignore[return-value]


def _without_name(kind: ElementSpec) -> dict[str, AttributeSpec]:
    return {name: spec for name, spec in kind.attributes.items() if name != 'name'}


def attach(place: Element, model: Any, *, extra_body: bool) -> AttachmentFrame:
    """Attaches the model with a new frame, and returns the frame.

    The frame is placed next to a site, or inside the world.
    """
    root = place.root
    _check(root, model)
    _share(model, [root, *root.hosts()])
    at_site = place.tag == 'site'
    parent = place._parent if at_site else place
    assert parent is not None
    kinds = root.worldbody.spec.children
    in_world = _around(parent).tag == 'worldbody'
    kind = _body_type(kinds['body'], in_world) if extra_body else _frame_type(kinds['frame'])
    frame: AttachmentFrame = kind._detached(parent)
    for key, value in _pose(place).items() if at_site else ():
        frame._accept(key, value)
    model._become_attached(frame, _free_name(root, model.model))
    siblings = parent._children
    position = siblings.index(place) + 1 if at_site else len(siblings)
    while position < len(siblings) and isinstance(siblings[position], AttachmentFrame):
        position += 1
    siblings.insert(position, frame)
    root.frames[model.model] = frame
    remember(model)
    return frame


def _pose(site: Element) -> dict[str, Any]:
    """Returns a site's pose from its attributes and defaults; `fromto` overrides the rest.

    With `fromto`, the site is halfway between the two points, and its z axis points from the
    second point to the first.
    """
    said = {**inherited(site), **site.get_attributes()}
    ends = said.get('fromto')
    if ends is None:
        return {key: said[key] for key in _PLACE if key in said}
    start, stop = ends[:3], ends[3:]
    return {'pos': (start + stop) / 2, 'zaxis': start - stop}


def _share(model: RootElement, hosts: list[RootElement]) -> None:
    """Copies the options of the model to all hosts.

    Raises ValueError, before any change, if options conflict.
    """
    for host in reversed(hosts):
        if host.frame is not None:
            catch_up(host)
    for host in hosts:
        agree(host, model)
        reconcile(host, model, change=False)
    for host in hosts:
        reconcile(host, model, change=True)
        choose(host, model)


def body_around(frame: AttachmentFrame) -> Element:
    """Returns the body or world that contains a frame."""
    assert frame._parent is not None
    return _around(frame._parent)


def _around(place: Element) -> Element:
    while place.tag in _PASSED:
        assert place._parent is not None
        place = place._parent
    return place


def _first_of_world(world: Element) -> Element | None:
    """Returns the first element allowed only in the world; also searches attached models."""
    for child in world._children:
        found = _in_child(child)
        if found is not None:
            return found
    return None


def _in_child(child: Element) -> Element | None:
    if isinstance(child, BodilessFrame):
        return _first_of_world(child.attachment.worldbody)
    if child.tag in _PASSED:
        return _first_of_world(child)
    if child.tag != 'body':
        return None
    if child._values.get('mocap') == 'true':
        return child
    return next((each for each in child._children if _is_free(each)), None)


def _is_free(element: Element) -> bool:
    joint = element.tag == 'joint' and element._values.get('type') == 'free'
    return joint or element.tag == 'freejoint'


def _of_world(found: Element) -> str:
    kind = 'moved by mocap' if found.tag == 'body' else 'free'
    of = f'{found} of model {found.root.model!r}'
    return f'{of} is {kind}, which is allowed only for bodies in the world'


def _check(root: RootElement, model: Any) -> None:
    if not (isinstance(model, Element) and model._is_root):
        raise ValueError(f'the attached model must be a RootElement, got {model!r}')
    if model.parent_model is not None:
        raise ValueError(f'model {model.model!r} is already attached')
    if SEPARATOR in model.model:
        raise ValueError(
            f'model {model.model!r} cannot be attached under this name, because {SEPARATOR!r}'
            ' separates the names of models'
        )
    if model.root_model is root.root_model:
        raise ValueError(f'model {model.model!r} cannot be attached to itself')


def _free_name(root: RootElement, name: str) -> str:
    number, free = 0, name
    while free in root.frames or free == root.model:
        number += 1
        free = f'{name}_{number}'
    return free
