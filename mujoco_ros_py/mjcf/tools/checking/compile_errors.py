"""Collects MuJoCo's errors and warnings about a model, with file and line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from posixpath import normpath
from typing import Any, NamedTuple
from xml.parsers import expat

from ....errors import IsolationError, MjcfError
from ....processes import Limits, Worker
from ...compose.root import RootElement
from ...files.assets import slashes
from ...sources.parsing import error_at
from ...sources.source import Source

_LINE = re.compile(r',? *line (?:number=)?(\d+)', re.IGNORECASE)
_TOLD = re.compile("Element (?:name )?'([^']+)'")
_worker = Worker(f'{__package__}.compile_trial:carry_out')
_QUOTED = re.compile("'([^']+)'")
_KIND = re.compile(r'(?:XML )?Error: ')


class _Tag(NamedTuple):
    """A start tag with its source, line and names."""

    source: Source
    line: int
    tag: str
    name: str | None


def compile_errors(model: RootElement) -> tuple[list[MjcfError], list[MjcfError]]:
    """Returns MuJoCo's errors and warnings for an unedited model that was read from text.

    MuJoCo does not report lines of included files, so the model is passed as one text.
    """
    whole = model.to_source()
    refusals, warnings = _compiled(whole, model.model_dir, model.assets)
    errors = [_told(each, *_place(model, whole, each)) for each in refusals]
    return errors, [_told(each, None, None) for each in warnings]


def _told(text: str, source: Source | None, line: int | None) -> MjcfError:
    reason = '; '.join(_LINE.sub('', _KIND.sub('', text, count=1)).strip().splitlines())
    if source is not None and line is not None:
        return error_at(source, line, reason)
    error = MjcfError(reason)
    error.reason = reason
    return error


def prepare() -> None:
    """Starts the compiler process early, so that the first model does not wait for the start."""
    with suppress(IsolationError):  # the compilation will report the error
        _worker.start()


def _compiled(xml: str, folder: str, assets: dict[str, bytes]) -> tuple[list[str], list[str]]:
    """Returns MuJoCo's error for the model, if any, and its warnings."""
    request = {'folder': os.path.abspath(folder), 'assets': list(assets)}
    files = [xml.encode(errors='surrogateescape'), *assets.values()]
    try:
        answer = _worker.ask(request, files, limits=Limits())
    except IsolationError as error:
        return [f'MuJoCo cannot compile the model: {error}'], []
    return answer['refusals'], answer['warnings']


def _place(model: RootElement, whole: str, text: str) -> tuple[Source | None, int | None]:
    """Converts the line in a message about the whole text to a location in the sources."""
    found = _LINE.search(text)
    if found is None:
        return _place_of_file(model, text)
    number = int(found[1])
    one_piece = Source(whole.encode(), encoding='utf-8')
    source: Any = model._source
    if source.parsed is not source.content:
        one_piece.tolerate()
    pairs = zip(_tags(one_piece), _tags(model._source), strict=False)
    there = [real for its_own, real in pairs if its_own.line == number]
    told = {match[1] for match in _TOLD.finditer(text)}
    meant = [tag for tag in there if told & {tag.tag, tag.name}] or there
    return (meant[0].source, meant[0].line) if meant else (None, None)


def _place_of_file(model: RootElement, text: str) -> tuple[Source | None, int | None]:
    """Returns the location of the first element with a file that the message mentions."""
    told = [normpath(slashes(found[1])) for found in _QUOTED.finditer(text)]
    for element in model.walk():
        for file in element._files:
            asset = file.__get__(element)
            path = normpath(asset.path) if asset is not None and asset.path else '//'
            named = any(each == path or each.endswith(f'/{path}') for each in told)
            if named and element._source is not None:
                return element._source, element._source.line(element._start)
    return None, None


def _tags(source: Any) -> Iterator[_Tag]:
    """Yields all tags in document order, with included files in place."""
    included = dict(source.included)
    for offset, tag in _own_tags(source):
        if offset in included:
            _, *inside = _tags(included[offset])
            yield from inside
        else:
            yield tag


def _own_tags(source: Source) -> list[tuple[int, _Tag]]:
    found: list[tuple[int, _Tag]] = []
    parser = expat.ParserCreate(source.encoding)

    def note(tag: str, attributes: dict[str, str]) -> None:
        place = _Tag(source, parser.CurrentLineNumber, tag, attributes.get('name'))
        found.append((parser.CurrentByteIndex, place))

    parser.StartElementHandler = note
    parser.Parse(source.parsed, True)
    return found
