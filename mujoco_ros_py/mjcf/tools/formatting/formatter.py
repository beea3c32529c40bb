"""Formats the text of an MJCF file."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from ....errors import MjcfError
from ...sources.parsing import error_at, parse
from ...sources.source import Source
from .lines import laid_out
from .tokens import tokens

Event = tuple[str, Any]


def formatted(content: bytes) -> bytes:
    """Formats the content of a file. Formatting the result again changes nothing.

    Each element starts a line, indented by two spaces per level. A tag of more than 100 columns
    continues on the next line. Comments, single empty lines, the order of attributes and the
    encoding stay; numbers are written with the fewest digits. Raises MjcfError for text that is
    not well-formed or not MJCF. Files meant for inclusion are MJCF too.
    """
    source = Source(content)
    before = _events(source)
    root = next(of[0] for kind, of in before if kind == 'start')
    if not root.startswith('mujoco'):
        raise error_at(source, 1, f'the first element must be <mujoco>, got <{root}>')
    text = source.text.decoded(0, len(content)).replace('\r\n', '\n').replace('\r', '\n')
    mark = '\ufeff' if text.startswith('\ufeff') else ''
    new = mark + laid_out(list(tokens(text.removeprefix(mark))))
    result = new.replace('\n', source.text.newline).encode(source.text.encoding)
    if _events(Source(result)) != before:
        raise MjcfError('formatting would change the meaning of the file')
    return result


def _events(source: Source) -> list[Event]:
    """Returns the content of the text without its layout."""
    found: list[Event] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda tag, attributes: found.append(
        ('start', (tag, [(key, _value(text)) for key, text in attributes.items()]))
    )
    parser.EndElementHandler = lambda tag: found.append(('end', tag))
    parser.CommentHandler = lambda text: found.append(('comment', text.split()))
    parser.ProcessingInstructionHandler = lambda *of: found.append(('instruction', of))
    parser.CharacterDataHandler = lambda text: found.extend(_words(text))
    parse(source, parser)
    return found


def _words(text: str) -> list[Event]:
    return [('text', word) for word in text.split()]


def _value(text: str) -> Any:
    """Returns numbers as a tuple, and other values unchanged."""
    try:
        return tuple(map(float, text.split())) if 'n' not in text.lower() else text
    except ValueError:
        return text
