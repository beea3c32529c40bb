"""Writes elements as XML: one layout, with what is attached in its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .form import Form

if TYPE_CHECKING:
    from .element import Element

_SPECIAL = re.compile('[&<>"\n\t\r]')
_ESCAPES = {
    '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;',
    '\n': '&#10;', '\t': '&#9;', '\r': '&#13;',
}  # fmt: skip


def write(element: Element, form: Form, *, pretty: bool = True, self_only: bool = False) -> str:
    """The element and all below it, or `...` for that if `self_only`."""
    writer = _Writer(form, '  ' if pretty else '', '\n' if pretty else '')
    if self_only:
        return writer.head(element, '...' if element.all_children() else '')
    writer.write(element, '')
    return ''.join(writer.pieces)


class _Writer:
    def __init__(self, form: Form, indent: str, end: str) -> None:
        self.pieces: list[str] = []
        self._form = form
        self._indent = indent
        self._end = end

    def head(self, element: Element, content: str) -> str:
        start = f'<{element.tag}{self._attributes(element)}'
        return f'{start}>{content}</{element.tag}>' if content else f'{start}/>'

    def write(self, element: Element, indent: str) -> None:
        """Nothing for an element that always exists and is empty."""
        pieces, end = self.pieces, self._end
        start = f'{indent}<{element.tag}{self._attributes(element)}'
        place = len(pieces)
        pieces.append(start)
        for child in element._written_children(self._form):
            self.write(child, indent + self._indent)
        if len(pieces) > place + 1:
            pieces[place] = f'{start}>{end}'
            pieces.append(f'{indent}</{element.tag}>{end}')
        elif element._always and start == f'{indent}<{element.tag}':
            del pieces[place]
        else:
            pieces[place] = f'{start}/>{end}'

    def _attributes(self, element: Element) -> str:
        return ''.join(
            [
                f' {key}="{text if _SPECIAL.search(text) is None else escape(text)}"'
                for key, text in element._texts(self._form)
            ]
        )


def escape(text: str) -> str:
    """As it stands between double quotes."""
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text)


def texts(element: Any, form: Form) -> list[tuple[str, str]]:
    """The attributes that an element is written with; an error tells which element it is."""
    attributes, found = element._attributes, []
    for key, kept in list(element._values.items()):
        text = kept if type(kept) is str else None
        if text is None or attributes[key].scoped:
            try:
                text = attributes[key].text(element, kept, form)
            except ValueError as error:
                raise ValueError(f'{element}: {error}') from None
        if text is not None:
            found.append((key, text))
    return found
