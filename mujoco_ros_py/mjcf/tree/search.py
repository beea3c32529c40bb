"""Finds elements by name and by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..schema.namespaces import FRAME, SOLE_SCOPE, check_namespace, namespaces
from ..write.form import SEPARATOR, WORLD

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from .element import Element


def find_known(root: Any, namespace: str, identifier: str) -> Any:
    """Returns the element with this name in a whole model, or None.

    Raises ValueError for an unknown namespace.
    """
    if not isinstance(identifier, str):
        raise ValueError(f'identifier must be a string, got {identifier!r}')
    check_namespace(namespace)
    return look_up(root, namespace, identifier)


def look_up(root: RootElement, namespace: str, name: str) -> Any:
    """Returns the element with this name in a whole model, or None.

    `namespace` can also be a scope of unique names that is not a namespace of `find`.
    """
    if not root._is_root:
        return None
    scope = SOLE_SCOPE.get(namespace)
    if scope is not None:
        names = root._namescope.by_namespace[scope]
        return names[name] if name in names else find_prefixed(root, namespace, scope, name)
    found = _in_model(root, namespace, name)
    if found is None and SEPARATOR in name:
        scope, _, rest = name.partition(SEPARATOR)
        frame = root.frames.get(scope)
        return None if frame is None else look_up(frame.attachment, namespace, rest)
    return found


def find_prefixed(root: RootElement, namespace: str, scope: str, name: str) -> Any:
    """Finds a name that is not in the model's own scope.

    Returns the world, an element of an attached model, or None.
    """
    while SEPARATOR in name:
        model, _, name = name.partition(SEPARATOR)
        frame = root.frames.get(model)
        if frame is None:
            return None
        root = frame.attachment
        names = root._namescope.by_namespace[scope]
        if name in names:
            return names[name]
    return root.worldbody if namespace == 'body' and name == WORLD else None


def _in_model(root: RootElement, namespace: str, name: str) -> Any:
    if namespace == FRAME:
        return root.frames.get(name)
    if namespace == 'body' and name == WORLD:
        return root.worldbody
    kinds = namespaces()
    if namespace not in kinds:
        return root.namescope.known(namespace, name)
    for scope in kinds[namespace]:
        found = root.namescope.known(scope, name)
        if found is not None and found.spec.namespace == namespace:
            return found
    return None


def find_all(
    element: Element, namespace: str, immediate_children_only: bool, exclude_attachments: bool
) -> list[Any]:
    """Returns all elements of a kind below an element, in document order."""
    check_namespace(namespace)
    found: list[Any] = []
    left = _children(element, exclude_attachments)
    while left:
        child = left.pop()
        if child.spec.namespace == namespace:
            found.append(child)
        if not immediate_children_only:
            left.extend(_children(child, exclude_attachments))
    return found


def _children(element: Element, alone: bool) -> list[Element]:
    """Returns the children of an element in reverse order."""
    return (element._children if alone else element.all_children())[::-1]


def enter_scope(element: Element, scope: str) -> RootElement | None:
    """Returns the attached model with this name or path, or None."""
    name, _, rest = scope.partition(SEPARATOR)
    frame = element.root.frames.get(name)
    if frame is None:
        return None
    return enter_scope(frame.attachment, rest) if rest else frame.attachment
