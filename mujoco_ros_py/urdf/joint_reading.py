"""Reads the joints of a URDF."""

from __future__ import annotations

import math

from .left_out import LeftOut
from .link_reading import pose_in
from .robot import FIXED, SINGLE, TYPES, Joint, Mimic
from .tag import Tag, Vector

_X: Vector = (1.0, 0.0, 0.0)
_WITHOUT_AXIS = FIXED, 'floating', 'spherical'
_LIMITED = 'revolute', 'prismatic'
_PARTS = 'parent', 'child', 'origin', 'axis', 'limit', 'dynamics', 'mimic'


def joint_of(tag: Tag, left_out: LeftOut) -> Joint:
    """Returns the joint that an element tells of. Raises UrdfError if it breaks a rule."""
    name, kind = tag.word('name'), tag.word('type')
    if kind not in TYPES:
        raise tag.error(f'type must be one of {", ".join(TYPES)}, got {kind!r}')
    for child in tag.children:
        if child.name not in _PARTS:
            left_out.add(f'<{child.name}> of joints', name)
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
    """Returns the least and the greatest position, which are infinite for joints without them."""
    free = -math.inf, math.inf
    if kind not in _LIMITED:
        return free
    limit = tag.required('limit')
    lower = limit.number('lower', 0.0, infinite=True)
    upper = limit.number('upper', 0.0, infinite=True)
    if lower > upper:
        left_out.add('limits of which the lower one is above the upper one, of joints', name)
        return free
    return lower, upper


def _greatest(tag: Tag, kind: str, key: str, name: str, left_out: LeftOut) -> float:
    """Returns a limit of effort or speed, which is infinite if there is none."""
    limit = tag.first('limit')
    if limit is None or kind in _WITHOUT_AXIS or not limit.attributes.get(key, '').strip():
        return math.inf
    value = limit.number(key, infinite=True)
    if value <= 0.0:
        left_out.add(f'limits of {key} that are not above 0, of joints', name)
        return math.inf
    return value


def _mimic(tag: Tag, kind: str, name: str, left_out: LeftOut) -> Mimic | None:
    mimic = tag.first('mimic')
    if mimic is None:
        return None
    if kind not in SINGLE:
        left_out.add(f'the <mimic> of joints of type {kind}', name)
        return None
    return Mimic(
        tag=mimic,
        joint=mimic.word('joint'),
        multiplier=mimic.number('multiplier', 1.0),
        offset=mimic.number('offset', 0.0),
    )
