"""Finds the edits of an element's tags that make them agree with its attributes."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

import numpy as np

from ..attributes.occurrences import go_on
from ..schema.alternatives import refused_beside
from ..write.writer import escape
from .additions import Edit
from .source import Source
from .tags import Part, end_tag, tag_at, value_of

if TYPE_CHECKING:
    from ..tree.element import Element

_NUMBERS = int, float, np.ndarray

Texts = dict[str, str]


def attribute_edits(
    element: Element, tags: list[tuple[Source, int]], texts: Texts
) -> Iterator[tuple[Source, Edit]]:
    """Yields the edits of an element's start tags, each with its source.

    `tags` are the places of all its tags in their order, and `texts` are its present attributes.
    """
    kind = type(element)
    parts = [  # attributes without a descriptor were ignored when they were read
        {key: part for key, part in tag_at(*place).parts.items() if key in kind._attributes}
        for place in ((source.text, start) for source, start in tags)
    ]
    written = [
        {key: value_of(source.text, part) for key, part in each.items()}
        for (source, _), each in zip(tags, parts, strict=True)
    ]
    said = _said(kind, written)
    stays = {key for key in said if key in texts and _same(element, key, texts[key], said[key])}
    if stays == texts.keys() == said.keys():
        return
    new = _without(written, said.keys() - texts.keys())
    for key in said.keys() & texts.keys() - stays:
        last = max(number for number, each in enumerate(written) if key in each)
        new[last][key] = texts[key]
        if _said(kind, new)[key] != texts[key]:  # an array that is continued, or sizes that add up
            new = [*_without(new[:last], {key}), *new[last:]]
    added = {key: text for key, text in texts.items() if key not in said}
    overridden = _said(kind, new).keys() - texts.keys()  # by something that is gone
    new = _without(new, overridden | added.keys())
    for (source, _), before, after, there in zip(tags, written, new, parts, strict=True):
        for key, part in there.items():
            if key not in after:
                yield source, (part.start, part.value_stop + 1, '')
            elif after[key] != before[key]:
                yield source, _new_value(after[key], part)
    yield from _additions(kind, tags, new, added)


def _said(kind: type[Element], written: list[Texts]) -> Texts:
    """Returns the attributes of an element that occurs with each of these."""
    said = dict(written[0])
    for each in written[1:]:
        go_on(kind, said, each)
    return said


def _without(written: list[Texts], keys: Set[str]) -> list[Texts]:
    return [{key: text for key, text in each.items() if key not in keys} for each in written]


def _additions(
    kind: type[Element], tags: list[tuple[Source, int]], written: list[Texts], added: Texts
) -> Iterator[tuple[Source, Edit]]:
    new: dict[int, str] = {}
    for key, text in added.items():
        number = _tag_for(kind, key, text, written)
        if number >= 0:
            written[number][key] = text
        new[number] = f'{new.get(number, "")} {key}="{escape(text)}"'
    for number, attributes in new.items():
        source, start = tags[number]
        tag = tag_at(source.text, start)
        if number >= 0:
            yield source, (tag.end, tag.end, attributes)
            continue
        end = end_tag(source.text, tag)
        stop = end[1] if end else tag.stop
        line = source.text.newline + source.text.indent(start)
        yield source, (stop, stop, f'{line}<{kind.tag}{attributes}/>')


def _tag_for(kind: type[Element], key: str, text: str, written: list[Texts]) -> int:
    """Returns the number of the first tag where a new attribute counts; -1 for another element."""
    for number, beside in enumerate(written):
        if not beside.keys().isdisjoint(refused_beside(key)):
            continue
        said = {key: text}
        for each in written[number + 1 :]:
            go_on(kind, said, each)
        if said.get(key) == text:
            return number
    return -1


def _new_value(text: str, part: Part) -> Edit:
    new = escape(text)
    if part.quote == "'":
        new = new.replace("'", '&apos;')
    return part.value, part.value_stop, new


def _same(element: Element, key: str, text: str, old: str) -> bool:
    """Returns whether the old text of an attribute has the same meaning as the new one."""
    if text == old:
        return True
    attribute, kept = element._attributes[key], element._values.get(key)
    if isinstance(kept, _NUMBERS):
        return np.array_equal(attribute.accept(element, old), kept)
    return text == (' '.join(old.split()) if isinstance(kept, tuple) else attribute.mend(old))
