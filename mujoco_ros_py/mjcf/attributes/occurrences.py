"""Merges the attributes of elements that occur several times, by the rules of MuJoCo."""

from __future__ import annotations

from collections.abc import Mapping

from ..schema.alternatives import rivals
from .attribute import Attribute
from .attributed import Attributed
from .numbers import Array, Number

_GROUPS = 'actuatorgroupdisable'
_WITHIN_ASSETDIR = 'meshdir', 'texturedir'
_REPLACED_AS_A_WHOLE = 'springlength'
"""MuJoCo copies the first number of this array to the second if only one number is given, so a
later occurrence replaces the whole array."""
_UNSET_MEMORY = '-1'


def go_on(kind: type[Attributed], values: dict[str, str], attributes: Mapping[str, str]) -> None:
    """Merges the attributes of a later occurrence of an element into the first occurrence."""
    said = {key: text for key, text in attributes.items() if _counts(kind, key, text)}
    if 'sensorsize' in values:
        said.pop('fovy', None)  # MuJoCo computes the angle from the size of the sensor
    overridden = rivals(said)
    if kind.tag == 'compiler' and 'assetdir' in said:
        overridden.update(_WITHIN_ASSETDIR)  # in MuJoCo, `assetdir` sets both folders
    for key in overridden:
        values.pop(key, None)
    for key, text in said.items():
        values[key] = _continued(kind._attributes[key], values.get(key, ''), text)


def _counts(kind: type[Attributed], key: str, text: str) -> bool:
    """Returns whether an attribute overrides its value from an earlier occurrence."""
    if not text:
        return not isinstance(kind._attributes[key], Number)
    return not (kind.tag == 'size' and key == 'memory' and text == _UNSET_MEMORY)


def _continued(attribute: Attribute, before: str, text: str) -> str:
    """Returns the merged text of an attribute that occurs twice."""
    if attribute.key == _GROUPS:  # MuJoCo merges the groups
        return ' '.join(dict.fromkeys(f'{before} {text}'.split()))
    if is_continued(attribute):
        return ' '.join([text, *before.split()[len(text.split()) :]])
    return text


def is_continued(attribute: Attribute) -> bool:
    """Returns whether a shorter array replaces only the leading numbers of a longer one."""
    fixed = isinstance(attribute, Array) and attribute.spec.high is not None
    return fixed and attribute.key != _REPLACED_AS_A_WHOLE
