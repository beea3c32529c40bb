"""Writes fitted numbers into a copy of a URDF, as far as URDF can hold them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...mjcf import Element
from ...mjcf.places import INERTIAL
from ...urdf.bodies import mjcf_name
from .model_edits import Changed
from .urdf_text import UrdfText

_JOINT, _LINK = 'joint', 'link'
_MOMENTS = 'ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'


def urdf_copy(content: bytes, changed: Changed) -> tuple[bytes, list[str]]:
    """Returns the text of the URDF with the changes, and the changes that URDF cannot hold."""
    text, missing = UrdfText(content), []
    bodies: list[Element] = []
    for element, attribute in changed:
        if element.tag == INERTIAL:
            body = element.parent
            assert body is not None
            if not any(each is body for each in bodies):
                bodies.append(body)
                if not _set_inertial(text, body, element):
                    missing.append(f'{body.name}.{INERTIAL}')
            continue
        name = _name_in(text, _JOINT, element) if element.tag == _JOINT else None
        setter = _JOINT_ATTRIBUTES.get(attribute)
        if name is None or setter is None or not setter(text, name, element):
            missing.append(f'{element.name or element.tag}.{attribute}')
    return text.content, missing


def _name_in(text: UrdfText, tag: str, element: Element) -> str | None:
    """Returns the name of an element in the URDF, which can contain slashes; None if unknown."""
    return next((name for name in text.names(tag) if mjcf_name(name) == element.name), None)


def _damping(text: UrdfText, name: str, joint: Any) -> bool:
    if np.any(np.ravel(joint.damping)[1:]):  # the powers of the velocity above the first
        return False
    text.set(_JOINT, name, ['dynamics'], damping=float(np.ravel(joint.damping)[0]))
    return True


def _friction(text: UrdfText, name: str, joint: Any) -> bool:
    text.set(_JOINT, name, ['dynamics'], friction=joint.frictionloss)
    return True


def _effort(text: UrdfText, name: str, joint: Any) -> bool:
    low, high = joint.actuatorfrcrange
    if -low != high:
        return False
    text.set(_JOINT, name, ['limit'], effort=high)
    return True


def _range(text: UrdfText, name: str, joint: Any) -> bool:
    low, high = joint.range
    text.set(_JOINT, name, ['limit'], lower=low, upper=high)
    return True


_JOINT_ATTRIBUTES: dict[str, Callable[[UrdfText, str, Any], bool]] = {
    'damping': _damping,
    'frictionloss': _friction,
    'actuatorfrcrange': _effort,
    'range': _range,
}


def _set_inertial(text: UrdfText, body: Element, inertial: Any) -> bool:
    name = _name_in(text, _LINK, body)
    if name is None:
        return False
    moments = dict(zip(_MOMENTS, map(float, inertial.fullinertia), strict=True))
    text.set_numbers(_LINK, name, [INERTIAL, 'origin'], 'xyz', inertial.pos.tolist())
    text.set(_LINK, name, [INERTIAL, 'origin'], rpy=None)
    text.set(_LINK, name, [INERTIAL, 'mass'], value=inertial.mass)
    text.set(_LINK, name, [INERTIAL, 'inertia'], **moments)
    return True
