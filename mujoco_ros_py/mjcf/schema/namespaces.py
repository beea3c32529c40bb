"""The namespaces of elements, for lookups and for unique names."""

from collections import Counter
from functools import cache

from .installed import root
from .specs import ElementSpec

FRAME = 'attachment_frame'


SOLE_SCOPE: dict[str, str] = {}
"""Maps a namespace of `find` to a scope in which names are unique. Contains only namespaces with
exactly one scope that no other namespace uses."""


@cache
def namespaces() -> dict[str, list[str]]:
    """Maps each namespace of `find` to its scopes.

    Within a scope, MuJoCo requires unique names; a namespace of `find` can include several scopes.
    """
    found: dict[str, list[str]] = {}
    _note_namespaces(root(), found, set())
    users = Counter(scope for scopes in found.values() for scope in scopes)
    for kind, scopes in found.items():
        (scope, *others) = scopes
        if not others and users[scope] == 1:
            SOLE_SCOPE[kind] = scope
    return found


def _note_namespaces(spec: ElementSpec, found: dict[str, list[str]], seen: set[int]) -> None:
    if id(spec) in seen:  # a body contains bodies, so this would never end
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
    """Returns whether `find` accepts a namespace."""
    return namespace == FRAME or namespace in namespaces()


def check_namespace(namespace: str) -> None:
    """Raises ValueError for a namespace that `find` does not accept."""
    if not is_namespace(namespace):
        known = ', '.join(sorted([*namespaces(), FRAME]))
        raise ValueError(f'unknown namespace {namespace!r}; known: {known}')


namespaces()  # fills SOLE_SCOPE, which an element's `find` uses
