"""Attributes that name another element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..node import Node
from .base import Attribute

if TYPE_CHECKING:
    from ..element import Element
    from ..form import Form

MAIN = 'main'
"""What MuJoCo calls the outermost class of defaults where it has no name."""
_OF_ATTRIBUTE = 'attribute:'
_SAME = {'xbody': 'body'}
"""Kinds of objects that are another view of an element."""


class Reference(Attribute):
    """The element that is named, which it follows through renames; or a name that none has."""

    scoped = True

    def accept(self, element: Element, value: Any) -> Any:
        """An element of the namespace, of this or an attached model; or a name."""
        if isinstance(value, str):
            return value
        namespace = self.namespace(element)
        if not isinstance(value, Node):
            raise self.wrong(f'a {namespace} or the name of one', value)
        if value.spec.namespace != namespace:
            raise self.wrong(f'a {namespace}', value)
        return value

    def value(self, element: Element, kept: Any) -> Any:
        """The element, or the name while there is none; None if it was removed."""
        if type(kept) is str:
            found = element.root.find(self.namespace(element), kept)
            if found is None:
                return kept
            element._values[self.key] = kept = found
        if kept.is_removed:
            del element._values[self.key]
            return None
        return kept

    def text(self, element: Element, kept: Any, form: Form) -> str | None:
        """The name as it is in the model that is written; None if the element was removed."""
        found = self.value(element, kept)
        if found is None or isinstance(found, Node):
            return None if found is None else found.prefixed_identifier(form)
        if form.separate and self.spec.namespace == 'default' and found == MAIN:
            return form.global_class(element.root)
        return f'{form.prefix(element.root)}{found}'

    def resolve(self, element: Element) -> None:
        """From now on it follows the element that has this name, if there is one."""
        kept = element._values.get(self.key)
        if type(kept) is str:
            self.value(element, kept)

    def namespace(self, element: Element) -> str:
        """What it refers to; for some attributes another one tells."""
        namespace = self.spec.namespace or ''
        if namespace.startswith(_OF_ATTRIBUTE):
            kept: str = element._values.get(namespace.removeprefix(_OF_ATTRIBUTE), '')
            return _SAME.get(kept, kept)
        return namespace
