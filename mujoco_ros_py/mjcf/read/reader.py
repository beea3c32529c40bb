"""Reads MJCF: one pass over the text creates the elements and checks them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from ...errors import MjcfAttributeError, MjcfKeyError
from ..attributes.occurrences import go_on
from ..schema.specs import LENIENT
from ..sources.parsing import parse
from ..sources.source import Source
from ..tree.element import Element
from ..tree.outermost import DEFAULT
from ..write.form import WORLD
from ..write.writer import DEEPEST
from .errors import error_in
from .includes import IncludedFiles
from .placeholders import IGNORED, IGNORED_IN_MODEL, IN_INCLUDE, INCLUDE
from .repeated_sections import join_defaults

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

    from ..compose.root import RootElement

Attributes = dict[str, str]
NO_CHILDREN: Any = ()
"""The children of all elements that cannot have children. One shared tuple instead of many lists
saves work for the garbage collector."""
_new = object.__new__
_put_parent, _put_values, _put_children, _put_edited, _put_source, _put_start, _put_stop = (
    getattr(Element, slot).__set__
    for slot in ('_parent', '_values', '_children', '_edited', '_source', '_start', '_stop')
)
"""The setters of an element's slots; calling them is faster than assigning to attributes."""


class Reader:
    """Fills a model with the content of a text and its included files.

    If `tolerant`, also accepts ill-formed text that MuJoCo accepts.
    """

    def __init__(self, model: RootElement, *, tolerant: bool = False) -> None:
        self._model = model
        self._tolerant = tolerant
        self._files = IncludedFiles(model)
        self._open: list[Element] = []
        """The open elements, from the root to the innermost."""

    def read(self, source: Source) -> None:
        """Reads a source into the model.

        Raises MjcfError, with the line and the element.
        """
        self._parse(source, self._begin)
        join_defaults(self._model)

    def _begin(
        self, tag: str, attributes: Attributes, source: Source, parser: XMLParserType
    ) -> None:
        if not tag.startswith('mujoco'):
            reason = f'the first element must be <mujoco>, got <{tag}>'
            raise error_in(source, parser, tag, reason)
        for key, text in attributes.items():
            if ':' in key or key == 'xmlns':
                continue  # meant for other tools, such as editors
            try:
                self._model._accept(key, text)
                self._model._values.setdefault(key, text)  # MuJoCo keeps empty names too
            except AttributeError as error:
                raise error_in(source, parser, tag, error, MjcfAttributeError) from None
        self._model._source, self._model._start = source, source.start
        self._open.append(self._model)

    def _begin_included(
        self, tag: str, attributes: Attributes, source: Source, parser: XMLParserType
    ) -> None:
        self._open.append(self._open[-1])  # the included content gets this parent

    def _parse(self, source: Source, begin: Callable[..., None]) -> None:
        if self._tolerant:
            source.tolerate()
        parser = expat.ParserCreate(source.encoding)
        parser.EndElementHandler = _ender(self._open, source, parser)
        start = self._starter(source, parser)

        def first(name: str, attributes: Attributes) -> None:
            parser.StartElementHandler = start
            source.start = parser.CurrentByteIndex
            begin(name, attributes, source, parser)

        parser.StartElementHandler = first
        parse(source, parser)

    def _starter(self, source: Source, parser: XMLParserType) -> Callable[[str, Attributes], None]:
        """Returns the handler of start tags, where reading spends most of its time."""
        opened, names = self._open, self._model.namescope.by_namespace

        def start(tag: str, attributes: Attributes) -> None:
            parent = opened[-1]
            kind = parent._types.get(tag)
            if kind is None:
                self._other(parent, tag, attributes, source, parser)
                return
            checks, fine, named_by, repeated, has_children = kind._for_reading
            try:
                for key, text in attributes.items():
                    seen = fine[key]
                    if seen is not None and text not in seen:
                        checks[key](text)
            except (KeyError, ValueError):
                start(tag, self._mended(kind, attributes, source, parser))
                return
            if len(opened) >= DEEPEST:
                raise error_in(source, parser, tag, f'nested more than {DEEPEST} elements deep')
            if not repeated and self._goes_on(parent, kind, attributes, source, parser):
                return
            element = _new(kind)
            _put_parent(element, parent)
            _put_values(element, attributes)
            _put_children(element, [] if has_children else NO_CHILDREN)
            _put_edited(element, False)
            _put_source(element, source)
            _put_start(element, parser.CurrentByteIndex)
            parent._children.append(element)
            opened.append(element)
            name = attributes.get(named_by)
            if not name and kind._named_by_file:
                name = kind._name_with(attributes)
            if name:
                named = names[kind._scope]
                if name in named or name == WORLD:
                    self._check_name(element, name, named, source, parser)
                named[name] = element
            if kind._required:
                _check_required(kind, attributes, source, parser)

        return start

    def _goes_on(
        self,
        parent: Element,
        kind: type[Element],
        attributes: Attributes,
        source: Source,
        parser: XMLParserType,
    ) -> bool:
        """Returns whether the section was read before; if so, merges these attributes into it."""
        element = _existing(parent, kind)
        if element is None:
            return False
        if kind.tag == DEFAULT:  # models can have several <default>
            names = self._model.namescope.by_namespace
            names[kind._scope].pop(element._name or '', None)
            return False
        self._merge(element, attributes, source, parser)
        self._open.append(element)
        return True

    def _check_name(
        self,
        element: Element,
        name: str,
        named: Mapping[str, object],
        source: Source,
        parser: XMLParserType,
    ) -> None:
        other, reason = named.get(name, element), ''
        if other is not element:
            reason = f'{element._key} {name!r} is already used by {other}'
        elif name == WORLD and element.spec.namespace == 'body':
            reason = f"name must not be {WORLD!r}, MuJoCo's name for the worldbody"
        if reason:
            raise error_in(source, parser, element.tag, reason)

    def _mended(
        self, kind: type[Element], attributes: Attributes, source: Source, parser: XMLParserType
    ) -> Attributes:
        """Converts attributes from PyMJCF's spelling to MuJoCo's.

        Raises MjcfError for an unknown attribute, or if a value is invalid in both spellings.
        """
        unknown = [key for key in attributes if key not in kind._checks]
        if unknown and kind.tag in LENIENT:
            return self._known(kind, unknown, attributes, source, parser)
        if unknown:
            reason = kind._unknown_attribute(unknown[0])
            raise error_in(source, parser, kind.tag, reason, MjcfAttributeError)
        try:
            return {key: kind._attributes[key].mend(text) for key, text in attributes.items()}
        except ValueError as error:
            raise error_in(source, parser, kind.tag, error) from None

    def _known(
        self,
        kind: type[Element],
        ignored: list[str],
        attributes: Attributes,
        source: Source,
        parser: XMLParserType,
    ) -> Attributes:
        """Drops the attributes that MuJoCo ignores, with a warning."""
        self._ignored(f'{", ".join(ignored)} of <{kind.tag}>', source, parser)
        return {key: text for key, text in attributes.items() if key not in ignored}

    def _ignored(self, what: str, source: Source, parser: XMLParserType) -> None:
        place = f'{source.label}Line {parser.CurrentLineNumber}'
        warnings.warn(f'{place}: MuJoCo ignores {what}, and so does this package', stacklevel=2)

    def _merge(
        self, element: Element, attributes: Attributes, source: Source, parser: XMLParserType
    ) -> None:
        """Merges a repeated section into the existing section, like MuJoCo."""
        if element.spec.on_demand:
            raise error_in(source, parser, element.tag, 'can occur only once')
        name = element._key and attributes.get(element._key)
        if name:
            named = self._model.namescope.by_namespace[element._scope]
            self._check_name(element, name, named, source, parser)
            named.pop(element._name or '', None)
            named[name] = element
        go_on(type(element), element._values, attributes)
        source.merged.append((parser.CurrentByteIndex, element))

    def _other(
        self,
        parent: Element,
        tag: str,
        attributes: Attributes,
        source: Source,
        parser: XMLParserType,
    ) -> None:
        if parent is IGNORED or (parent is self._model and tag in IGNORED_IN_MODEL):
            if parent is not IGNORED:
                self._ignored(f'<{tag}> of <{parent.tag}>', source, parser)
            self._open.append(IGNORED)
            return
        if tag != INCLUDE or parent is IN_INCLUDE:
            raise error_in(source, parser, tag, parent._no_child(tag), MjcfKeyError)
        offset = parser.CurrentByteIndex
        included = self._files.open(attributes, source, parser)
        source.included.append((offset, included))
        self._files.nested += 1
        self._parse(included, self._begin_included)
        self._files.nested -= 1
        self._open.append(IN_INCLUDE)


def _ender(opened: list[Element], source: Source, parser: XMLParserType) -> Callable[[str], None]:
    def end(tag: str) -> None:
        element = opened.pop()
        if element._source is source:
            _put_stop(element, parser.CurrentByteIndex)
        else:
            source.stop = parser.CurrentByteIndex  # the last end tag is the included root's

    return end


def _existing(parent: Element, kind: type[Element]) -> Element | None:
    for child in parent._children:
        if type(child) is kind:
            return child
    return None


def _check_required(
    kind: type[Element], attributes: Attributes, source: Source, parser: XMLParserType
) -> None:
    for key in kind._required:
        if key not in attributes:
            reason = f'{key} is required'
            raise error_in(source, parser, kind.tag, reason, MjcfAttributeError)
