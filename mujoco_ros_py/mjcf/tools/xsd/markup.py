"""What an XSD is written with."""

from collections.abc import Iterable
from typing import Any

from lxml.builder import ElementMaker

_NAMESPACE = 'http://www.w3.org/2001/XMLSchema'
XS: Any = ElementMaker(namespace=_NAMESPACE, nsmap={'xs': _NAMESPACE})
"""`XS.element(child, name='geom')` is <xs:element name="geom"> with the child in it."""


def documented(lines: Iterable[str]) -> list[Any]:
    """What editors show; nothing if there is nothing to show."""
    text = '\n'.join(lines)
    return [XS.annotation(XS.documentation(text))] if text else []
