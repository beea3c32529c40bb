"""Reads URDF from text and files."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from posixpath import dirname
from typing import TYPE_CHECKING
from xml.parsers import expat

from ..engine.resources import local_path, provides, read
from ..errors import MjcfError
from ..mjcf.sources.parsing import parse
from ..mjcf.sources.source import Source
from .conversion import UrdfModel, converted
from .files import RobotFiles
from .tag import Tag, error_at

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

_ROOT = 'robot'
_XACRO = 'xacro'
_DEEPEST = 200


def read_urdf(
    text: str | bytes,
    *,
    floating: bool = False,
    folder: str = '',
    assets: Mapping[str, bytes] | None = None,
    origin: str = '',
) -> UrdfModel:
    """Converts a URDF to a model; also returns a list of the unsupported parts.

    The root link is fixed to the world, or moves freely if `floating` is true. Files are looked up
    by name first in `assets`, then in `folder`, which is a path or a URI; `package://` names are
    resolved as in the server's parameter `modelfile`. Errors mention `origin` as the file name.
    Raises UrdfError, with line and element, if the URDF is invalid.
    """
    root = _parsed(text, origin)
    return converted(root, RobotFiles(folder, dict(assets or {})), floating)


def read_urdf_file(path: str | PathLike[str], *, floating: bool = False) -> UrdfModel:
    """Converts the URDF at a path or a URI to a model, like `read_urdf`.

    Raises UrdfError if the URDF is invalid, OSError if the file cannot be read, ConfigError for an
    unknown package, and ResourceError if a URI cannot be read.
    """
    name = fspath(path)
    if provides(name) and not name.startswith('package://'):
        content, folder = read(name), dirname(name)
    else:
        place = local_path(name)
        content, folder = place.read_bytes(), str(place.parent)
    return read_urdf(content, floating=floating, folder=folder, origin=name)


def _parsed(content: str | bytes, path: str = '') -> Tag:
    """Returns the root element of a URDF; errors mention the file `path`.

    Raises UrdfError for text that is not well-formed, has entities, is not URDF, or still needs
    xacro.
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
    if root.name != _ROOT:
        raise root.error(f'the first element must be <{_ROOT}>, got <{root.name}>')
    return root


class _Reader:
    """Adds the elements that a parser reads to `top`."""

    def __init__(self, top: Tag, parser: XMLParserType) -> None:
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
