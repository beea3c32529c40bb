"""Finds references to missing elements."""

from __future__ import annotations

from collections.abc import Iterator

from ....errors import MjcfError
from ...attributes.references import MAIN, Reference, References
from ...compose.root import RootElement
from ...schema.namespaces import is_namespace
from ...sources.parsing import error_at
from ...tree.element import Element

_MANY = 10
"""The number of names that an error lists."""
_MAKERS = 'attach', 'composite', 'flexcomp', 'replicate'


def dangling(model: RootElement) -> Iterator[MjcfError]:
    """Returns the errors on references to missing elements; see `makes_names` for their limits."""
    for element in model.walk():
        for reference in element._references:
            kept = element._values.get(reference.key)
            if isinstance(kept, str) and isinstance(reference, Reference):
                for name in kept.split() if isinstance(reference, References) else [kept]:
                    if not _names_something(element, reference, name):
                        yield _dangling(element, reference, name)


def makes_names(model: RootElement) -> bool:
    """Returns whether compiling the model creates further named elements."""
    return any(element.tag in _MAKERS for element in model.walk())


def _names_something(element: Element, reference: Reference, name: str) -> bool:
    namespace = reference.namespace(element)
    if not is_namespace(namespace) or (namespace == 'default' and name == MAIN):
        return True  # MuJoCo reports unknown types
    return element.root.find(namespace, name) is not None


def _dangling(element: Element, reference: Reference, name: str) -> MjcfError:
    kind = reference.namespace(element)
    known = sorted(filter(None, (each._name for each in element.root.find_all(kind))))
    more = ', ...' if len(known) > _MANY else ''
    told = f'{", ".join(known[:_MANY]) or "none"}{more}'
    reason = f'<{element.tag}>: {reference.key} must name a {kind}, got {name!r}; known: {told}'
    source = element._source
    assert source is not None  # the element was read
    return error_at(source, source.line(element._start), reason)
