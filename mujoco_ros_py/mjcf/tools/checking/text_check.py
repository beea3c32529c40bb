"""Checks an MJCF text: syntax, references, and compilation with MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from os.path import abspath
from xml.parsers import expat

from ....errors import MjcfError
from ....named_files import special_file_named_in
from ...attributes.references import MAIN, Reference, References
from ...compose.root import RootElement
from ...files.circles import refuse_circle
from ...read.placeholders import INCLUDE
from ...schema.namespaces import is_namespace
from ...sources.parsing import IllFormedError, error_at
from ...sources.source import Source
from ...tree.element import Element
from .compile_errors import compile_errors, prepare
from .fault_reader import FaultReader

_WHOLE = 'mujoco'
"""The root tag of a whole model. A file with the root mujocoinclude is a partial model and cannot
be compiled."""
_Kind = type[Element]
_MANY = 10
"""The maximum number of names listed in an error."""
_MAKERS = 'attach', 'composite', 'flexcomp', 'replicate'


def check(
    content: bytes, folder: str, assets: Mapping[str, bytes], *, compiled: bool
) -> tuple[list[MjcfError], list[MjcfError]]:
    """Returns the errors and warnings for a text. Files are in `assets` or in the folder."""
    if (told := special_file_named_in(content, folder)) is not None:
        error = MjcfError(told)
        error.reason = told
        return [error], []
    if compiled:
        prepare()
    model, source, reader = _checked(content, folder, assets, tolerant=False)
    unread = [each for each in reader.errors if isinstance(each, IllFormedError)]
    if unread:
        model, source, reader = _checked(content, folder, assets, tolerant=True)
        if not any(isinstance(each, IllFormedError) for each in reader.errors):
            reader.ignored[:0] = unread
    begun = model._source is not None
    if begun and source.text.name(source.start // source.text.width) != _WHOLE:
        return _best(content, folder, assets, tolerant=bool(unread))
    errors, warnings = reader.errors, reader.ignored
    if errors:
        return errors, warnings
    try:
        refuse_circle(content, '', model.read_file)
    except MjcfError as error:
        error.reason = str(error)
        return [error], warnings
    if compiled:
        errors, more = compile_errors(model)
        warnings = [*warnings, *more]
    if errors or not compiled:  # MuJoCo may create the missing names
        found = [] if _makes_names(model) else list(dangling(model))
        places = {(each.path, each.line) for each in found}
        errors = found + [each for each in errors if (each.path, each.line) not in places]
    return errors, warnings


def _best(
    content: bytes, folder: str, assets: Mapping[str, bytes], *, tolerant: bool
) -> tuple[list[MjcfError], list[MjcfError]]:
    """Reads a partial model inside each element that can contain it; returns the fewest errors."""
    kinds = _containers(Source(content)) or [RootElement]
    tried = (_checked(content, folder, assets, tolerant=tolerant, kind=kind) for kind in kinds)
    readers = [reader for _, _, reader in tried]
    best = min(readers, key=lambda reader: len(reader.errors))
    return best.errors, best.ignored


def _checked(
    content: bytes,
    folder: str,
    assets: Mapping[str, bytes],
    *,
    tolerant: bool,
    kind: type[Element] = RootElement,
) -> tuple[RootElement, Source, FaultReader]:
    # a server loads a model by its absolute path, and MuJoCo compares includes by path
    model, source = RootElement(model_dir=abspath(folder), assets=dict(assets)), Source(content)
    reader = FaultReader(model, tolerant=tolerant)
    reader.check_within(kind, source)
    return model, source, reader


def _containers(source: Source) -> list[_Kind]:
    """Returns the elements that can contain all children of the root, <mujoco> first."""
    tags = _tags(source) - {INCLUDE}
    return [kind for kind in _kinds() if tags <= kind._types.keys()]


@cache
def _kinds() -> list[_Kind]:
    """Returns the classes of elements with children, one for each set of allowed children."""
    found: dict[tuple[_Kind, ...], _Kind] = {}
    for kind in _below(RootElement, set()):
        found.setdefault(tuple(kind._types.values()), kind)
    return list(found.values())


def _below(kind: _Kind, seen: set[_Kind]) -> Iterator[_Kind]:
    if kind not in seen and kind._types:
        seen.add(kind)
        yield kind
        for child in kind._types.values():
            yield from _below(child, seen)


def _tags(source: Source) -> set[str]:
    """Returns the tags of the root's children, up to the first syntax error."""
    opened: list[str] = []
    found: set[str] = set()

    def start(tag: str, attributes: object) -> None:
        if len(opened) == 1:
            found.add(tag)
        opened.append(tag)

    def end(tag: str) -> None:
        opened.pop()

    parser = expat.ParserCreate(source.encoding)
    parser.StartElementHandler, parser.EndElementHandler = start, end
    with suppress(expat.ExpatError, LookupError, ValueError):  # reported when the file is read
        parser.Parse(source.parsed, True)
    return found


def dangling(model: RootElement) -> Iterator[MjcfError]:
    """Yields errors for references to missing elements; compilation can create some of them."""
    for element in model.walk():
        for reference in element._references:
            kept = element._values.get(reference.key)
            if isinstance(kept, str) and isinstance(reference, Reference):
                for name in kept.split() if isinstance(reference, References) else [kept]:
                    if not _names_something(element, reference, name):
                        yield _dangling(element, reference, name)


def _makes_names(model: RootElement) -> bool:
    """Returns whether the compilation creates further named elements."""
    return any(element.tag in _MAKERS for element in model.walk())


def _names_something(element: Element, reference: Reference, name: str) -> bool:
    namespace = reference.namespace(element)
    if not is_namespace(namespace) or (namespace == 'default' and name == MAIN):
        return True  # MuJoCo reports unknown types
    return element.root.find(namespace, name) is not None


def _dangling(element: Element, reference: Reference, name: str) -> MjcfError:
    kind = reference.namespace(element)
    known = sorted(filter(None, (each._name for each in element.root.find_all(kind))))
    more = ', ...' if len(known) > _MANY else ''
    told = f'{", ".join(known[:_MANY]) or "none"}{more}'
    reason = f'<{element.tag}>: {reference.key} must name a {kind}, got {name!r}; known: {told}'
    source = element._source
    assert source is not None  # the element was read from text
    return error_at(source, source.line(element._start), reason)
