"""What files a model may name that comes from outside: in an archive, in a URI, from a host."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from xml.parsers import expat

ALLOWED = 'data', 'package', 'http', 'https'
"""Schemes that such a model may name beside the files that come with it."""

_ATTRIBUTE = r'(?:file\w*|\w*dir)'
_WRITTEN = re.compile(rf'\b{_ATTRIBUTE}\s*=\s*("[^"]*"|\'[^\']*\')'.encode())
_SCHEME = re.compile(r'([a-zA-Z][a-zA-Z0-9+.-]*):')
_INTO_ARCHIVE = re.compile(r'!(/|$)')


def foreign_name(content: bytes) -> str | None:
    """A file or folder that a text of XML names and must not; None for none, or for no XML.

    It must not name an absolute path, an archive, or a scheme that is not `ALLOWED`. Relative
    paths are left to what serves the text itself: they lead to where it is from.
    """
    return next((name for name in _names(content) if _is_foreign(name)), None)


def rule(name: str) -> str:
    """Why a model must not name it."""
    schemes = ', '.join(f'{scheme}:' for scheme in ALLOWED)
    return f'names {name[:200]!r}; it may name only files that come with it, and {schemes} URIs'


def _is_foreign(name: str) -> bool:
    path = name.strip().replace('\\', '/')
    scheme = _SCHEME.match(path)
    if scheme is not None:
        return scheme[1].lower() not in ALLOWED
    return path.startswith('/') or _INTO_ARCHIVE.search(path) is not None


def _names(content: bytes) -> Iterator[str]:
    """Of files and folders; where it is no clean XML, of what looks like it.

    MuJoCo reads any text as UTF-8, whatever it says of itself, and no further than a zero byte.
    """
    text = content.partition(b'\0')[0]
    if b'<' not in text:
        return
    found: list[str] = []
    parser = expat.ParserCreate('utf-8')
    parser.StartElementHandler = lambda _, given: found.extend(
        value for key, value in given.items() if re.fullmatch(_ATTRIBUTE, key)
    )
    try:
        parser.Parse(text, True)
        yield from found
    except expat.ExpatError:
        for match in _WRITTEN.finditer(text):
            yield html.unescape(match[1][1:-1].decode(errors='replace'))
