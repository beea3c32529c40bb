"""Declares the XSD types of attributes."""

from collections.abc import Iterator
from typing import Any

from ...schema.specs import AttributeSpec
from .markup import XS, documented

_ITEMS = {'int': 'xs:int', 'real': 'real'}
_ODD_REALS = (
    r'[+\-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?|[+\-]?[nN][aA][nN]',
    r'[+\-]?0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*([pP][+\-]?\d+)?',
)
"""Matches the numbers that C accepts and XSD does not."""


class Values:
    """The types of attributes, each of which is declared once."""

    def __init__(self) -> None:
        odd = [XS.pattern(value=pattern) for pattern in _ODD_REALS]
        real = XS.union(
            XS.simpleType(XS.restriction(*odd, base='xs:token')), memberTypes='xs:double'
        )
        self.declared = {'real': XS.simpleType(real, name='real')}

    def attribute(self, spec: AttributeSpec) -> Any:
        """Returns the declaration of an attribute."""
        use = {'use': 'required'} if spec.required else {}
        return XS.attribute(*documented(_told(spec)), name=spec.name, type=self._of(spec), **use)

    def _of(self, spec: AttributeSpec) -> str:
        if spec.kind in _ITEMS:
            return self._numbers(spec) if spec.is_array else _ITEMS[spec.kind]
        return self._words(spec) if spec.keywords else 'xs:string'

    def _words(self, spec: AttributeSpec) -> str:
        words = '-'.join(spec.keywords)
        choices = [XS.enumeration(value=word) for word in spec.keywords]
        base = 'xs:token' if spec.kind == 'keywords' else 'xs:string'
        one = self._declare(f'one-of-{words}', XS.restriction(*choices, base=base))
        if spec.kind == 'keyword':
            return one
        return self._declare(f'some-of-{words}', XS.list(itemType=one))

    def _numbers(self, spec: AttributeSpec) -> str:
        every = self._declare(f'{spec.kind}s', XS.list(itemType=_ITEMS[spec.kind]))
        if spec.high is None:
            return every
        lengths = XS.minLength(value=str(spec.low)), XS.maxLength(value=str(spec.high))
        count = f'{spec.low}' if spec.low == spec.high else f'{spec.low}-to-{spec.high}'
        return self._declare(f'{every}-{count}', XS.restriction(*lengths, base=every))

    def _declare(self, name: str, content: Any) -> str:
        self.declared.setdefault(name, XS.simpleType(content, name=name))
        return name


def _told(spec: AttributeSpec) -> Iterator[str]:
    """Yields the documentation of an attribute, beyond its type."""
    if spec.kind in ('reference', 'references'):
        of, _, other = (spec.namespace or '').rpartition(':')
        yield f'Names: {f"what {other} says" if of else other}'
    if spec.kind == 'file':
        yield f'A file in {spec.namespace}' if spec.namespace else 'A file'
    if spec.default:
        yield f'Default: {spec.default}'
