"""Finds the schema elements that the tags of a file stand for, also in a partial file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from ...schema import ElementSpec, root
from .tokens import Token

Numbers = dict[str, bool]
"""The attributes with numbers; the value tells whether they are integers."""
_INCLUDE = 'include'


def spec_of_root(all_tokens: Sequence[Token]) -> ElementSpec | None:
    """Returns the element around the root's children: the model, or the first that takes them."""
    inside = [each for each in _directly_inside(all_tokens) if each.name != _INCLUDE]
    return next((spec for spec in _specs() if all(_takes(spec, each) for each in inside)), None)


def numbers_of(spec: ElementSpec | None) -> Numbers:
    """Returns the attributes of an element that are numbers; none if the element is unknown."""
    if spec is None:
        return {}
    kinds = {name: each.kind for name, each in spec.attributes.items()}
    return {name: kind == 'int' for name, kind in kinds.items() if kind in ('int', 'real')}


def _directly_inside(all_tokens: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for token in all_tokens:
        if depth == 1 and token.kind in ('start', 'empty'):
            yield token
        depth += (token.kind == 'start') - (token.kind == 'end')


def _takes(spec: ElementSpec, token: Token) -> bool:
    child = spec.children.get(token.name)
    return child is not None and token.attributes.keys() <= child.attributes.keys()


def _specs() -> Iterator[ElementSpec]:
    """Yields all specs of elements once, the root first."""
    left, seen = deque([root()]), set()
    while left:
        spec = left.popleft()
        if id(spec) not in seen:
            seen.add(id(spec))
            yield spec
            left += spec.children.values()
