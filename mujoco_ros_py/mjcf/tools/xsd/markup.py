"""Builds the elements of an XSD."""

from collections.abc import Iterable
from typing import Any

from lxml.builder import ElementMaker

_NAMESPACE = 'http://www.w3.org/2001/XMLSchema'
XS: Any = ElementMaker(namespace=_NAMESPACE, nsmap={'xs': _NAMESPACE})
"""The maker of XSD elements: `XS.element(child, name='geom')` is <xs:element name="geom"> with the
child in it."""


def documented(lines: Iterable[str]) -> list[Any]:
    """Returns the documentation that editors show, or nothing if there are no lines."""
    text = '\n'.join(lines)
    return [XS.annotation(XS.documentation(text))] if text else []
