"""Declares the children of elements."""

from collections.abc import Mapping
from typing import Any

from ...schema.specs import ElementSpec
from .markup import XS

_MOST = 3
"""The largest number of single children whose orders are listed; more would have too many
orders."""
_INCLUDE = 'include'

Types = Mapping[str, str]
"""The types of children by tag."""


def content(spec: ElementSpec, types: Types, sections: bool) -> Any:
    """Returns children in any order, with includes; single children occur at most once.

    Sections may be repeated, and their contents are merged.
    """
    once = {tag: types[tag] for tag, child in spec.children.items() if not child.repeated}
    if sections or len(once) > _MOST:
        once = {}
    often = {tag: kind for tag, kind in types.items() if tag not in once}
    return XS.sequence(*_after(once, often))


def _after(once: Types, often: Types) -> list[Any]:
    """Returns the content that may follow while none of `once` has occurred."""
    found = [any_of(often)]
    if once:
        choices = [
            XS.sequence(_element(tag, kind), *_after(_without(once, tag), often))
            for tag, kind in once.items()
        ]
        found.append(XS.choice(*choices, minOccurs='0'))
    return found


def _without(types: Types, tag: str) -> Types:
    return {key: kind for key, kind in types.items() if key != tag}


def any_of(types: Types) -> Any:
    """Returns any number of these children and of includes, in any order."""
    elements = [_element(tag, kind) for tag, kind in types.items()]
    include = XS.element(ref=_INCLUDE)
    return XS.choice(*elements, include, minOccurs='0', maxOccurs='unbounded')


def _element(tag: str, kind: str) -> Any:
    return XS.element(name=tag, type=kind)


def include() -> Any:
    """Returns the declaration of <include>, which is allowed everywhere."""
    file = XS.attribute(name='file', type='xs:string', use='required')
    return XS.element(XS.complexType(file, mixed='true'), name=_INCLUDE)
