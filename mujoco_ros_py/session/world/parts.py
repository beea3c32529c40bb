"""Spawned parts of a world: the models that they are created from, and their options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

import mujoco
import numpy as np

from ...errors import EntityError, SpawnFault
from ...mjcf import RootElement
from ...mjcf.compose.regrouping import enclose
from ...mjcf.spec.settling import compiled, settled
from ...mjcf.tree.element import Element
from ...simulation import ModelSource, Option, urdf_text
from .composition import Composition
from .entity import Entity, Spawn, entries_of, namespace_of, valid_name
from .reading import read_model

_FIRST_SCALAR = int(mujoco.mjtJoint.mjJNT_SLIDE)
"""The first of the joint types (free, ball, slide, hinge) whose position is a single number."""


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A model from which entities are created; the entities differ in name and pose."""

    model: RootElement
    """The settled model with a single top-level body; each entity gets a copy."""
    options: Element
    """The physics options that the model requests."""
    body: str
    """The name of the top-level body."""
    name: str
    """The default name of an entity."""
    urdf: str
    """The URDF text that the model was read from; empty for other formats."""

    def compile(self) -> mujoco.MjModel:
        """Compiles the model on its own."""
        return compiled(self.model)

    def entity(self, spawn: Spawn, name: str) -> Entity:
        """Returns the entity for a request. Raises ConfigError for invalid plugins."""
        namespace = namespace_of(spawn, name)
        return Entity(
            name=name,
            body=f'{name}/{self.body}',
            spawned=True,
            namespace=namespace,
            source=spawn.source.path or spawn.source.xml,
            urdf=self.urdf,
            entries=entries_of(spawn, name, namespace),
        )


def read_blueprint(source: ModelSource, kept: ExitStack) -> Blueprint:
    """Reads the model of a source; `kept` keeps open the files that it is compiled from.

    Raises EntityError if the model cannot be an entity, and MuJoCo's errors.
    """
    model = read_model(source, kept)
    options, whole = take_options(model), settled(model)
    # `settled` must come first: later, fusestatic would merge the new body into the world
    body = make_one_body(source, whole)
    name = default_name(source, model)
    return Blueprint(whole, options, str(body.name), name, urdf_text(source))


@dataclass(frozen=True, slots=True)
class Part:
    """A spawned entity and the model that is attached for it."""

    entity: Entity
    model: RootElement
    options: Element
    """The physics options that the model requests."""
    position: Sequence[float] | None
    """The position of its body in m; None: the position in the model."""
    orientation: Sequence[float] | None
    """The orientation of its body, a quaternion with w first; None: the orientation in the
    model."""
    size: int
    """The size in bytes of the entity's own compiled model."""
    kept: ExitStack = field(repr=False)
    """The open files that the model is compiled from; closing the stack closes them."""

    def attach_to(self, composition: Composition) -> None:
        """Attaches the model to a world, at the pose of the entity."""
        composition.attach(self.entity.name, self.model, (self.position, self.orientation))

    def in_world(self, model: mujoco.MjModel, running: Callable[[], list[Option]]) -> Part:
        """Returns a copy with the entity's `has_joints` and `unkept` set from a compiled world."""
        inside = model.body_rootid[model.jnt_bodyid] == mujoco.mj_name2id(
            model, mujoco.mjtObj.mjOBJ_BODY, self.entity.body
        )
        has_joints = bool((inside & (model.jnt_type >= _FIRST_SCALAR)).any())
        wants_any = self.options._values or self.options._children
        lost = unkept(self.options, running()) if wants_any else ()
        entity = replace(self.entity, has_joints=has_joints, unkept=lost)
        return replace(self, entity=entity)


_OF_WORLD = 'option', 'statistic', 'visual'
_SIZES_OF_WORLD = 'nkey', 'nuserdata'
"""Sizes that the world sets for itself: the numbers of keyframes and of `userdata` values."""


def take_options(model: RootElement) -> Element:
    """Removes world-wide settings from an entity's model; returns its physics options."""
    options = model.option
    for section in [each for each in model._children if each.tag in _OF_WORLD]:
        model._children.remove(section)
    for key in _SIZES_OF_WORLD:
        model.size._values.pop(key, None)
    return options


