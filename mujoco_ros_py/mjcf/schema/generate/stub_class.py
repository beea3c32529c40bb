"""Writes one class of the stub."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from keyword import iskeyword

from ..specs import AttributeSpec, ElementSpec
from .code_lines import method, overloads
from .hints import Hints, described, python_name

_OF_ROOT = 'mujoco', 'model'
"""The attribute that RootElement has without the stub."""
_OWN_LISTS = {('Worldbody', 'attach'): 'AttachList'}


@dataclass(frozen=True, slots=True)
class StubClass:
    """The lines of an element's class: attributes, children, and the methods that use them."""

    name: str
    spec: ElementSpec
    parents: Sequence[str]
    """The names of the classes that may contain the element."""
    names: Mapping[ElementSpec, str]
    """The names of the classes of all elements."""
    hints: Hints

    def lines(self) -> Iterator[str]:
        """Yields the dictionary of the element's attributes, and its class."""
        yield from self._dictionary()
        bases = '_Element, Attachable' if self.name == 'Site' else '_Element'
        yield from ('', f'class {self.name}({bases}):')
        yield f'    tag: ClassVar[Literal[{self.spec.name!r}]]'
        yield from self._attributes()
        yield from self._children()
        yield from self._parent()
        if self.spec.attributes:
            yield from method('set_attributes', self._values(self.spec, ' = ...'), 'None')
        yield from overloads('add', self._adds([]))
        yield from overloads('insert', self._adds(['position: int | None']))

    def _dictionary(self) -> Iterator[str]:
        optional = _optional(self.spec)
        if optional:
            yield from ('', f'class {_dictionary(self.names[self.spec])}(TypedDict, total=False):')
        for each in optional:
            yield f'    {python_name(each.name)}: {self.hints.given(each)} | None'

    def _attributes(self) -> Iterator[str]:
        for each in self.spec.attributes.values():
            if (self.spec.name, each.name) == _OF_ROOT or iskeyword(python_name(each.name)):
                continue
            yield f'    {python_name(each.name)}: {self.hints.declared(each)}'
            if text := described(each):
                yield f'    """{text}"""'

    def _children(self) -> Iterator[str]:
        hidden = []
        for tag, child in self.spec.children.items():
            name = self.names[child]
            if iskeyword(tag):
                hidden.append(([f'element_name: Literal[{tag!r}]'], name))
            elif (self.name, tag) in _OWN_LISTS:
                yield f'    {tag}: Child[{_OWN_LISTS[self.name, tag]}[{name}]]'
            elif child.repeated:
                yield f'    {tag}: Children[{name}]'
            else:
                yield f'    {tag}: Child[{name}{" | None" if child.on_demand else ""}]'
        if hidden:
            yield from overloads('get_children', [*hidden, (['element_name: str'], 'Any')])

    def _parent(self) -> Iterator[str]:
        yield '    @property'
        yield from method('parent', [], ' | '.join([*self.parents, 'None']))

    def _adds(self, position: list[str]) -> Iterator[tuple[list[str], str]]:
        for tag, child in self.spec.children.items():
            if child.repeated or child.on_demand:
                parameters = [f'element_name: Literal[{tag!r}]', *position]
                yield [*parameters, *self._values(child)], self.names[child]

    def _values(self, spec: ElementSpec, default: str = '') -> list[str]:
        """Returns the parameters of a method that takes the attributes of an element."""
        required = [
            f'{python_name(each.name)}: {self.hints.given(each)}{default}'
            for each in spec.attributes.values()
            if each.required
        ]
        star = ['*'] if required else []
        others = f'**attributes: Unpack[{_dictionary(self.names[spec])}]'
        return [*star, *required, *([others] if _optional(spec) else [])]


def _optional(spec: ElementSpec) -> list[AttributeSpec]:
    found = (each for each in spec.attributes.values() if not each.required)
    return [each for each in found if not iskeyword(python_name(each.name))]


def _dictionary(name: str) -> str:
    return f'_{name}Dict'
