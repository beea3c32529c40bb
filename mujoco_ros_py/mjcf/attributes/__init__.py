"""The descriptor classes for the kinds of MJCF attributes."""

from __future__ import annotations

from ..schema import AttributeSpec
from .attribute import Attribute
from .file import File
from .folders import Directory, StripPath
from .numbers import Array, Scalar
from .references import Reference, References
from .words import Identifier, Keyword, Keywords, Own, Prefix, String

__all__ = ['Attribute', 'File', 'Identifier', 'Reference', 'attribute']

_KINDS: dict[str, type[Attribute]] = {
    'file': File,
    'path': Directory,
    'identifier': Identifier,
    'keyword': Keyword,
    'keywords': Keywords,
    'reference': Reference,
    'references': References,
}
_OF_ATTACH = {'body': Own, 'frame': Own, 'prefix': Prefix}
"""The descriptor classes of attributes that only <attach> has, by attribute name."""


def attribute(spec: AttributeSpec) -> Attribute:
    """Creates the descriptor for an attribute specification."""
    if spec.kind in ('int', 'real'):
        return Array(spec) if spec.is_array else Scalar(spec)
    if spec.name == 'strippath':
        return StripPath(spec)
    if spec.kind == 'string':
        return _OF_ATTACH.get(spec.name, String)(spec)
    return _KINDS[spec.kind](spec)
