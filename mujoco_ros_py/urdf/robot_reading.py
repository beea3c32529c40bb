"""Reads a robot: its links, its joints and what they refer to."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, TypeVar

from .joint_reading import joint_of
from .left_out import LeftOut
from .link_reading import link_of, material_of
from .robot import Joint, Robot
from .tag import Tag

Part = TypeVar('Part', bound=Any)
_KNOWN = 'link', 'joint', 'material', 'gazebo', 'transmission', 'ros2_control', 'mujoco'
_MOST = 20
"""The number of names that an error tells at most."""


def robot_of(root: Tag, left_out: LeftOut) -> Robot:
    """Returns the robot that a URDF tells of.

    Raises UrdfError for what breaks a rule, names that occur twice, and joints that name links or
    joints which do not exist.
    """
    for tag in root.children:
        if tag.name not in _KNOWN:
            left_out.add('elements of other tools', f'<{tag.name}>')
    materials = {each.name: each for each in map(material_of, root.all('material'))}
    links = _by_name(link_of(tag, materials, left_out) for tag in root.all('link'))
    joints = _by_name(joint_of(tag, left_out) for tag in root.all('joint'))
    if not links:
        raise root.error('must have at least one element <link>')
    for joint in joints.values():
        _check(joint, links, joints)
    return Robot(tag=root, name=root.attributes.get('name', ''), links=links, joints=joints)


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Returns the reason that there is no part of this name, with those that there are."""
    names = list(known)
    if len(names) > _MOST:
        close = get_close_matches(name, names, _MOST, 0.3) or names[:_MOST]
        names = [*close, f'and {len(names) - len(close)} more']
    return f'there is no {kind} {name!r}; there are: {", ".join(names) or "none"}'


def _by_name(parts: Iterable[Part]) -> dict[str, Part]:
    found: dict[str, Part] = {}
    for part in parts:
        if part.name in found:
            first = found[part.name].tag
            told = f'name {part.name!r} is taken by the {first.name} of line {first.line}'
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
