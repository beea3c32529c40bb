"""Applies edits to sources as bytes, and leaves everything else as it was."""

from __future__ import annotations

import re
from collections.abc import Callable

from .additions import Edit
from .encoded_text import decoded
from .source import Source
from .tags import end_tag, stop_of, tag_at

_PROLOG = re.compile(rb'(?:[^<]*<\?.*?\?>)+', re.DOTALL)
"""Matches the declaration and instructions, such as those for editors, which MuJoCo allows only at
the beginning."""
_BLANK = '\ufeff \t\r\n'


def patched(source: Source, edits: list[Edit], included: Callable[[Source], str | None]) -> bytes:
    """Applies edits, except those inside a part that another edit replaces.

    `included` returns the text to write in place of an include, or None to keep the include.
    """
    content, text = source.content, source.text
    pieces, done = [], 0
    for start, stop, new in sorted(edits, key=_order):
        if stop < done or (start < done and stop == done):
            continue
        if isinstance(new, Source):
            there = included(new)
            if there is None:
                continue
            new = there
        pieces.append(content[done * text.width : max(start, done) * text.width])
        pieces.append(new.encode(text.encoding, 'xmlcharrefreplace'))
        done = stop
    pieces.append(content[done * text.width :])
    return b''.join(pieces)


def _order(edit: Edit) -> tuple[int, bool, int]:
    """Returns the sort key of an edit: by start, then insertions first, then longest first."""
    start, stop, _ = edit
    return start, stop > start, -stop


def spliced(source: Source, all_edits: dict[Source, list[Edit]]) -> bytes:
    """Returns the edited source, with the included sources in place of the includes."""

    def inside(included: Source) -> str:
        edits = {**all_edits, included: [*all_edits[included], *_wrapping(included)]}
        text = decoded(spliced(included, edits), included.text.encoding).strip(_BLANK)
        return text.replace('\r\n', '\n').replace('\n', source.text.newline)

    return patched(source, all_edits[source], inside)


def _wrapping(source: Source) -> list[Edit]:
    """Removes the tags of the root, and what is only allowed at the beginning of a file."""
    text = source.text
    start, stop = source.start // text.width, source.stop // text.width
    tags = [(start, tag_at(text, start).stop), (stop, stop_of(text, start, stop))]
    if source.parsed is not source.content:  # text outside of the root is allowed
        tags = [(0, tags[0][1]), (stop, len(text.ascii))]
    found: list[Edit] = [(*text.span(*tag), '') for tag in tags]
    prolog = _PROLOG.match(text.ascii)
    return [*found, (0, prolog.end(), '')] if prolog else found


def kept(source: Source, all_edits: dict[Source, list[Edit]]) -> dict[Source, bytes]:
    """Returns the source and all sources that it still includes, each in its edited form."""
    files: dict[Source, bytes] = {}

    def inside(included: Source) -> str | None:
        below = kept(included, all_edits)
        if below[included] != included.content and _is_empty(below[included], included):
            return ''  # MuJoCo refuses to include an empty file
        files.update(below)
        return None

    files[source] = patched(source, all_edits[source], inside)
    return files


def _is_empty(content: bytes, source: Source) -> bool:
    text = Source(content, encoding=source.text.encoding).text
    return end_tag(text, tag_at(text, source.start // text.width)) is not None