def unkept(options: Element, running: Iterable[Option]) -> tuple[str, ...]:
    """Returns a message for each requested option that differs from the world's."""
    return tuple(
        f'{path}={_shown(wanted)} is not kept: the world has {_shown(there)}'
        for path, wanted, there in _compared(options, _element_of(running), 'option ')
        if not np.array_equal(wanted, there)
    )


def _element_of(options: Iterable[Option]) -> Element:
    """Returns an `<option>` element with these options."""
    element: Element = RootElement().option
    for option in options:
        section, _, key = option.name.rpartition('/')
        setattr(element.flag if section else element, key, option.value or None)
    return element


def _compared(options: Element, world: Element, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Yields each option that is set, with the requested value and the world's value."""
    for key in options._values:
        yield f'{path}{key}', getattr(options, key), getattr(world, key)
    for child in options._children:
        yield from _compared(child, world.get_children(child.tag), f'{path}{child.tag} ')


def _shown(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or 'none'
    return ' '.join(f'{number:g}' for number in np.atleast_1d(value))


_UNNAMED = 'MuJoCo Model'
"""The name that MuJoCo gives to a model without a name."""
_ROOT = 'base'
"""The default name of an entity's body."""
_LOOSE = 'geom', 'site', 'camera', 'plugin', 'flexcomp', 'attach', 'replicate'
"""Elements that a model's worldbody can contain besides bodies."""


def default_name(source: ModelSource, model: RootElement) -> str:
    """Returns the name of the model, or the name of its file if the model has no name.

    Characters that are not allowed in an entity's name are replaced or removed.
    """
    name = model.get_attributes().get('model', _UNNAMED)
    return valid_name(PurePosixPath(source.path).stem if name == _UNNAMED else name)


def make_one_body(source: ModelSource, model: RootElement) -> Element:
    """Reduces a model to a single, named top-level body, and returns this body.

    Lights and keyframes of the model are dropped, because the world's own apply. Several bodies,
    or geoms of the worldbody, are moved into a new body. Raises EntityError if the model is empty,
    or if a free or mocap body would end up below the new body (MuJoCo allows these only at the top
    level).
    """
    world = model.worldbody
    for dropped in (*model.keyframe._children, *_in_world(world, 'light')):
        dropped.remove()
    bodies, loose = _in_world(world, 'body'), _in_world(world, *_LOOSE)
    if len(bodies) == 1 and not loose:
        (body,) = bodies
    else:
        _check_may_be_enclosed(source, [*bodies, *_copied(loose)], loose)
        body = enclose(world, _free_name(model))
    if not body._name:
        body.name = _free_name(model)
    return body


def _in_world(parent: Element, *tags: str) -> list[Element]:
    """Returns the elements with these tags at the top level of the world, including in frames."""
    found: list[Element] = []
    for child in parent._children:
        if child.tag in tags:
            found.append(child)
        elif child.tag == 'frame':
            found += _in_world(child, *tags)
    return found


def _copied(elements: list[Element]) -> list[Element]:
    """Returns the bodies that MuJoCo copies because they are in `<replicate>` elements."""
    found: list[Element] = []
    for each in elements:
        if each.tag == 'replicate':
            inside = _in_world(each, 'body', 'replicate')
            found += [other for other in inside if other.tag == 'body'] + _copied(inside)
    return found


def _check_may_be_enclosed(
    source: ModelSource, bodies: list[Element], loose: list[Element]
) -> None:
    if not bodies and not loose:
        raise EntityError(f'{source.name}: has no body to spawn', SpawnFault.PARSE_ERROR)
    for body in bodies:
        if _moves_freely(body):
            others = [f'{len(bodies)} top-level bodies'] if len(bodies) > 1 else []
            others += [f'{len(loose)} elements of the world itself'] if loose else []
            which = repr(body._name) if body._name else 'without a name'
            raise EntityError(
                f'{source.name}: an entity must be one top-level body, but there are'
                f' {" and ".join(others)}. They cannot be combined, because the body {which}'
                f' moves freely. Remove the floor, and spawn bodies one by one',
                SpawnFault.PARSE_ERROR,
            )


def _moves_freely(body: Element) -> bool:
    return body.mocap == 'true' or any(
        each.tag == 'freejoint' or (each.tag == 'joint' and each.type == 'free')
        for each in body._children
    )


def _free_name(model: RootElement) -> str:
    names = (_ROOT, *(f'{_ROOT}_{k}' for k in range(1, 2 + len(model.find_all('body')))))
    return next(name for name in names if model.find('body', name) is None)
