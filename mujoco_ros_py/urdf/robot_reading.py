"""Parses a robot: its links, its joints and their references.

This is a parser of our own because yourdfpy reports errors without file and line, and drops
`<gazebo>`, `<ros2_control>` and `<mujoco>`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, TypeVar

from .left_out import LeftOut
from .link_reading import link_of, material_of, pose_in
from .robot import FIXED, SINGLE, TYPES, Joint, Mimic, Robot
from .tag import Tag, Vector

Part = TypeVar('Part', bound=Any)
_KNOWN = 'link', 'joint', 'material', 'gazebo', 'transmission', 'ros2_control', 'mujoco'
_MOST = 20
"""The maximum number of names listed in an error."""
_X: Vector = (1.0, 0.0, 0.0)
_WITHOUT_AXIS = FIXED, 'floating', 'spherical'
_LIMITED = 'revolute', 'prismatic'
_PARTS = 'parent', 'child', 'origin', 'axis', 'limit', 'dynamics', 'mimic'


def robot_of(root: Tag, left_out: LeftOut) -> Robot:
    """Returns the robot described by a URDF.

    Raises UrdfError for invalid elements, duplicate names, and joints that refer to unknown links
    or joints.
    """
    for tag in root.children:
        if tag.name not in _KNOWN:
            left_out.add('elements of other tools', f'<{tag.name}>')
    materials = {each.name: each for each in map(material_of, root.all('material'))}
    links = _by_name(link_of(tag, materials, left_out) for tag in root.all('link'))
    joints = _by_name(_joint_of(tag, left_out) for tag in root.all('joint'))
    if not links:
        raise root.error('must have at least one element <link>')
    for joint in joints.values():
        _check(joint, links, joints)
    return Robot(tag=root, name=root.attributes.get('name', ''), links=links, joints=joints)


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Returns the error text for an unknown name, with the known names."""
    names = list(known)
    if len(names) > _MOST:
        close = get_close_matches(name, names, _MOST, 0.3) or names[:_MOST]
        names = [*close, f'and {len(names) - len(close)} more']
    return f'unknown {kind} {name!r}; known: {", ".join(names) or "none"}'


def _by_name(parts: Iterable[Part]) -> dict[str, Part]:
    found: dict[str, Part] = {}
    for part in parts:
        if part.name in found:
            first = found[part.name].tag
            told = f'name {part.name!r} is already used by the {first.name} on line {first.line}'
            raise part.tag.error(told)
        found[part.name] = part
    return found


def _check(joint: Joint, links: dict[str, Any], joints: dict[str, Joint]) -> None:
    for end in ('parent', 'child'):
        name = getattr(joint, end)
        if name not in links:
            raise joint.tag.error(f'{end}: {unknown("link", name, links)}')
    mimic = joint.mimic
    if mimic is None:
        return
    if mimic.joint not in joints:
        raise joint.tag.error(f'mimic: {unknown("joint", mimic.joint, joints)}')
    if mimic.joint == joint.name:
        raise joint.tag.error('mimic: a joint must not mimic itself')


def _joint_of(tag: Tag, left_out: LeftOut) -> Joint:
    """Parses a <joint> element. Raises UrdfError if the element is invalid."""
    name, kind = tag.word('name'), tag.word('type')
    if kind not in TYPES:
        raise tag.error(f'type must be one of {", ".join(TYPES)}, got {kind!r}')
    for child in tag.children:
        if child.name not in _PARTS:
            left_out.add(f'<{child.name}> in joints', name)
    lower, upper = _range(tag, kind, name, left_out)
    dynamics = tag.first('dynamics') or Tag('dynamics', {}, tag.line, tag.path)
    return Joint(
        tag=tag,
        name=name,
        type=kind,
        parent=tag.required('parent').word('link'),
        child=tag.required('child').word('link'),
        pose=pose_in(tag),
        axis=_X if kind in _WITHOUT_AXIS else _axis(tag),
        lower=lower,
        upper=upper,
        effort=_greatest(tag, kind, 'effort', name, left_out),
        velocity=_greatest(tag, kind, 'velocity', name, left_out),
        damping=dynamics.at_least(0.0, 'damping', 0.0),
        friction=dynamics.at_least(0.0, 'friction', 0.0),
        mimic=_mimic(tag, kind, name, left_out),
    )


def _axis(tag: Tag) -> Vector:
    axis = tag.first('axis')
    if axis is None:
        return _X
    values = axis.numbers('xyz', 3, _X)
    length = math.hypot(*values)
    if length < 1e-9:
        raise tag.error(f'the axis must not be zero, got {axis.word("xyz")!r}')
    return tuple(value / length for value in values)


def _range(tag: Tag, kind: str, name: str, left_out: LeftOut) -> tuple[float, float]:
    """Returns the lower and upper position limits; infinite for joints without limits."""
    free = -math.inf, math.inf
    if kind not in _LIMITED:
        return free
    limit = tag.required('limit')
    lower = limit.number('lower', 0.0, infinite=True)
    upper = limit.number('upper', 0.0, infinite=True)
    if lower > upper:
        left_out.add('lower limits above the upper limit, in joints', name)
        return free
    return lower, upper


def _greatest(tag: Tag, kind: str, key: str, name: str, left_out: LeftOut) -> float:
    """Returns an effort or speed limit; inf if the joint has no such limit."""
    limit = tag.first('limit')
    if limit is None or kind in _WITHOUT_AXIS or not limit.attributes.get(key, '').strip():
        return math.inf
    value = limit.number(key, infinite=True)
    if value <= 0.0:
        left_out.add(f'{key} limits of 0 or less, in joints', name)
        return math.inf
    return value


def _mimic(tag: Tag, kind: str, name: str, left_out: LeftOut) -> Mimic | None:
    mimic = tag.first('mimic')
    if mimic is None:
        return None
    if kind not in SINGLE:
        left_out.add(f'<mimic> in {kind} joints', name)
        return None
    return Mimic(
        tag=mimic,
        joint=mimic.word('joint'),
        multiplier=mimic.number('multiplier', 1.0),
        offset=mimic.number('offset', 0.0),
    )
