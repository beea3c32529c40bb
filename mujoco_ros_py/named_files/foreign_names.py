"""What files a model may name that comes from outside: in an archive, in a URI, from a host."""

from __future__ import annotations

import re

from .naming_attributes import naming

ALLOWED = 'data', 'package', 'http', 'https'
"""Schemes that such a model may name beside the files that come with it."""

_SCHEME = re.compile(r'([a-zA-Z][a-zA-Z0-9+.-]*):')
_INTO_ARCHIVE = re.compile(r'!(/|$)')


def foreign_name_in(content: bytes) -> str | None:
    """A file or folder that a text of XML names and must not; None for none, or for no XML.

    It must not name an absolute path, an archive, or a scheme that is not `ALLOWED`. Relative
    paths are left to what serves the text itself: they lead to where it is from.
    """
    return next((name for _, _, name in naming(content) if _is_foreign(name)), None)


def foreign_name_rule(name: str) -> str:
    """Why a model must not name it."""
    schemes = ', '.join(f'{scheme}:' for scheme in ALLOWED)
    return f'names {name[:200]!r}; it may name only files that come with it, and {schemes} URIs'


def _is_foreign(name: str) -> bool:
    path = name.strip().replace('\\', '/')
    scheme = _SCHEME.match(path)
    if scheme is not None:
        return scheme[1].lower() not in ALLOWED
    return path.startswith('/') or _INTO_ARCHIVE.search(path) is not None
