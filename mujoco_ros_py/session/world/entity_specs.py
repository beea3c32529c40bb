"""The model of an entity: one top-level body, ready to be attached to a world."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

import mujoco

from ...errors import EntityError, SpawnFault
from ...mujoco_log import collecting
from ...simulation import ModelSource
from .entity import valid_name

_UNNAMED = 'MuJoCo Model'
"""The name that MuJoCo gives to a model without a name."""
_ROOT = 'base'
"""The name of the body of an entity, where its model has none for it."""
_FREE = mujoco.mjtJoint.mjJNT_FREE
_SCALAR = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE


def default_name(source: ModelSource, spec: mujoco.MjSpec) -> str:
    """Returns the name of the model, or that of its file where it has none.

    What no name of an entity may have is replaced or left out.
    """
    if spec.modelname != _UNNAMED and spec.modelname:
        return valid_name(str(spec.modelname))
    return valid_name(PurePosixPath(source.path).stem)


def with_one_body(source: ModelSource, spec: mujoco.MjSpec) -> mujoco.MjSpec:
    """Returns the model with a single top-level body, which has a name.

    Lights and keyframes of the model are dropped, as those of the world count. Several bodies, and
    geoms of the world, come into a body of their own. Raises EntityError where MuJoCo permits that
    not: for free bodies and mocap bodies beside others, and for a model without anything in it.
    """
    for dropped in (*spec.keys, *spec.worldbody.lights):
        spec.delete(dropped)
    bodies, loose = list(spec.worldbody.bodies), list(_loose(spec.worldbody))
    if len(bodies) != 1 or loose:
        spec = _wrapped(source, spec, bodies, loose)
    (body,) = spec.worldbody.bodies
    if not body.name:
        body.name = _free_name(spec)
    return spec


def has_scalar_joints(spec: mujoco.MjSpec) -> bool:
    """Returns whether the model has hinge or slide joints."""
    return any(joint.type in _SCALAR for joint in spec.joints)


def _loose(world: mujoco.MjsBody) -> Iterator[object]:
    """Yields what is in the world itself, and in no body."""
    yield from world.geoms
    yield from world.sites
    yield from world.cameras


def _wrapped(
    source: ModelSource, spec: mujoco.MjSpec, bodies: list[mujoco.MjsBody], loose: list[object]
) -> mujoco.MjSpec:
    """Returns the model with all that it has in one body."""
    name = source.name
    if not bodies and not loose:
        raise EntityError(f'{name}: has no body to spawn', SpawnFault.PARSE_ERROR)
    for body in bodies:
        if body.mocap or any(joint.type == _FREE for joint in body.joints):
            others = [f'{len(bodies)} top-level bodies'] if len(bodies) > 1 else []
            others += [f'{len(loose)} elements of the world itself'] if loose else []
            raise EntityError(
                f'{name}: an entity is one top-level body. Its body {body.name!r} moves freely, so'
                f' that it cannot be put into another, and there are {" and ".join(others)};'
                ' remove a floor, and spawn bodies one by one',
                SpawnFault.PARSE_ERROR,
            )
    outer = mujoco.MjSpec()
    outer.modelname = spec.modelname
    frame = outer.worldbody.add_body(name=_free_name(spec)).add_frame()
    with collecting():  # MuJoCo warns of names that may clash
        outer.attach(spec, frame=frame, prefix='')
    return outer


def _free_name(spec: mujoco.MjSpec) -> str:
    taken = {body.name for body in spec.bodies}
    return next(name for name in (_ROOT, *(f'{_ROOT}_{k}' for k in range(1, len(taken) + 2)))
                if name not in taken)  # fmt: skip


def place(
    body: mujoco.MjsBody, position: Sequence[float] | None, orientation: Sequence[float] | None
) -> None:
    """Sets the pose of a top-level body in the world, as far as it is given."""
    if position is None and orientation is None:
        return
    frame = body.frame
    while frame is not None:
        frame.pos, frame.quat = [0, 0, 0], [1, 0, 0, 0]
        frame.alt.type = mujoco.mjtOrientation.mjORIENTATION_QUAT
        frame = frame.frame
    if position is not None:
        body.pos = list(position)
    if orientation is not None:
        length = math.hypot(*orientation)
        body.quat = [value / length for value in orientation]
        body.alt.type = mujoco.mjtOrientation.mjORIENTATION_QUAT
