"""Creates a class for each element of the schema, with descriptors for attributes and children."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..attributes import Attribute, File, Reference, attribute
from ..files.assets import stem
from ..schema import AttributeSpec, ElementSpec, root
from ..write.form import Form
from .default_class import Default
from .element import Element

if TYPE_CHECKING:
    from ..compose.root import RootElement

_bases: dict[str, type[Element]] = {'default': Default}
"""The base classes of element classes, by tag, if the base is not Element."""
_NAMED_BY_FILE = 'hfield', 'mesh', 'skin', 'texture'
_made: dict[int, type[Element]] = {}
"""The classes by the id of their spec. A class can be needed while it is still being completed,
because a body can contain bodies."""
_described: dict[int, Attribute] = {}
"""The descriptors by the id of their spec; equal attributes of several elements share a spec."""


class _FileNamed(Element):
    """A mesh, height field, skin or texture. Without a name it is named after its file."""

    __slots__ = ()

    _named_by_file = True

    @property
    def _name(self) -> str | None:
        return self._name_with(self._values)

    @classmethod
    def _name_with(cls, values: Mapping[str, Any]) -> str | None:
        return values.get('name') or stem(values.get('file'))

    @classmethod
    def _ordered(cls, attributes: dict[str, Any]) -> Iterable[tuple[str, Any]]:
        """Returns the attributes in setting order, with a name before the file.

        Without a name, the element would be named after its file, and this name can be taken.
        """
        named = bool(attributes.get('name'))
        pairs = super()._ordered(attributes)
        return sorted(pairs, key=lambda pair: (pair[0] == 'name') is not named)

    def get_attributes(self) -> dict[str, Any]:
        """Returns the attributes that are set, and the name derived from the file."""
        name = self._name
        return {**({'name': name} if name else {}), **super().get_attributes()}

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        """Returns the attributes, with the name unless MuJoCo derives it from the written file."""
        found = super()._texts(form)
        named = not self._values.get('name') and self._name
        if named and (form.filenames != 'written' or form.prefix(self.root)):
            others = [pair for pair in found if pair[0] != 'name']
            return [('name', str(self._identifier(form))), *others]
        return found


class Child:
    """A descriptor for the children with one tag: a list, or the single child or None."""

    def __init__(self, kind: type[Element]) -> None:
        self._kind = kind

    def __get__(self, element: Element | None, owner: type | None = None) -> Any:
        return self if element is None else element._child(self._kind)

    def __set__(self, element: Element, value: object) -> None:
        raise AttributeError(f'{element}: <{self._kind.tag}> is a child; create it with `add`')

    def __delete__(self, element: Element) -> None:
        child = element._child(self._kind)
        if self._kind.spec.repeated:
            raise AttributeError(f'{element}: use `clear` to empty a list of children, not `del`')
        if child is not None:
            child.remove()


def make_classes(model: type[RootElement], bases: Mapping[str, type[Element]]) -> None:
    """Creates the classes of all elements; `model` is the class of <mujoco>.

    `bases` maps tags to base classes.
    """
    _bases.update(bases)
    _made[id(root())] = model
    complete(model, root())


def model_class() -> type[RootElement]:
    """Returns the class of <mujoco>."""
    return _made[id(root())]  # type: ignore[return-value]


def element_type(spec: ElementSpec, base: type[Element] | None = None) -> type[Element]:
    """Returns the class for elements of this spec; the first call can set its base."""
    kind = _made.get(id(spec))
    if kind is None:
        base = base or _base(spec)
        kind = type(spec.name.capitalize(), (base,), {'__slots__': (), '__module__': __name__})
        _made[id(spec)] = kind
        complete(kind, spec)
    return kind


def _base(spec: ElementSpec) -> type[Element]:
    if spec.name in _NAMED_BY_FILE and 'file' in spec.attributes:
        return _FileNamed
    return _bases.get(spec.name, Element)


def _descriptor(spec: AttributeSpec) -> Attribute:
    found = _described.get(id(spec))
    if found is None:
        found = _described[id(spec)] = attribute(spec)
    return found


def complete(kind: type[Element], spec: ElementSpec) -> None:
    """Adds the descriptors of a spec to a class."""
    kind.spec, kind.tag = spec, spec.name
    kind._attributes = {name: _descriptor(each) for name, each in spec.attributes.items()}
    kind._checks = {name: each.check for name, each in kind._attributes.items()}
    kind._required = tuple(each.name for each in spec.attributes.values() if each.required)
    kind._needed = frozenset(kind._required)
    kind._key, kind._repeated = spec.identifier, spec.repeated
    kind._always = not (spec.repeated or spec.on_demand)
    fine = {name: each.check and each.fine for name, each in kind._attributes.items()}
    kind._scope = (spec.attributes[kind._key].namespace or '') if kind._key else ''
    has_children = bool(spec.children)
    kind._for_reading = kind._checks, fine, kind._key or '', kind._repeated, has_children
    kind._references = [x for x in kind._attributes.values() if isinstance(x, Reference)]
    kind._dependent = frozenset(each.key for each in kind._references if each.dependent)
    kind._files = [x for x in kind._attributes.values() if isinstance(x, File)]
    kind._places_files = any(each.of_files for each in kind._attributes.values())
    kind._references += kind._files if spec.name == 'skin' else []
    kind._types = {tag: element_type(child) for tag, child in spec.children.items()}
    descriptors: dict[str, Attribute | Child] = {**kind._attributes}
    descriptors |= {tag: Child(child) for tag, child in kind._types.items()}
    if 'class' in descriptors:
        descriptors['dclass'] = descriptors['class']
    for name, descriptor in descriptors.items():
        if name not in kind.__dict__:
            setattr(kind, name, descriptor)
