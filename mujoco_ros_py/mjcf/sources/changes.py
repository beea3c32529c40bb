"""Computes the edits that make a model's sources match the model."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

import numpy as np

from ..attributes.attributed import Attributed
from ..attributes.file import folder_of_include
from ..attributes.occurrences import go_on
from ..files.assets import Asset
from ..schema.alternatives import refused_beside
from ..write.form import Form
from ..write.writer import escape, write_lines
from .additions import Edit, after, put_after, put_first
from .places import Places
from .source import Source
from .tags import Part, end_tag, stop_of, tag_at, value_of

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..tree.element import Element

_NUMBERS = int, float, np.ndarray

_Texts = dict[str, str]


def changes(model: RootElement, *, spliced: bool) -> dict[Source, list[Edit]]:
    """Returns the edits of each source.

    For each <include>, an edit has the included source as replacement. `spliced` is true if these
    edits will be applied, so that no <include> remains.
    """
    found = _Changes(model, Form(spliced=spliced))
    found.all()
    if found.form.referred:  # unnamed elements that are now referenced get a name
        found = _Changes(model, Form(spliced=spliced, referred=found.form.referred))
        found.all()
    return found.edits


class _Changes:
    """Collects the edits of a model's sources."""

    def __init__(self, model: RootElement, form: Form) -> None:
        self._model = model
        self._places = Places(model)
        self.form = form
        self.edits: dict[Source, list[Edit]] = {source: [] for source in self._places.sources}

    def all(self) -> None:
        """Collects the edits of each source."""
        self._removals()
        self._includes()
        self._elements()

    def _removals(self) -> None:
        for source, edits in self.edits.items():
            text = source.text
            for element in source.removed:
                start, stop = element._start // text.width, element._stop // text.width
                edits.append((*text.span(start, stop_of(text, start, stop)), ''))

    def _includes(self) -> None:
        for included, (source, start, stop) in self._places.includes():
            self.edits[source].append((start, stop, included))

    def _elements(self) -> None:
        sources, named = self._places.sources, self.form.referred
        waiting: list[Element] = [self._model]
        while waiting:
            element = waiting.pop()
            if element._is_emptied:
                self._remove_tags(element)
                continue
            moved = self.form.spliced and element._files and folder_of_include(element)
            if element._edited or moved or id(element) in named or _may_differ(element):
                self._attributes(element)
            children = element._children
            if children:
                read = [child for child in children if child._source in sources]
                if len(read) < len(children):
                    self._children(element)
                waiting += read

    def _remove_tags(self, element: Element) -> None:
        for source, start in self._places.tags(element):
            tag = tag_at(source.text, start)
            end = end_tag(source.text, tag)
            stop = end[1] if end else tag.stop
            self.edits[source].append((*source.text.span(start, stop), ''))

    # Attributes

    def _attributes(self, element: Element) -> None:
        tags, texts = self._places.tags(element), dict(element._texts(self.form))
        for source, edit in _attribute_edits(element, tags, texts):
            self.edits[source].append(edit)

    # Children

    def _children(self, parent: Element) -> None:
        new: list[Element] = []
        before = None
        for child in parent._children:
            if not self._places.has(child):
                if write_lines(child, self.form, '', '', ''):
                    new.append(child)
                continue
            self._add(parent, before, new, child)
            before, new = child, []
        self._add(parent, before, new, None)

    def _add(
        self, parent: Element, before: Element | None, new: list[Element], then: Element | None
    ) -> None:
        if not new:
            return
        if before is not None:
            place = after(self._places, parent, before, then)
            container = self._places.container(place, parent)
            self.edits[place[0]].append(put_after(place, container, new, self.form))
            return
        source, start = self._places.tags(parent)[0]
        following = self._places.within(then, parent)[0] if then is not None else None
        self.edits[source].append(put_first(source, start, following, new, self.form))


def _may_differ(element: Element) -> bool:
    """Returns whether a value can have changed without an assignment to the attribute."""
    for kept in element._values.values():
        if type(kept) is not str and (
            isinstance(kept, (np.ndarray, Asset))  # can be edited in place
            or any(map(_is_other, kept if isinstance(kept, tuple) else (kept,)))
        ):
            return True
    return False


def _is_other(kept: object) -> bool:
    """Returns whether a value refers to an element that was possibly renamed or removed."""
    return isinstance(kept, Attributed) and (kept._edited or kept.is_removed)


def _attribute_edits(
    element: Element, tags: list[tuple[Source, int]], texts: _Texts
) -> Iterator[tuple[Source, Edit]]:
    """Yields the edits of an element's start tags, each with its source.

    `tags` are the places of all its tags in order; `texts` are its current attributes.
    """
    kind = type(element)
    parts = [  # attributes without a descriptor were ignored by the reader
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
        if _said(kind, new)[key] != texts[key]:  # other tags have the attribute too
            new = [*_without(new[:last], {key}), *new[last:]]
    added = {key: text for key, text in texts.items() if key not in said}
    # Also removes attributes that a removed attribute has overridden: they would take effect
    # again.
    overridden = _said(kind, new).keys() - texts.keys()
    new = _without(new, overridden | added.keys())
    for (source, _), old, wanted, there in zip(tags, written, new, parts, strict=True):
        for key, part in there.items():
            if key not in wanted:
                yield source, (part.start, part.value_stop + 1, '')
            elif wanted[key] != old[key]:
                yield source, _new_value(wanted[key], part)
    yield from _additions(kind, tags, new, added)


def _said(kind: type[Element], written: list[_Texts]) -> _Texts:
    """Returns the attributes that MuJoCo merges from several tags of the same section."""
    said = dict(written[0])
    for each in written[1:]:
        go_on(kind, said, each)
    return said


def _without(written: list[_Texts], keys: Set[str]) -> list[_Texts]:
    return [{key: text for key, text in each.items() if key not in keys} for each in written]


def _additions(
    kind: type[Element], tags: list[tuple[Source, int]], written: list[_Texts], added: _Texts
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


def _tag_for(kind: type[Element], key: str, text: str, written: list[_Texts]) -> int:
    """Returns the index of the first tag where a new attribute takes effect, or -1."""
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
    """Returns whether the old and new text of an attribute have the same meaning."""
    if text == old:
        return True
    attribute, kept = element._attributes[key], element._values.get(key)
    if isinstance(kept, _NUMBERS):
        return np.array_equal(attribute.accept(element, old), kept)
    return text == (' '.join(old.split()) if isinstance(kept, tuple) else attribute.mend(old))
