"""Finds the files that models refer to, and forbidden file names; recognizes URDF.

Nothing here imports MuJoCo or ROS.
"""

from __future__ import annotations

import html
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from os.path import basename, dirname, join
from pathlib import Path
from typing import Any
from xml.parsers import expat

_NAMING = re.compile(r'file\w*|\w*dir')
_WRITTEN = re.compile(rf'\b({_NAMING.pattern})\s*=\s*(?=("[^"]*"|\'[^\']*\'))'.encode())
_DECLARED = re.compile(rb'<!(?!--|\[CDATA\[)')
"""Matches declarations such as <!DOCTYPE>. MuJoCo parses them as tags, so MuJoCo and expat may
find different elements."""
_MODELS = 'include', 'model', ''
"""The elements whose files are models, which can refer to more files; '' is an unknown element."""
_DEEPEST = 100
_MAX_BYTES = 32 * 2**20
"""The maximum size of a model's text in bytes."""

_MODEL_ROOTS = b'mujoco', b'mujocoinclude', b'robot'
_NOT_A_TAG = re.compile(rb'<!--.*?-->|<\?.*?\?>|<!.*?>', re.DOTALL)
_TAG = re.compile(rb'<\s*([^\s<>/]+)')

_ALLOWED = 'data', 'package', 'http', 'https'
"""The schemes that a model from an archive or a URI may use, besides files that come with it."""
_SCHEME = re.compile(r'([a-zA-Z][a-zA-Z0-9+.-]*):')
_INTO_ARCHIVE = re.compile(r'!(/|$)')

_BEFORE_ROOT = re.compile(rb'[^<]*(<!--|<\?|<!)')
"""Matches the beginning of a comment, an instruction or a declaration before the root element."""
_END = {b'<!--': b'-->', b'<?': b'?>', b'<!': b'>'}
_URDF_ROOT = re.compile(rb'[^<]*<robot[\s/>]')

_Attribute = tuple[str, str, str]
"""An element, an attribute and its value."""
_NamedFile = tuple[str, bytes | None]
"""A path, and the content of the file if it may be the text of a model."""


def special_file_named_in(content: bytes, folder: str) -> str | None:
    """Returns a message about the first FIFO, device or socket that a model refers to, or None.

    Included files are searched too. `folder` is the folder of the file. Missing files, and
    references after an ill-formed part of the XML, are skipped: MuJoCo itself reports these.
    """
    paths = (path for path, _ in _reachable_files(content, folder, guess=False))
    return next(filter(None, map(special_file_at, paths)), None)


def special_file_at(path: str) -> str | None:
    """Returns a message if the path is a FIFO, a device or a socket, or None."""
    kind = _kind(path)
    return f'{path[:200]!r} is {kind}, not a file' if kind else None


def _kind(path: str) -> str:
    """Returns the kind of a special file; empty for any other path."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):  # missing, or not a valid file name
        return ''
    if stat.S_ISFIFO(mode):
        return 'a FIFO'
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return 'a device'
    return 'a socket' if stat.S_ISSOCK(mode) else ''


def other_xml_named_in(content: bytes, folder: str) -> str | None:
    """Returns the path of the first included or attached XML file that is not a model, or None.

    `folder` is the folder of the text. Callers refuse the file, because MuJoCo's error about it
    would show its content.
    """
    for path, text in _reachable_files(content, folder, guess=True):
        root = _TAG.search(_NOT_A_TAG.sub(b'', text)) if text else None
        if root is not None and root[1] not in _MODEL_ROOTS:
            return path
    return None


def foreign_name_in(content: bytes) -> str | None:
    """Returns a forbidden file or folder name in an XML text, or None.

    Absolute paths, archives and schemes that are not `_ALLOWED` are forbidden. Relative paths are
    left to the resource provider of the XML, because they are relative to the XML's location. Text
    that is not XML refers to no files.
    """
    return next((name for _, _, name in _naming(content) if _is_foreign(name)), None)


def foreign_name_rule(name: str) -> str:
    """Describes the rule that a name breaks."""
    schemes = ', '.join(f'{scheme}:' for scheme in _ALLOWED)
    return f'names {name[:200]!r}; it may name only files that come with it, and {schemes} URIs'


def _is_foreign(name: str) -> bool:
    path = name.strip().replace('\\', '/')
    scheme = _SCHEME.match(path)
    if scheme is not None:
        return scheme[1].lower() not in _ALLOWED
    return path.startswith('/') or _INTO_ARCHIVE.search(path) is not None


def is_urdf(content: bytes) -> bool:
    """Returns whether a text has the root element of a URDF."""
    place = 0
    while (found := _BEFORE_ROOT.match(content, place)) is not None:
        end = content.find(_END[found[1]], found.end())
        if end < 0:
            return False
        place = end
    return _URDF_ROOT.match(content, place) is not None


def _reachable_files(content: bytes, folder: str, *, guess: bool) -> Iterator[_NamedFile]:
    """Yields the files that a model refers to, in all folders where MuJoCo might look for them.

    Yielding all candidates avoids duplicating MuJoCo's rules here. `folder` is the folder of the
    model. With `guess`, references in ill-formed XML are included.
    """
    return _paths(content, (folder,), set(), 0, guess)


def _paths(
    content: bytes, folders: tuple[str, ...], passed: set[str], depth: int, guess: bool
) -> Iterator[_NamedFile]:
    attributes = [
        (tag, key, value.replace('\\', '/'))
        for tag, key, value in _naming(content)
        if tag or guess
    ]
    below = {'', *(value for _, key, value in attributes if key.endswith('dir'))}
    for tag, key, value in attributes:
        if not key.startswith('file') or not value:
            continue
        names = {value, basename(value)}  # MuJoCo uses the base name with `strippath`
        is_model = tag in _MODELS
        for path in {join(f, b, n) for f in folders for b in below for n in names}:
            if path in passed:
                continue
            passed.add(path)
            text = _text(path) if is_model else None
            yield path, text
            if text is not None and depth < _DEEPEST:
                yield from _paths(text, (*folders, dirname(path)), passed, depth + 1, guess)


def _text(path: str) -> bytes:
    """Returns the content of a regular file; empty for special and empty (/proc) files."""
    with suppress(OSError, ValueError):
        status = Path(path).stat()
        if stat.S_ISREG(status.st_mode) and status.st_size > 0:
            with Path(path).open('rb') as file:
                return file.read(_MAX_BYTES)
    return b''


def _naming(content: bytes) -> list[_Attribute]:
    """Returns all attributes that refer to files or folders.

    For ill-formed XML, returns everything that looks like such an attribute, without elements.
    MuJoCo reads XML as UTF-8 up to the first zero byte, regardless of the declared encoding.
    """
    text = content.partition(b'\0')[0]
    if b'<' not in text:
        return []
    found: list[_Attribute] = []

    def note(tag: str, attributes: dict[str, Any]) -> None:
        found.extend(
            (tag, key, value) for key, value in attributes.items() if _NAMING.fullmatch(key)
        )

    parser = expat.ParserCreate('utf-8')
    parser.StartElementHandler = note
    try:
        parser.Parse(text, True)
    except expat.ExpatError:
        return [*found, *_looking_so(text)]
    return [*found, *_looking_so(text)] if _DECLARED.search(text) else found


def _looking_so(text: bytes) -> Iterator[_Attribute]:
    for match in _WRITTEN.finditer(text):
        value = html.unescape(match[2][1:-1].decode(errors='replace'))
        yield '', match[1].decode(), value
