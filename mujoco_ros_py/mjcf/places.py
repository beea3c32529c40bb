"""Finds, reads and sets attributes of a model by name: `elbow.damping`, `motor.gear[0]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from ..errors import MjcfAttributeError, MjcfError, MjcfKeyError
from .attributes.numbers import Array, Number
from .attributes.occurrences import is_continued
from .schema.alternatives import ORIENTATIONS
from .tree.inheritance import defaults_of, inherited

if TYPE_CHECKING:
    from .compose.root import RootElement
    from .tree.element import Element

ONCE = 'option', 'compiler', 'statistic', 'size', 'visual'
"""The unnamed elements whose tag can start a place."""
INERTIAL = 'inertial'
_KINDS = (
    *('body', 'geom', 'joint', 'site', 'camera', 'light', 'frame', 'actuator', 'sensor'),
    *('tendon', 'equality', 'contact', 'material', 'texture', 'mesh', 'hfield', 'numeric', 'key'),
)
_LISTED = 'body', 'geom', 'joint', 'site', 'actuator'
_INDEX = re.compile(r'(?P<name>.*)\[(?P<index>\d+)\]', re.DOTALL)
_MOMENTS = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)
"""The rows and columns of the numbers of `fullinertia`."""


def element_of_place(root: RootElement, place: str) -> tuple[Element, str, int | None]:
    """Returns the element that a place names, its attribute, and the index of a number or None.

    Places are `floor.friction`, `geom:floor.size` if several elements have the name,
    `motor.gear[0]`, `option.timestep`, `link7.inertial.mass`, and `link7.inertial`, whose element
    is the body. Raises MjcfKeyError for an unknown element, MjcfAttributeError for an unknown
    attribute, and MjcfError for an ambiguous name.
    """
    found = _INDEX.fullmatch(place)
    name, index = (found['name'], int(found['index'])) if found else (place, None)
    owner, _, attribute = name.rpartition('.')
    element = _once(root, owner) or _inertial(root, owner)
    if element is None:
        element = _named(root, owner, attribute, place)
    elif not _has(element, attribute):
        raise MjcfAttributeError(f'{place}: <{element.tag}> has no attribute {attribute!r}')
    if index is not None:
        _check_index(element, attribute, index, place)
    return element, attribute, index


def get_place(root: RootElement, place: str) -> Any:
    """Returns the effective value of a place, in the units of the file.

    An attribute that the element does not set has the value of its default class, or MuJoCo's
    default. Arrays are complete copies. Returns None if the attribute has no value, or a default
    that depends on the model. `link7.inertial` is a mapping with `pos`, `mass` and `fullinertia`,
    computed by the compiler. Raises the errors of `element_of_place`.
    """
    element, attribute, index = element_of_place(root, place)
    if attribute == INERTIAL:
        return _compiled_inertial(element, place)
    value = effective(element, attribute)
    if index is None:
        return value
    return float(value[index]) if value is not None and index < len(value) else None


def set_place(root: RootElement, place: str, value: object) -> None:
    """Sets the value of a place in its element.

    An index sets one number; the other numbers keep their effective values. The value of
    `link7.inertial` is a mapping with `pos`, `mass` and `fullinertia`. Raises the errors of
    `element_of_place`, and ValueError for an invalid value.
    """
    element, attribute, index = element_of_place(root, place)
    if attribute == INERTIAL:
        _set_inertial(element, value, place)
        return
    if index is not None:
        value = _with_number(element, attribute, index, value, place)
    setattr(element, attribute, value)


def effective(element: Element, attribute: str) -> Any:
    """Returns the value of an attribute, of its default class, or of MuJoCo."""
    descriptor = element._attributes['class' if attribute == 'dclass' else attribute]
    own = getattr(element, attribute)
    if not isinstance(descriptor, Array):
        value = inherited(element).get(attribute) if own is None else own
        return _of_mujoco(element, descriptor) if value is None else value
    parts = [own, inherited(element).get(attribute) if own is None else None]
    if is_continued(descriptor):
        if own is not None:
            parts += [getattr(each, attribute, None) for each in defaults_of(element)]
        parts.append(_of_mujoco(element, descriptor))
    elif own is None:
        parts.append(_of_mujoco(element, descriptor))
    known = [np.array(each) for each in parts if each is not None]
    if not known:
        return None
    value = known[0]
    for each in known[1:] if is_continued(descriptor) else ():
        value = np.concatenate([value, each[len(value) :]])
    return value


def _of_mujoco(element: Element, descriptor: Any) -> Any:
    default = descriptor.spec.default
    if default is None or not isinstance(descriptor, Number):
        return default
    try:
        return descriptor.accept(element, default)
    except ValueError:  # some defaults of the reference are words
        return None


def _once(root: RootElement, owner: str) -> Element | None:
    first, *path = owner.split('.')
    if first not in ONCE:
        return None
    element: Element = getattr(root, first)
    for each in path:
        element = getattr(element, each)
    return element


def _inertial(root: RootElement, owner: str) -> Element | None:
    """Returns the <inertial> of a body for `body.inertial`, or None."""
    name, _, last = owner.rpartition('.')
    body = root.find('body', name.removeprefix('body:')) if last == INERTIAL and name else None
    found: Element | None = getattr(body, INERTIAL, None)
    return found


def _named(root: RootElement, owner: str, attribute: str, place: str) -> Element:
    kind, colon, rest = owner.partition(':')
    kinds, wanted = ((kind,), rest) if colon and kind in _KINDS else (_KINDS, owner)
    found = {each: there for each in kinds if (there := root.find(each, wanted)) is not None}
    having = {each: there for each, there in found.items() if _has(there, attribute)}
    if len(having) == 1:
        (element,) = having.values()
        return element  # type: ignore[no-any-return]
    if having:
        ways = ', '.join(f'{each}:{wanted}.{attribute}' for each in having)
        raise MjcfError(f'{place} is ambiguous; use one of: {ways}')
    if found:
        told = ', '.join(found)
        raise MjcfAttributeError(f'{place}: no element {wanted!r} ({told}) has {attribute!r}')
    names = sorted({each.name for tag in _LISTED for each in root.find_all(tag) if each.name})
    close = get_close_matches(wanted, names, n=1)
    hint = f' (did you mean {close[0]!r}?)' if close else ''
    known = ', '.join(names) or 'none'
    raise MjcfKeyError(f'{place}: unknown element {wanted!r}{hint}; known: {known}')


def _has(element: Element, attribute: str) -> bool:
    if attribute == INERTIAL:
        return element.tag == 'body'
    return attribute == 'dclass' or attribute in element._attributes


def _check_index(element: Element, attribute: str, index: int, place: str) -> None:
    spec = None if attribute == INERTIAL else element._attributes[attribute].spec
    if spec is None or not spec.is_array:
        raise MjcfAttributeError(f'{place}: {attribute} is not an array')
    if spec.high is not None and index >= spec.high:
        raise MjcfError(f'{place}: the index must be below {spec.high}')


def _with_number(element: Element, attribute: str, index: int, value: Any, place: str) -> Any:
    array = effective(element, attribute)
    if array is None or len(array) < index:
        there = 0 if array is None else len(array)
        raise MjcfError(f'{place}: {attribute} has only {there} numbers')
    own = getattr(element, attribute)
    length = max(index + 1, 0 if own is None else len(own))
    if not is_continued(element._attributes[attribute]):
        length = max(length, len(array))
    array = np.resize(array, max(length, len(array)))[:length]
    array[index] = value
    return array


def _set_inertial(body: Element, value: object, place: str) -> None:
    keys = 'pos', 'mass', 'fullinertia'
    if not isinstance(value, Mapping) or set(value) != set(keys):
        raise MjcfError(f'{place} must be a mapping of {", ".join(keys)}; got {value!r}')
    if body.root.compiler.inertiafromgeom == 'true':
        raise MjcfError(f'{place} has no effect: compiler.inertiafromgeom must not be true')
    inertial = getattr(body, INERTIAL)
    if inertial is None:
        body.add(INERTIAL, **value)
        return
    for key in ('diaginertia', *ORIENTATIONS):
        setattr(inertial, key, None)
    for key in keys:
        setattr(inertial, key, value[key])


def _compiled_inertial(body: Element, place: str) -> dict[str, Any]:
    root = body.root.root_model
    try:
        model = mujoco.MjModel.from_xml_string(root.to_xml_string(), root.get_assets())
        found = model.body(body.full_identifier)
    except (ValueError, KeyError) as error:
        raise MjcfError(f'{place}: {error}') from None
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, found.iquat)
    axes = matrix.reshape(3, 3)
    inertia = axes @ np.diag(found.inertia) @ axes.T
    moments = np.array([inertia[at] for at in _MOMENTS])
    return {'pos': found.ipos.copy(), 'mass': float(found.mass[0]), 'fullinertia': moments}
