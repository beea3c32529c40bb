"""The URDF text of a model's source, for plugins."""

from __future__ import annotations

import re
from pathlib import Path

from ...engine.resources import provides, read
from ...errors import MjcfError, ResourceError
from ...named_files import is_urdf
from .compilation import ModelSource, archive_of, is_compiled

_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?\bencoding=["']([\w.-]+)["']""")
"""Matches the encoding in the declaration of an XML text."""


def urdf_text(source: ModelSource) -> str:
    """Returns the unchanged text of a URDF source; empty for all other sources.

    Call this after the source was compiled. Also returns an empty text if the source can no longer
    be read.
    """
    if source.made is not None or is_compiled(source):
        return ''
    if source.xml:
        content = source.xml.encode(errors='surrogateescape')
    else:
        try:
            content = _content(source)
        except (OSError, ValueError, KeyError, MjcfError, ResourceError):
            return ''
    return _decoded(content) if is_urdf(content) else ''


def _content(source: ModelSource) -> bytes:
    """Returns the content of a source's file; empty for a source without a file."""
    if (archived := archive_of(source)) is not None:
        return _in_archive(*archived)
    if not source.path:
        return b''
    return read(source.path) if provides(source.path) else Path(source.path).read_bytes()


def _in_archive(name: str, file: str | None) -> bytes:
    # Imported only when needed, because it imports all of MJCF.
    from ...mjcf.files.archives import main_file, main_names, open_archive, read_archive

    archive = open_archive(read(name) if provides(name) else read_archive(Path(name)), name)
    return archive.read(file or main_file(archive, main_names(name), name))


def _decoded(content: bytes) -> str:
    """Decodes a text as UTF-8, or else with the encoding that it declares."""
    declared = _ENCODING.match(content)
    for encoding in ('utf-8-sig', declared[1].decode() if declared else 'latin-1'):
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return content.decode('latin-1')
