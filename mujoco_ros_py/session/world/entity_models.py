"""The model of an entity: one top-level body, ready to be attached to a world."""

from __future__ import annotations

from pathlib import PurePosixPath

from ...errors import EntityError, SpawnFault
from ...mjcf import RootElement
from ...mjcf.compose.regrouping import enclose
from ...mjcf.tree.element import Element
from ...simulation import ModelSource
from .entity import valid_name

_UNNAMED = 'MuJoCo Model'
"""The name that MuJoCo gives to a model without a name."""
_ROOT = 'base'
"""The name of the body of an entity, where its model has none for it."""
_LOOSE = 'geom', 'site', 'camera', 'plugin', 'flexcomp', 'attach', 'replicate'
"""What makes the world of a model more than its bodies."""


def default_name(source: ModelSource, model: RootElement) -> str:
    """Returns the name of the model, or that of its file where it has none.

    What no name of an entity may have is replaced or left out.
    """
    name = model.get_attributes().get('model', _UNNAMED)
    return valid_name(PurePosixPath(source.path).stem if name == _UNNAMED else name)


def make_one_body(source: ModelSource, model: RootElement) -> Element:
    """Leaves a single top-level body, which has a name, in a model; returns it.

    Lights and keyframes of the model are dropped, as those of the world count. Several bodies, and
    geoms of the world, come into a body of their own. Raises EntityError where MuJoCo permits that
    not: for free bodies and mocap bodies beside others, and for a model without anything in it.
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
    """Returns the elements of these tags in the world itself, also those in frames."""
    found: list[Element] = []
    for child in parent._children:
        if child.tag in tags:
            found.append(child)
        elif child.tag == 'frame':
            found += _in_world(child, *tags)
    return found


def _copied(elements: list[Element]) -> list[Element]:
    """Returns the bodies that the `<replicate>` among these elements copy."""
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
                f'{source.name}: an entity is one top-level body. Its body {which} moves'
                f' freely, so that it cannot be put into another, and there are'
                f' {" and ".join(others)}; remove a floor, and spawn bodies one by one',
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
