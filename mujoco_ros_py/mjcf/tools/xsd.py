"""Generates an XSD of the installed MuJoCo's MJCF, for editors and validators."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import mujoco
from lxml import etree
from lxml.builder import ElementMaker

from ..schema.class_names import ROOT, class_names
from ..schema.installed import root
from ..schema.specs import LENIENT, AttributeSpec, ElementSpec

_FRAGMENT = 'mujocoinclude'
_ITEMS = {'int': 'xs:int', 'real': 'real'}
_ODD_REALS = (
    r'[+\-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?|[+\-]?[nN][aA][nN]',
    r'[+\-]?0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*([pP][+\-]?\d+)?',
)
"""Matches numbers that C accepts and XSD does not."""
_MOST = 3
"""The XSD lists all orders of children that occur at most once, if there are at most this many."""
_INCLUDE = 'include'

_Types = Mapping[str, str]
"""The types of children, by tag."""
_NAMESPACE = 'http://www.w3.org/2001/XMLSchema'
_XS = ElementMaker(namespace=_NAMESPACE, nsmap={'xs': _NAMESPACE})
"""Creates XSD elements: `_XS.element(child, name="geom")` is <xs:element name="geom"> around the
child."""


def schema_xsd() -> str:
    """Returns an XSD (1.0) of the installed MuJoCo's MJCF, for <mujoco> and <mujocoinclude>.

    It accepts everything that MuJoCo compiles, with two exceptions: numbers given as an empty
    string, and bodies directly in <mujoco>, which MuJoCo ignores. It accepts more than MuJoCo
    where XSD cannot express the rule: mutually exclusive attributes, unique names, existing
    references, and single occurrences of many children, as in <default>. <mujocoinclude> accepts
    every element that is allowed anywhere. Like MuJoCo, the XSD ignores text, and unknown
    attributes of <frame> and <replicate>.
    """
    document = _Document(root())
    text: bytes = etree.tostring(document.schema(), pretty_print=True)
    return text.decode()


class _Document:
    def __init__(self, root: ElementSpec) -> None:
        self.root = root
        self.names = {spec: name for name, spec in class_names(root).items()}
        self.values = _Values()

    def schema(self) -> etree._Element:
        note = f'MJCF of MuJoCo {mujoco.__version__}'
        types = [*self._elements(), *self._fragment()]
        return _XS.schema(
            *_documented([note]),
            _XS.element(name=self.root.name, type=ROOT),
            _XS.element(name=_FRAGMENT, type=_FRAGMENT),
            include(),
            *types,
            *self.values.declared.values(),
        )

    def _elements(self) -> Iterator[etree._Element]:
        for spec, name in self.names.items():
            yield self._type(name, spec)

    def _fragment(self) -> Iterator[etree._Element]:
        found = by_tag(spec for spec in self.names if spec is not self.root)
        types = {}
        for tag, specs in found.items():
            types[tag] = self.names[specs[0]]
            if len(specs) > 1:
                types[tag] = f'Any{tag.capitalize()}'
                yield self._type(types[tag], _merged(specs))
        attributes = _XS.anyAttribute(namespace='##any', processContents='skip')
        yield _XS.complexType(_any_of(types), attributes, name=_FRAGMENT, mixed='true')

    def _type(self, name: str, spec: ElementSpec) -> etree._Element:
        types = {tag: self.names[child] for tag, child in spec.children.items()}
        attributes = [self.values.attribute(each) for each in spec.attributes.values()]
        is_root = spec is self.root
        if is_root or spec.name in LENIENT:
            others = '##other' if is_root else '##any'
            attributes.append(_XS.anyAttribute(namespace=others, processContents='skip'))
        inside = content(spec, types, sections=is_root)
        return _XS.complexType(inside, *attributes, name=name, mixed='true')


class _Values:
    """The types of attributes; each is declared once."""

    def __init__(self) -> None:
        odd = [_XS.pattern(value=pattern) for pattern in _ODD_REALS]
        real = _XS.union(
            _XS.simpleType(_XS.restriction(*odd, base='xs:token')), memberTypes='xs:double'
        )
        self.declared = {'real': _XS.simpleType(real, name='real')}

    def attribute(self, spec: AttributeSpec) -> etree._Element:
        """Returns the declaration of an attribute."""
        use = {'use': 'required'} if spec.required else {}
        return _XS.attribute(*_documented(_told(spec)), name=spec.name, type=self._of(spec), **use)

    def _of(self, spec: AttributeSpec) -> str:
        if spec.kind in _ITEMS:
            return self._numbers(spec) if spec.is_array else _ITEMS[spec.kind]
        return self._words(spec) if spec.keywords else 'xs:string'

    def _words(self, spec: AttributeSpec) -> str:
        words = '-'.join(spec.keywords)
        choices = [_XS.enumeration(value=word) for word in spec.keywords]
        base = 'xs:token' if spec.kind == 'keywords' else 'xs:string'
        one = self._declare(f'one-of-{words}', _XS.restriction(*choices, base=base))
        if spec.kind == 'keyword':
            return one
        return self._declare(f'some-of-{words}', _XS.list(itemType=one))

    def _numbers(self, spec: AttributeSpec) -> str:
        every = self._declare(f'{spec.kind}s', _XS.list(itemType=_ITEMS[spec.kind]))
        if spec.high is None:
            return every
        lengths = _XS.minLength(value=str(spec.low)), _XS.maxLength(value=str(spec.high))
        count = f'{spec.low}' if spec.low == spec.high else f'{spec.low}-to-{spec.high}'
        return self._declare(f'{every}-{count}', _XS.restriction(*lengths, base=every))

    def _declare(self, name: str, content: etree._Element) -> str:
        self.declared.setdefault(name, _XS.simpleType(content, name=name))
        return name


def _told(spec: AttributeSpec) -> Iterator[str]:
    """Yields documentation of an attribute that its type does not express."""
    if spec.kind in ('reference', 'references'):
        of, _, other = (spec.namespace or '').rpartition(':')
        yield f'Names: {f"an element of the type in {other}" if of else other}'
    if spec.kind == 'file':
        yield f'A file in {spec.namespace}' if spec.namespace else 'A file'
    if spec.default:
        yield f'Default: {spec.default}'


def content(spec: ElementSpec, types: _Types, sections: bool) -> etree._Element:
    """Returns children in any order, with includes; single children occur at most once.

    Sections can be repeated; MuJoCo merges them.
    """
    once = {tag: types[tag] for tag, child in spec.children.items() if not child.repeated}
    if sections or len(once) > _MOST:
        once = {}
    often = {tag: kind for tag, kind in types.items() if tag not in once}
    return _XS.sequence(*_after(once, often))


def _after(once: _Types, often: _Types) -> list[etree._Element]:
    """Returns the content that is allowed while none of `once` has occurred yet."""
    found = [_any_of(often)]
    if once:
        choices = [
            _XS.sequence(_element(tag, kind), *_after(_without(once, tag), often))
            for tag, kind in once.items()
        ]
        found.append(_XS.choice(*choices, minOccurs='0'))
    return found


def _without(types: _Types, tag: str) -> _Types:
    return {key: kind for key, kind in types.items() if key != tag}


def _any_of(types: _Types) -> etree._Element:
    """Returns any number of these children and includes, in any order."""
    elements = [_element(tag, kind) for tag, kind in types.items()]
    include = _XS.element(ref=_INCLUDE)
    return _XS.choice(*elements, include, minOccurs='0', maxOccurs='unbounded')


def _element(tag: str, kind: str) -> etree._Element:
    return _XS.element(name=tag, type=kind)


def include() -> etree._Element:
    """Returns the declaration of <include>, which is allowed everywhere."""
    file = _XS.attribute(name='file', type='xs:string', use='required')
    return _XS.element(_XS.complexType(file, mixed='true'), name=_INCLUDE)


def by_tag(specs: Iterable[ElementSpec]) -> dict[str, list[ElementSpec]]:
    """Groups specs by tag, such as the joints of bodies, defaults, equalities and tendons."""
    found: dict[str, list[ElementSpec]] = {}
    for spec in specs:
        found.setdefault(spec.name, []).append(spec)
    return found


def _merged(specs: list[ElementSpec]) -> ElementSpec:
    """Returns a spec that covers all of these; its children are the children of all."""
    attributes: dict[str, AttributeSpec] = {}
    for spec in specs:
        for name, attribute in spec.attributes.items():
            attributes[name] = _either(attributes.get(name, attribute), attribute)
    for name, attribute in attributes.items():
        if not all(name in spec.attributes for spec in specs):
            attributes[name] = replace(attribute, required=False)
    children = {tag: child for spec in specs for tag, child in spec.children.items()}
    return ElementSpec(specs[0].name, attributes=attributes, children=children)


def _either(one: AttributeSpec, other: AttributeSpec) -> AttributeSpec:
    required = one.required and other.required
    alike = replace(one, default=other.default, required=other.required) == other
    kind = one if alike else AttributeSpec(one.name, 'string')
    return replace(kind, default=None, required=required)


def _documented(lines: Iterable[str]) -> list[etree._Element]:
    """Returns the documentation shown by editors; empty without lines."""
    text = '\n'.join(lines)
    return [_XS.annotation(_XS.documentation(text))] if text else []
