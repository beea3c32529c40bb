"""The text of the URDF that a model is read from, as it is given to plugins."""

from __future__ import annotations

import re
from pathlib import Path

from ...engine.resources import provides, read
from ...errors import MjcfError, ResourceError
from ...named_files import is_urdf
from .compilation import ModelSource, archive_of, is_compiled

_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?\bencoding=["']([\w.-]+)["']""")
"""The encoding that the declaration of an XML text names."""


def urdf_text(source: ModelSource) -> str:
    """Returns the text of a source that is a URDF, as it came; empty for any other source.

    The source has been compiled just before. What cannot be read any more is as no URDF.
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
    """Returns the content of the file of a source; empty without one."""
    if (archived := archive_of(source)) is not None:
        return _in_archive(*archived)
    if not source.path:
        return b''
    return read(source.path) if provides(source.path) else Path(source.path).read_bytes()


def _in_archive(name: str, file: str | None) -> bytes:
    # Imported when it is needed: all of MJCF comes along.
    from ...mjcf.files.archives import main_file, main_names, open_archive, read_archive

    archive = open_archive(read(name) if provides(name) else read_archive(Path(name)), name)
    return archive.read(file or main_file(archive, main_names(name), name))


def _decoded(content: bytes) -> str:
    """Returns the characters of a text, by the encoding that it declares if it is not UTF-8."""
    declared = _ENCODING.match(content)
    for encoding in ('utf-8-sig', declared[1].decode() if declared else 'latin-1'):
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return content.decode('latin-1')
