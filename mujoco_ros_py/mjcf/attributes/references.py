"""Attributes that name other elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..schema import AttributeSpec
from ..schema.namespaces import SOLE_SCOPE, is_namespace
from ..write.form import Form
from .attribute import Attribute
from .attributed import Attributed

if TYPE_CHECKING:
    from ..tree.element import Element

MAIN = 'main'
"""MuJoCo's name for the outermost default class, if the model does not name it."""
_OF_ATTRIBUTE = 'attribute:'
_SAME = {'exclude': 'contact', 'flex': 'deformable', 'pair': 'contact', 'xbody': 'body'}
"""Maps MuJoCo's object types to namespaces, for types whose namespace has another name."""
_OF_TAG = {'worldbody': 'body'}


class Reference(Attribute):
    """An attribute that names another element; the reference survives renamings.

    The value is the element, or only the name if no element of the model has this name yet.
    """

    scoped = True

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__(spec)
        self._namespace = spec.namespace or ''
        self._type_key = self._namespace.removeprefix(_OF_ATTRIBUTE)
        self.dependent = self._namespace.startswith(_OF_ATTRIBUTE)
        """Whether another attribute gives the type of the named element."""

    def accept(self, element: Element, value: object) -> Any:
        """Accepts a name, or an element of the right namespace in this or an attached model."""
        if isinstance(value, str):
            if element.root._is_root:
                element.namescope.wait(element, self)
            return self.plain(value)
        if not isinstance(value, Attributed):
            raise self.wrong(f'a {self.namespace(element)} or the name of one', value)
        self._check_kind(element, value)
        if value.is_removed:
            raise self.wrong('an element that is still in a model', value)
        return value

    def value(self, element: Element, kept: Any) -> Any:
        """Returns the element, the name of a missing element, or None for a removed element."""
        if type(kept) is str:
            root = element.root
            return (
                self._look_up(element, kept) if root._is_root and root.namescope.follows else kept
            )
        if kept.is_removed:
            if not self.spec.required:
                self.drop(element)
            return None
        return kept

    def drop(self, element: Element) -> None:
        """Deletes the reference together with the attribute that gives its type."""
        del element._values[self.key]
        if self.dependent:
            element._values.pop(self._type_key, None)
        element._edited = True

    def text(self, element: Element, kept: object, form: Form) -> str | None:
        """Returns the element's name in the written model, or None for a removed element."""
        found = self.value(element, kept)
        if isinstance(found, Attributed):
            self._check(element, found, form)
            return found._identifier(form)
        if found == MAIN and form.separate and self._namespace == 'default':
            return form.global_class(element.root)
        return None if found is None else form.unknown_name(element.root, found)

    def _check(self, element: Element, found: Attributed, form: Form) -> None:
        """Raises ValueError if the written model does not contain the named element."""
        if form.lenient:
            return
        self._check_kind(element, found)
        model = found.root
        if form.covers(model) or model is element.root:
            return
        if element.root._is_root:
            raise ValueError(
                f'{self.key} must be in the written model or in a model attached to it,'
                f' got {found} of {model.model!r}'
            )

    def _check_kind(self, element: Element, found: Attributed) -> None:
        namespace = self.namespace(element)
        if not namespace:
            raise ValueError(f'{self.key} needs {self._type_key}, the type of the named element')
        if not _is_a(found, namespace):
            raise self.wrong(f'a {namespace}', found)

    def resolve(self, element: Element) -> None:
        """Replaces the name with the element; if no element has the name, tries again later."""
        kept = element._values.get(self.key)
        if type(kept) is str and type(self._look_up(element, kept)) is str:
            element.namescope.wait(element, self)

    def _look_up(self, element: Element, name: str) -> Any:
        found = self._found(element, name)
        if found is None:
            return name
        element._values[self.key] = found
        return found

    def _found(self, element: Element, name: str) -> Any:
        root, namespace = element.root, self.namespace(element)
        if namespace in SOLE_SCOPE:  # the fast path, for almost all references
            return root.find(namespace, name)
        return root._look_up(namespace, name)

    def namespace(self, element: Element) -> str:
        """Returns the namespace of the elements that this attribute can name."""
        if not self.dependent:
            return self._namespace
        kept: str = element._values.get(self._type_key, '')
        return _SAME.get(kept, kept)


def _is_a(element: Attributed, namespace: str) -> bool:
    if namespace and not is_namespace(namespace):
        return namespace == element._scope
    return namespace == (element.spec.namespace or _OF_TAG.get(element.tag))


class References(Reference):
    """An attribute that lists the names of elements; the references survive renamings."""

    def accept(self, element: Element, value: Any) -> Any:
        """Accepts a string of names, or a sequence of elements and names."""
        if isinstance(value, str):
            return super().accept(element, value)
        try:
            given = list(value)
        except TypeError:
            raise self.wrong(f'names of {self._namespace}s', value) from None
        return tuple(super(References, self).accept(element, each) for each in given)

    def value(self, element: Element, kept: object) -> str:
        """Returns the names, separated by spaces and relative to the element's own model."""
        return ' '.join(self._names(element, kept, Form(prefix_root=element.root)))

    def text(self, element: Element, kept: Any, form: Form) -> str | None:
        """Returns the names in the written model, or None if all named elements are removed."""
        for each in () if isinstance(kept, str) else kept:
            if isinstance(each, Attributed) and not each.is_removed:
                self._check(element, each, form)
        return ' '.join(self._names(element, kept, form)) or None

    def _names(self, element: Element, kept: Any, form: Form) -> list[str]:
        return [
            form.unknown_name(element.root, each)
            if isinstance(each, str)
            else str(each._identifier(form))
            for each in (kept.split() if isinstance(kept, str) else kept)
            if isinstance(each, str) or not each.is_removed
        ]

    def resolve(self, element: Element) -> None:
        """Replaces the names with elements; retries later for names that no element has."""
        kept = element._values.get(self.key)
        if kept is None:
            return
        names = kept.split() if isinstance(kept, str) else kept
        found = tuple(
            (self._found(element, each) or each) if isinstance(each, str) else each
            for each in names
        )
        element._values[self.key] = found
        if any(isinstance(each, str) for each in found):
            element.namescope.wait(element, self)
