"""Composes the model of a world from a base model and entities that come and go."""

from __future__ import annotations

import math
from copy import copy
from functools import cached_property

import mujoco

from ...mjcf import RootElement
from ...mjcf.compose.merged_sections import divided
from ...mjcf.compose.regrouping import take_out_of_frames
from ...mjcf.compose.removal import remove_with_referrers
from ...mjcf.compose.shared_options import reconcile
from ...mjcf.files.export import contents_by_name
from ...mjcf.schema.alternatives import ORIENTATIONS
from ...mjcf.spec.settling import expanded
from ...mjcf.tree.element import Element
from ...mjcf.write.form import Form
from ...mjcf.write.writer import write, write_sections
from .entity import Entity, Pose
from .keyframes import Keyframes

_NOT_BODIES = 'frame', 'replicate'
_MADE_BY_MUJOCO = 'attach', 'flexcomp', 'replicate'
"""Elements from which MuJoCo generates bodies; no element of the model represents these bodies."""
_OF_WORLD = 'compiler', 'option', 'size', 'visual', 'statistic'
"""The sections that a world takes only from its base, in the order in which MuJoCo reads them."""


class Composition:
    """A base model with attached models; names in these are prefixed by the entity's name and /.

    The XML text of each model is cached: it is written only when the model is added or changed,
    not for changes of other models.
    """

    def __init__(self, base: RootElement) -> None:
        """Copies the base, which must be `settled`; the original is not modified."""
        self._base = _Written(copy(base), '')
        self._keys = Keyframes(self._base.model)
        self._parts: dict[str, _Written] = {}

    def attach(self, name: str, part: RootElement, pose: Pose) -> None:
        """Attaches a copy of a settled part with one top-level body, and sets this body's pose.

        Raises ValueError if the part cannot be composed with the existing model.
        """
        if part.size._values:
            reconcile(self._base.model.size, part.size, change=True)
            self._base.changed()
        self._parts[name] = written = _Written(copy(part), f'{name}/')
        self._place(written, _body_of(written.model), pose)

    def detach(self, entity: Entity) -> None:
        """Removes an entity and everything that refers to it."""
        if entity.spawned:
            del self._parts[entity.name]
            return
        body = self._own_body(entity.body)
        with self._keys.without(self._base.model, entity.body):
            remove_with_referrers(body)
        self._base.changed()

    def place(self, entity: Entity, pose: Pose) -> None:
        """Sets the pose of an entity's body in the world."""
        if entity.spawned:
            part = self._parts[entity.name]
            self._place(part, _body_of(part.model), pose)
        else:
            self._place(self._base, self._own_body(entity.body), pose)

    def compile(self) -> mujoco.MjModel:
        """Compiles the model. Raises ValueError with MuJoCo's message."""
        written = [self._base, *self._parts.values()]
        pieces = [self._base.head]
        tags = dict.fromkeys(tag for each in written for tag in each.sections)
        for tag in tags:
            inner = ''.join([each.sections.get(tag, '') for each in written])
            pieces.append(f'<{tag}>{inner}</{tag}>')
        files = {name: content for each in written for name, content in each.files.items()}
        spec = mujoco.MjSpec.from_string(''.join([*pieces, '</mujoco>']), assets=files)
        model = spec.compile()
        self._keys.write(model)
        return model

    def _place(self, within: _Written, body: Element, pose: Pose) -> None:
        """Sets the pose of a top-level body in the world; None keeps the current value."""
        position, orientation = pose
        if position is None and orientation is None:
            return
        if body.parent is not None and body.parent.tag == 'frame':
            if position is None or orientation is None:
                there = self.compile().body(body._identifier(within.form()))
                position = there.pos if position is None else position
                orientation = there.quat if orientation is None else orientation
            take_out_of_frames(body)
        if position is not None:
            body.set_attributes(pos=position)
        if orientation is not None:
            for key in ORIENTATIONS:
                body._values.pop(key, None)
            length = math.hypot(*orientation)
            body.set_attributes(quat=[value / length for value in orientation])
        within.changed()

    def _own_body(self, name: str) -> Element:
        """Returns the element of a top-level body of the base.

        If MuJoCo generates the body, or bodies inside it, the base is first replaced with its
        expanded form, in which elements represent these bodies.
        """
        body: Element | None = self._base.model.find('body', name)
        if body is None or _is_made_by_mujoco(body):
            expanded_base = expanded(self._base.model)
            self._keys.clear(expanded_base)
            self._base = _Written(expanded_base, '')
            body = self._base.model.find('body', name)
        assert body is not None
        return body


class _Written:
    """A model and its cached XML text as a part of a world."""

    def __init__(self, model: RootElement, prefix: str) -> None:
        """`prefix` is prepended to all names in the model."""
        self.model = model
        self._prefix = prefix

    def form(self) -> Form:
        """The form in which the model is written as a part of a world."""
        prefixes = {id(self.model): self._prefix}
        return Form(filenames='located', prefix_root=self.model, apart=True, _prefixes=prefixes)

    def changed(self) -> None:
        """Drops the cached text because the model has changed."""
        self.__dict__.pop('head', None)
        self.__dict__.pop('sections', None)

    @cached_property
    def head(self) -> str:
        """The start of a base's XML text, including the sections that apply to the whole world."""
        form = self.form()
        start = write(self.model, form, self_only=True).removesuffix('...</mujoco>')
        sections = divided(self.model.get_children(tag) for tag in _OF_WORLD)
        whole = [write(each, form, pretty=False) for each in sections]
        return ''.join([start, *whole])

    @cached_property
    def sections(self) -> dict[str, str]:
        """The inner XML of each section, by tag."""
        written = write_sections(self.model, self.form())
        return {tag: text for tag, text in written.items() if tag not in _OF_WORLD}

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The files of the model that exist only in memory, by name."""
        return contents_by_name(self.model, self.form())


def _body_of(part: RootElement) -> Element:
    """Returns the only top-level body of a part."""
    (body,) = _bodies_in(part.worldbody)
    return body


def _bodies_in(world: Element) -> list[Element]:
    found: list[Element] = []
    for child in world._children:
        if child.tag == 'body':
            found.append(child)
        elif child.tag in _NOT_BODIES:
            found += _bodies_in(child)
    return found


def _is_made_by_mujoco(body: Element) -> bool:
    """Returns whether MuJoCo generates bodies inside a body, which no element represents."""
    return any(each.tag in _MADE_BY_MUJOCO for each in body.walk())
