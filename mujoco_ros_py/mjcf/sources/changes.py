"""Finds the edits of a model's sources that make them agree with the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..attributes.attributed import Attributed
from ..attributes.file import folder_of_include
from ..files.assets import Asset
from ..write.form import Form
from ..write.writer import write_lines
from .additions import Edit, after, put_after, put_first
from .attribute_edits import attribute_edits
from .places import Places
from .source import Source
from .tags import end_tag, stop_of, tag_at

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..tree.element import Element


def changes(model: RootElement, *, spliced: bool) -> dict[Source, list[Edit]]:
    """Returns the edits of each source; for an include the edit inserts the included source.

    `spliced` tells whether included sources will be in the place of their includes.
    """
    found = _Changes(model, Form(spliced=spliced))
    found.all()
    if found.form.referred:  # unnamed elements that others refer to by now get a name
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
        """Returns the edits of each source."""
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
        for source, edit in attribute_edits(element, tags, texts):
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
    """Returns whether a value can have changed although nobody set the attribute."""
    for kept in element._values.values():
        if type(kept) is not str and (
            isinstance(kept, (np.ndarray, Asset))  # edited in place, or the folder of a file was
            or any(map(_is_other, kept if isinstance(kept, tuple) else (kept,)))
        ):
            return True
    return False


def _is_other(kept: Any) -> bool:
    """Returns whether a kept value refers to an element that may be renamed or removed by now."""
    return isinstance(kept, Attributed) and (kept._edited or kept.is_removed)
