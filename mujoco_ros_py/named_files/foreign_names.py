"""Checks the file names in a model from outside: in an archive, in a URI, from a host."""

from __future__ import annotations

import re

from .naming_attributes import naming

ALLOWED = 'data', 'package', 'http', 'https'
"""The schemes that such a model may use besides the files that come with it."""

_SCHEME = re.compile(r'([a-zA-Z][a-zA-Z0-9+.-]*):')
_INTO_ARCHIVE = re.compile(r'!(/|$)')


def foreign_name_in(content: bytes) -> str | None:
    """Returns a forbidden file or folder name in an XML text, or None.

    Absolute paths, archives and schemes that are not `ALLOWED` are forbidden. Relative paths are
    left to the provider of the text, as they lead to where the text is from. Text that is not XML
    names no files.
    """
    return next((name for _, _, name in naming(content) if _is_foreign(name)), None)


def foreign_name_rule(name: str) -> str:
    """Returns the rule that a name breaks, in words."""
    schemes = ', '.join(f'{scheme}:' for scheme in ALLOWED)
    return f'names {name[:200]!r}; it may name only files that come with it, and {schemes} URIs'


def _is_foreign(name: str) -> bool:
    path = name.strip().replace('\\', '/')
    scheme = _SCHEME.match(path)
    if scheme is not None:
        return scheme[1].lower() not in ALLOWED
    return path.startswith('/') or _INTO_ARCHIVE.search(path) is not None
