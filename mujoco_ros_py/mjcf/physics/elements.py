"""Which elements can be bound together, and which ids they have."""

from __future__ import annotations

from collections.abc import Sequence

from ..element import Element
from .compiling import Names, enclosing, kind_of
from .layout import KINDS, Layout


def one_kind(elements: Sequence[Element]) -> str:
    """The kind of all of them. Raises ValueError if there is none."""
    kinds: dict[str, Element] = {}
    for element in elements:
        if not isinstance(element, Element):
            raise ValueError(f'only elements can be bound, got {element!r}')
        kind = kind_of(element)
        if kind is None:
            raise ValueError(f'{element} cannot be bound; what can: {", ".join(KINDS)}')
        kinds.setdefault(kind, element)
    if len(kinds) > 1:
        told = ', '.join(f'{kind} ({element})' for kind, element in kinds.items())
        raise ValueError(f'only elements of one kind can be bound together, got {told}')
    return next(iter(kinds))


def ids(
    elements: Sequence[Element], kind: str, layout: Layout, names: Names | None
) -> list[int]:
    """The numbers that they have in the compiled model. Raises ValueError for one without.

    Without `names`, those of elements that were compiled, by the names that they have now.
    """
    return [_id(element, kind, layout, names) for element in elements]


def _id(element: Element, kind: str, layout: Layout, names: Names | None) -> int:
    name = element.full_identifier if names is None else names.get(element)
    if name is None and element.tag == 'worldbody':
        name = 'world'
    if name is None:
        model = element.root.model if element.root._is_root else 'no model any more'
        raise ValueError(f'{element} of {model} was not there when the physics was compiled')
    number = layout.id(kind, name)
    if number < 0:
        maker = enclosing(element)
        reason = f': it is in <{maker}>, which makes others of it' if maker else ''
        raise ValueError(f'{element}: the compiled model has no {kind} {name!r}{reason}')
    return number
