"""Converts the links of a robot to bodies with joints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..mjcf import Element, RootElement
from .geoms import placed
from .inertias import Mass
from .kinematic_tree import KinematicTree
from .robot import FIXED, Joint, Robot
from .rotations import frame_of

WORLD = 'world'
"""The name of MuJoCo's world body, and of a link that represents it."""
_HINGE, _SLIDE, _BALL, _FREE = 'hinge', 'slide', 'ball', 'free'
_AXES = ('x', (1, 0, 0)), ('y', (0, 1, 0)), ('z', (0, 0, 1))
_FAR = 1e10
"""The limit written for the unlimited side of a joint that is limited only on the other side."""


def mjcf_name(name: str) -> str:
    """Replaces slashes in a name with `_`, because names of attached models contain slashes."""
    return name.replace('/', '_')


def is_locked(joint: Joint) -> bool:
    """Returns whether the lower and upper limits of a joint are equal."""
    return math.isfinite(joint.lower) and joint.lower == joint.upper


def add_bodies(
    model: RootElement,
    robot: Robot,
    tree: KinematicTree,
    masses: dict[str, Mass],
    floating: bool,
) -> dict[str, Element]:
    """Adds a body for each link to the model, with the joints between the bodies.

    Returns the bodies by link name.
    """
    bodies: dict[str, Element] = {}
    waiting = [tree.root]
    while waiting:
        name = waiting.pop(0)
        above = tree.above.get(name)
        if above is not None:
            body = _body_below(bodies[above.parent], above)
        else:
            body = _root(model, name, floating)
        bodies[name] = body
        if name in masses and body is not model.worldbody:
            mass = masses[name]
            body.add(
                'inertial', mass=mass.mass, pos=mass.pos, quat=mass.quat, diaginertia=mass.moments
            )
        waiting += [joint.child for joint in tree.below[name]]
    return bodies


def _root(model: RootElement, name: str, floating: bool) -> Element:
    if name == WORLD:
        return model.worldbody
    body = model.worldbody.add('body', name=mjcf_name(name))
    if floating:
        body.add('freejoint', name=f'{mjcf_name(name)}_free')
    return body


def _body_below(parent: Element, joint: Joint) -> Element:
    body: Element = parent.add('body', name=mjcf_name(joint.child), **placed(joint.pose))
    for attributes in _joints(joint, parent.tag == 'worldbody'):
        body.add('joint', **attributes)
    return body


def _joints(joint: Joint, in_world: bool) -> list[dict[str, Any]]:
    """Returns the attributes of the MJCF joints that represent a URDF joint."""
    name = mjcf_name(joint.name)
    if joint.type == FIXED:
        return []
    if joint.type == 'floating':
        if in_world:
            return [{'name': name, 'type': _FREE}]
        slides = [{'name': f'{name}_{n}', 'type': _SLIDE, 'axis': axis} for n, axis in _AXES]
        return [*slides, {'name': f'{name}_rotation', 'type': _BALL}]
    if joint.type == 'spherical':
        return [{'name': name, 'type': _BALL, **_resisting(joint)}]
    if joint.type == 'planar':
        x, y, z = np.array(frame_of(joint.axis)).T
        return [
            {'name': f'{name}_x', 'type': _SLIDE, 'axis': x, **_resisting(joint)},
            {'name': f'{name}_y', 'type': _SLIDE, 'axis': y, **_resisting(joint)},
            {'name': f'{name}_yaw', 'type': _HINGE, 'axis': z, **_resisting(joint)},
        ]
    kind = _SLIDE if joint.type == 'prismatic' else _HINGE
    return [
        {'name': name, 'type': kind, 'axis': joint.axis, **_resisting(joint), **_limits(joint)}
    ]


def _resisting(joint: Joint) -> dict[str, Any]:
    found = {'damping': joint.damping, 'frictionloss': joint.friction}
    return {key: value for key, value in found.items() if value}


def _limits(joint: Joint) -> dict[str, Any]:
    found: dict[str, Any] = {}
    limited = math.isfinite(joint.lower) or math.isfinite(joint.upper)
    if limited and not is_locked(joint):
        sides = (joint.lower, -_FAR), (joint.upper, _FAR)
        found['range'] = [limit if math.isfinite(limit) else far for limit, far in sides]
    if math.isfinite(joint.effort):
        found['actuatorfrcrange'] = -joint.effort, joint.effort
    return found
