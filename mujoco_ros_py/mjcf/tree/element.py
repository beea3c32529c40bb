"""Elements of models, and their operations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..compare.contents import same
from ..schema.namespaces import SOLE_SCOPE
from .lists import ElementList
from .search import enter_scope, find_all, find_known, find_prefixed, look_up
from .writable import Writable

if TYPE_CHECKING:
    from ..compose.root import RootElement


class Element(Writable):
    """An element of a model. Elements are created only by `add` and by reading.

    Attributes and children are Python attributes with their XML names; only `class` is called
    `dclass`. Each tag has its own Python class, created from the schema.
    """

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError('create elements with `add` or by reading, and models with RootElement')

    # Attributes

    def get_attributes(self) -> dict[str, Any]:
        """Returns the attributes that are set, by their Python names."""
        got = {key: self._attributes[key].__get__(self) for key in list(self._values)}
        return {
            'dclass' if key == 'class' else key: value
            for key, value in got.items()
            if value is not None
        }

    def set_attributes(self, **attributes: Any) -> None:
        """Sets all of these attributes, or none if one is invalid."""
        for name in attributes:
            self._attribute(name)  # raises AttributeError for an unknown name
        before, edited = dict(self._values), self._edited
        try:
            for name, value in self._ordered(attributes):
                setattr(self, name, value)
        except Exception:
            self._restore(before)
            self._edited = edited
            raise

    def _restore(self, values: dict[str, Any]) -> None:
        before, self._values = self._name, values
        if self._name != before:
            self._rename(before, self._name)

    def _unknown(self, name: str) -> str:
        known = ', '.join([*self._attributes, *self._types]) or 'none'
        return f'{self}: unknown attribute or child {name!r}; known: {known}'

    def __setattr__(self, name: str, value: object) -> None:
        try:
            object.__setattr__(self, name, value)
        except AttributeError as error:
            if hasattr(type(self), name):
                raise
            raise AttributeError(self._unknown(name)) from error

    def __getattr__(self, name: str) -> Any:
        if hasattr(type(self), name):  # users call this for Python keywords such as `global`
            return object.__getattribute__(self, name)
        raise AttributeError(name if name.startswith('_') else self._unknown(name))

    # Children

    def all_children(self) -> list[Element]:
        """Returns all existing children in document order, then those from attached models."""
        parent = self._parent
        if parent is None or not parent._is_root:
            return list(self._children)
        return [*self._children, *parent.root._attached_children(type(self))]

    def get_children(self, element_name: str) -> Any:
        """Returns the list of children with this tag, or the single child or None."""
        kind = self._types.get(element_name)
        if kind is None:
            raise AttributeError(self._no_child(element_name))
        return self._child(kind)

    def _child(self, kind: type[Element]) -> Any:
        if kind._repeated:
            return ElementList(self, kind)
        for child in self._children:
            if type(child) is kind:
                return child
        return self._append(kind, {}) if kind._always else None

    def add(self, element_name: str, **attributes: Any) -> Any:
        """Adds a child after all others, and returns it.

        Raises AttributeError for an unknown tag or attribute and for a missing required attribute,
        and ValueError for an invalid value or a second child where only one is allowed.
        """
        return self.insert(element_name, None, **attributes)

    def insert(self, element_name: str, position: int | None, **attributes: Any) -> Any:
        """Adds a child like `add`, in front of the child at this position among all children."""
        kind = self._types.get(element_name)
        if kind is None:
            raise AttributeError(self._no_child(element_name))
        if kind._always or not (kind._repeated or self._child(kind) is None):
            raise ValueError(f'{self} can have only one <{element_name}>, and already has it')
        return self._append(kind, attributes, position)

    def _append(
        self, kind: type[Element], attributes: dict[str, Any], position: int | None = None
    ) -> Element:
        child: Element = kind._detached(self)
        for given, value in child._ordered(attributes):
            child._accept(given, value)
        for required in kind._required:
            if required not in child._values and not kind._always:
                raise AttributeError(f'{child}: {required} is required')
        if name := child._name:
            if kind._named_by_file:
                child._check_name(name)
            child._rename(None, name)
        siblings = self._children
        siblings.insert(len(siblings) if position is None else position, child)
        return child

    @classmethod
    def _detached(cls, parent: Element) -> Any:
        """Creates an element without attributes that is not in its parent's list of children."""
        made = object.__new__(cls)
        put = object.__setattr__
        put(made, '_parent', parent)
        put(made, '_values', {})
        put(made, '_children', [])
        put(made, '_edited', False)
        put(made, '_source', None)
        put(made, '_start', -1)
        put(made, '_stop', -1)
        return made

    @classmethod
    def _ordered(cls, attributes: dict[str, Any]) -> Iterable[tuple[str, Any]]:
        """Returns the attributes in setting order, with the dependent attributes last."""
        if not cls._dependent:
            return attributes.items()
        return sorted(attributes.items(), key=lambda pair: pair[0] in cls._dependent)

    def _accept(self, name: str, value: object) -> None:
        attribute = self._attribute(name)
        if value is not None and not (isinstance(value, str) and not value):
            self._values[attribute.key] = attribute.accept_at(self, value)

    def _no_child(self, tag: str) -> str:
        return f'{self}: <{tag}> is not allowed in it; known: {", ".join(self._types) or "none"}'

    def remove(self, affect_attachments: bool = False) -> None:
        """Removes the element with its descendants, and the references to it.

        Elements that always exist, and models, are emptied instead. Raises ValueError if a model
        is attached below the element, or if an attached model also sets the element's options.
        With `affect_attachments`, models below the element are detached instead, and a section
        such as <option> or <contact> is emptied in all attached models as well.
        """
        root = self.root
        if root._is_root:
            root._leave(self, affect_attachments)
            if self.is_removed:  # the frame of a model that was just detached
                return
        parent = self._parent
        if parent is None or self._always:
            for child in list(self._children):
                child.remove(affect_attachments)
            if not self._is_root:  # a model keeps its name, because hosts refer to it
                self._values, self._edited = {}, True
            return
        if self._source is not None:
            self._source.removed.append(self)
        parent._children.remove(self)
        self._parent = None

    # Search

    def find(self, namespace: str, identifier: str) -> Any:
        """Returns the element with this kind and name below this element, or None.

        The namespace is usually the tag. It is `joint` for joints and free joints, `actuator` for
        all actuators, and `sensor` for all sensors. Names in an attached model are prefixed with
        the model's name and a slash. Raises ValueError for an unknown namespace.
        """
        # Searches are very frequent, so most names are found without another function call.
        root: Any = self
        if not self._is_root:
            while (above := root._parent) is not None:
                root = above
            if not root._is_root:
                return find_known(root, namespace, identifier)
        try:
            names = root._namescope.by_namespace[SOLE_SCOPE[namespace]]
            if identifier in names:
                found = names[identifier]
            elif isinstance(identifier, str):
                found = find_prefixed(root, namespace, SOLE_SCOPE[namespace], identifier)
            else:
                found = find_known(root, namespace, identifier)
        except (KeyError, TypeError):  # a namespace with several scopes, or a wrong argument
            found = find_known(root, namespace, identifier)
        if found is None or self is root:
            return found
        top = found
        while (above := top._parent) is not None:
            if above is self:
                return found
            top = above
        return None if top is root else found

    def _look_up(self, namespace: str, name: str) -> Any:
        """Searches the whole model like `find`; the namespace can also be a scope of names."""
        return look_up(self, namespace, name)  # type: ignore[arg-type]

    def find_all(
        self,
        namespace: str,
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Any]:
        """Returns all elements of this kind below this element, in document order."""
        return find_all(self, namespace, immediate_children_only, exclude_attachments)

    def enter_scope(self, scope_identifier: str) -> RootElement | None:
        """Returns the attached model with this name or path of names, or None."""
        return enter_scope(self, scope_identifier)

    def resolve_references(self) -> None:
        """Replaces references by name with references to elements, which follow renamings."""
        if self._is_root:
            self.namescope.follows = True
        for element in self.walk():
            for reference in element._references:
                reference.resolve(element)

    def is_same_as(self, other: object) -> bool:
        """Returns whether the other element has the same tag, attributes and children.

        The order of children matters within each tag. For actuators, equalities, sensors, tendons
        and the children of tendons, it also matters across tags.
        """
        return same(self, other)

    # For debugging code

    def get_init_stack(self) -> None:
        """Returns None: the locations where elements are created are not recorded."""

    def get_last_modified_stacks_for_all_attributes(self) -> dict[str, None]:
        """Returns None for each attribute: the locations of changes are not recorded."""
        return dict.fromkeys(self._attributes)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__()} - {'class'})
