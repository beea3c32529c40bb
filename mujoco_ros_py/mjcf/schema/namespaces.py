"""The namespaces of names: what elements are found by, and what their names are unique in."""

from collections import Counter
from functools import cache

from .installed import root
from .specs import ElementSpec

FRAME = 'attachment_frame'


SOLE_SCOPE: dict[str, str] = {}
"""What names are unique in, by the namespace of those elements that alone have names there."""


@cache
def namespaces() -> dict[str, list[str]]:
    """What elements are found by, with all that names of such elements are unique in."""
    found: dict[str, list[str]] = {}
    _note_namespaces(root(), found, set())
    users = Counter(scope for scopes in found.values() for scope in scopes)
    for kind, scopes in found.items():
        (scope, *others) = scopes
        if not others and users[scope] == 1:
            SOLE_SCOPE[kind] = scope
    return found


def _note_namespaces(spec: ElementSpec, found: dict[str, list[str]], seen: set[int]) -> None:
    if id(spec) in seen:  # a body is in itself
        return
    seen.add(id(spec))
    if spec.identifier and spec.namespace:
        scope = spec.attributes[spec.identifier].namespace or spec.namespace
        scopes = found.setdefault(spec.namespace, [])
        if scope not in scopes:
            scopes.append(scope)
    for child in spec.children.values():
        _note_namespaces(child, found, seen)


def is_namespace(namespace: str) -> bool:
    """Whether elements are found by this namespace."""
    return namespace == FRAME or namespace in namespaces()


def check_namespace(namespace: str) -> None:
    """Raises ValueError for a namespace that no element is found by."""
    if not is_namespace(namespace):
        known = ', '.join(sorted([*namespaces(), FRAME]))
        raise ValueError(f'unknown namespace {namespace!r}; known: {known}')


namespaces()  # fills SOLE_SCOPE, which `find` of an element looks up
