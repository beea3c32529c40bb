"""Writes the whole XSD."""

from collections.abc import Iterator
from typing import Any

import mujoco
from lxml import etree

from ...schema.class_names import ROOT, class_names
from ...schema.installed import root
from ...schema.specs import LENIENT, ElementSpec
from .attribute_types import Values
from .children import any_of, content, include
from .markup import XS, documented
from .merged_specs import by_tag, merged

_FRAGMENT = 'mujocoinclude'


def schema_xsd() -> str:
    """Returns an XSD (1.0) of the installed MuJoCo's MJCF, for <mujoco> and <mujocoinclude>.

    It accepts what MuJoCo compiles, except numbers that are an empty string and bodies in
    <mujoco>, which MuJoCo ignores. It accepts more where an XSD cannot express MuJoCo's rules:
    that some attributes exclude others, that names are unique, that referenced elements exist, and
    that each of many children, as in <default>, occurs only once. <mujocoinclude> accepts every
    element that is allowed anywhere. Text is ignored as in MuJoCo, and so are unknown attributes
    of <frame> and <replicate>.
    """
    document = _Document(root())
    text: bytes = etree.tostring(document.schema(), pretty_print=True)
    return text.decode()


class _Document:
    def __init__(self, root: ElementSpec) -> None:
        self.root = root
        self.names = {spec: name for name, spec in class_names(root).items()}
        self.values = Values()

    def schema(self) -> Any:
        note = f'MJCF of MuJoCo {mujoco.__version__}'
        types = [*self._elements(), *self._fragment()]
        return XS.schema(
            *documented([note]),
            XS.element(name=self.root.name, type=ROOT),
            XS.element(name=_FRAGMENT, type=_FRAGMENT),
            include(),
            *types,
            *self.values.declared.values(),
        )

    def _elements(self) -> Iterator[Any]:
        for spec, name in self.names.items():
            yield self._type(name, spec)

    def _fragment(self) -> Iterator[Any]:
        found = by_tag(spec for spec in self.names if spec is not self.root)
        types = {}
        for tag, specs in found.items():
            types[tag] = self.names[specs[0]]
            if len(specs) > 1:
                types[tag] = f'Any{tag.capitalize()}'
                yield self._type(types[tag], merged(specs))
        attributes = XS.anyAttribute(namespace='##any', processContents='skip')
        yield XS.complexType(any_of(types), attributes, name=_FRAGMENT, mixed='true')

    def _type(self, name: str, spec: ElementSpec) -> Any:
        types = {tag: self.names[child] for tag, child in spec.children.items()}
        attributes = [self.values.attribute(each) for each in spec.attributes.values()]
        is_root = spec is self.root
        if is_root or spec.name in LENIENT:
            others = '##other' if is_root else '##any'
            attributes.append(XS.anyAttribute(namespace=others, processContents='skip'))
        inside = content(spec, types, sections=is_root)
        return XS.complexType(inside, *attributes, name=name, mixed='true')
