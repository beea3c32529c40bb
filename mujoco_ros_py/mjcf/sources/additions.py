"""Chooses where to insert new elements into a source, and formats the elements to fit there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..write.form import Form
from ..write.writer import write_lines
from .places import Place, Places
from .source import Source
from .tags import end_tag, tag_at

if TYPE_CHECKING:
    from ..tree.element import Element
    from .encoded_text import Text

Edit = tuple[int, int, str | Source]
"""An edit: the start and the end of the replaced part of a source, and its replacement."""


def after(places: Places, parent: Element, before: Element, then: Element | None) -> Place:
    """Returns the place after which to insert elements between the children `before` and `then`.

    If `before` is in an included file, the place is the <include>, unless `then` is in the same
    file.
    """
    chain = places.within(before, parent)
    if then is None:
        return chain[0]
    sources = {place[0] for place in places.within(then, parent)}
    return [chain[0], *(place for place in chain[1:] if place[0] in sources)][-1]


def put_after(place: Place, container: int, new: list[Element], form: Form) -> Edit:
    """Returns the edit that inserts new elements after a place.

    The elements are on new lines, unless other content follows on the line of the place.
    """
    source, start, stop = place
    text = source.text
    rest = text.rest(stop)
    if rest is None or container >= text.line_start(start):
        return stop, stop, inline(new, form)
    return rest, rest, lines(text, text.indent(start), new, form)


def put_first(
    source: Source, start: int, then: Place | None, new: list[Element], form: Form
) -> Edit:
    """Returns the edit that inserts new elements after a start tag.

    An empty-element tag is split into a start tag and an end tag.
    """
    text = source.text
    tag = tag_at(text, start)
    outer = text.indent(start)
    indent = outer + text.unit
    end = end_tag(text, tag)
    if end and (tag.empty or not text.ascii[tag.stop : end[0]].strip(b' \t')):
        inside, close = inline(new, form), ''
        if text.begins_line(start):
            inside, close = lines(text, indent, new, form), text.newline + outer
        if tag.empty:
            return tag.end, tag.stop, f'>{inside}{close}</{text.name(start)}>'
        return tag.stop, end[0], inside + close
    if then and then[0] is source and text.begins_line(then[1]):
        indent = text.indent(then[1])
    rest = text.rest(tag.stop)
    if rest is None:
        return tag.stop, tag.stop, inline(new, form)
    return rest, rest, lines(text, indent, new, form)


def lines(text: Text, indent: str, new: list[Element], form: Form) -> str:
    """Returns new elements on separate lines, each with a line break in front."""
    return ''.join(
        text.newline + write_lines(element, form, indent, text.unit, text.newline)
        for element in new
    )


def inline(new: list[Element], form: Form) -> str:
    """Returns new elements on one line."""
    return ''.join(write_lines(element, form, '', '', '') for element in new)
