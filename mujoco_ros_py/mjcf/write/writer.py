"""Writes elements as XML, with the content of attached models at the places of attachment.

The text is built without lxml, which would need a new tree for each text.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .form import Form

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..tree.element import Element

_SPECIAL = re.compile('[&<>"\n\t\r]')
_ESCAPES = {
    '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;',
    '\n': '&#10;', '\t': '&#9;', '\r': '&#13;',
}  # fmt: skip


_TEXTS = frozenset([str])
DEEPEST = 499
"""The maximum depth of nested elements in MuJoCo."""


def write(element: Any, form: Form, *, pretty: bool = True, self_only: bool = False) -> str:
    """Returns the XML of an element; with `self_only`, the content is written as `...`."""
    if not (self_only or form.weigh) and _is_of_one_model(element, form):
        form = replace(form, as_kept=form.exact)
    writer = _Writer(form, '  ' if pretty else '', '\n' if pretty else '')
    if self_only:
        return writer.head(element, '...' if element.all_children() else '')
    writer.write(element, '')
    if form.referred and not form.name_all:  # again, because referenced elements now need names
        writer.pieces.clear()
        writer.write(element, '')
    return ''.join(writer.pieces)


def write_sections(model: RootElement, form: Form) -> dict[str, str]:
    """Returns the inner XML of each section of a model, by tag, without line breaks.

    With `form.apart`, the sections of several models can be concatenated into one model.
    """
    while True:
        named = len(form.referred)
        found = {
            section.tag: ''.join(
                _element(child, form) for child in section._written_children(form)
            )
            for section in model._written_children(form)
        }
        if len(form.referred) == named:
            return found


def write_lines(element: Element, form: Form, indent: str, unit: str, newline: str) -> str:
    """Returns the lines of an element; `unit` is the indentation of one level.

    The last line has no line break.
    """
    writer = _Writer(form, unit, newline)
    writer.write(element, indent, depth=2)
    return ''.join(writer.pieces).removesuffix(newline)


def _element(element: Element, form: Form) -> str:
    writer = _Writer(form, '', '')
    writer.write(element, '', depth=3)
    return ''.join(writer.pieces)


def _is_of_one_model(element: Any, form: Form) -> bool:
    root = getattr(element, '_is_root', False) and not element.frames
    return root and form.prefix_root in (None, element) and not form.name_all


class _Writer:
    def __init__(self, form: Form, indent: str, end: str) -> None:
        self.pieces: list[str] = []
        self._form = form
        self._indent = indent
        self._end = end

    def head(self, element: Element, content: str) -> str:
        start = f'<{element.tag}{self._attributes(element)}'
        return f'{start}>{content}</{element.tag}>' if content else f'{start}/>'

    def write(self, element: Element, indent: str, depth: int = 1) -> None:
        """Writes an element; skips an empty implicit element inside another element."""
        if depth > DEEPEST:
            raise ValueError(f'{element}: nested more than {DEEPEST} deep, which MuJoCo rejects')
        pieces, end = self.pieces, self._end
        attributes = self._attributes(element)
        start = f'{indent}<{element.tag}{attributes}'
        place = len(pieces)
        pieces.append(start)
        for child in element._written_children(self._form):
            self.write(child, indent + self._indent, depth + 1)
        if len(pieces) > place + 1:
            pieces[place] = f'{start}>{end}'
            pieces.append(f'{indent}</{element.tag}>{end}')
        elif depth > 1 and element._always and not (attributes or element._resets):
            del pieces[place]
        else:
            pieces[place] = f'{start}/>{end}'

    def _attributes(self, element: Element) -> str:
        texts = element._texts(self._form)
        if _SPECIAL.search(' '.join([text for _, text in texts])) is None:
            return ''.join([f' {key}="{text}"' for key, text in texts])
        return ''.join([f' {key}="{escape(text)}"' for key, text in texts])


def escape(text: str) -> str:
    """Escapes a text for use inside double quotes."""
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text)


def texts(element: Any, form: Form) -> list[tuple[str, str]]:
    """Returns the names and texts of an element's attributes, as they are written.

    Raises ValueError, with the element, for an attribute that cannot be written.
    """
    values = element._values
    if form.as_kept and not (element._places_files and form.filenames != 'written'):
        kept_texts = values.values()
        usual = _TEXTS.issuperset(map(type, kept_texts)) and '' not in kept_texts
        if usual and id(element) not in form.referred and values.keys() >= element._needed:
            return list(values.items())
    found = []
    for key in element._dependent:  # drops removed references before their type is written
        if type(element._values.get(key)) is not str:
            getattr(element, key)
    plain, exact = not form.prefix(element.root) and not form.separate, form.exact
    renamed = form.filenames != 'written' or form.spliced
    for key, kept in list(element._values.items()):
        attribute = element._attributes[key]
        if type(kept) is str and not kept and not attribute.empty_counts:
            if key != element._key:  # an explicitly empty reference overrides its class
                found.append((key, ''))
            continue
        text = kept
        if (
            type(kept) is not str
            or not exact
            or (attribute.scoped and not plain)
            or (renamed and attribute.of_files)
        ):
            try:
                text = attribute.text(element, kept, form)
            except ValueError as error:
                raise ValueError(f'{element}: {error}') from None
        if text is not None:
            found.append((key, text))
    for key in element._required:
        if not (form.lenient or element._always or any(key == written for written, _ in found)):
            raise ValueError(f'{element}: {key} is required, but its target was removed')
    if form.separate and 'class' not in element._values and _needs_class(element):
        found.append(('class', form.global_class(element.root)))
    if (
        (form.name_all or id(element) in form.referred)
        and element._key == 'name'
        and not element._name
    ):
        found.append(('name', form.unnamed(element)))
    return found


def _needs_class(element: Any) -> bool:
    """Returns whether the outermost defaults apply to an element only with an explicit class."""
    attribute = element._attributes.get('class')
    if attribute not in element._references:
        return False
    above = element._parent
    while above is not None and 'childclass' not in above._values:
        above = above._parent
    return above is None
