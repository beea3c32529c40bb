"""Makes elements of the text of a URDF. Entities are refused, as they are in MJCF."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from ..errors import MjcfError
from ..mjcf.sources.parsing import parse
from ..mjcf.sources.source import Source
from .tag import Tag, error_at

ROOT = 'robot'
_XACRO = 'xacro'
_DEEPEST = 200


def parsed(content: str | bytes, path: str = '') -> Tag:
    """Returns the root element of a URDF, whose errors name the file `path`.

    Raises UrdfError for a text that is not well-formed, has entities, is no URDF, or has to go
    through xacro first.
    """
    if isinstance(content, str):
        source = Source(content.encode(errors='surrogatepass'), encoding='utf-8')
    elif isinstance(content, bytes | bytearray | memoryview):
        source = Source(bytes(content))
    else:
        raise TypeError(f'a URDF must be text or bytes, got {type(content).__name__}')
    parser = expat.ParserCreate(source.encoding)
    top = Tag('', {}, 1, path)
    _Reader(top, parser)
    try:
        parse(source, parser)
    except MjcfError as error:
        raise error_at(path, error.line or 1, error.reason) from None
    (root,) = top.children
    if root.name != ROOT:
        raise root.error(f'the first element must be <{ROOT}>, got <{root.name}>')
    return root


class _Reader:
    """Adds the elements that a parser reads to a first one."""

    def __init__(self, top: Tag, parser: Any) -> None:
        self._open = [top]
        self._parser = parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        above = self._open[-1]
        tag = Tag(name, attributes, self._parser.CurrentLineNumber, above.path)
        if name.partition(':')[0] == _XACRO:
            reason = 'xacro is not evaluated: run `xacro FILE > robot.urdf` first'
            raise error_at(tag.path, tag.line, f'error while parsing element <{name}>: {reason}')
        if len(self._open) > _DEEPEST:
            raise tag.error(f'nested more than {_DEEPEST} elements deep')
        above.children.append(tag)
        self._open.append(tag)

    def _end(self, name: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        self._open[-1].text += text
