"""Zip files of models, which anybody may have made: they are checked before they are unpacked."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from io import BytesIO
from os import PathLike
from pathlib import Path
from posixpath import basename
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from ...errors import MjcfError

MAX_BYTES = 2**30
"""The most that an archive may have, and all its files when they are unpacked."""
MAX_FILES = 10_000

MODEL_FILE = 'model.xml'
_RECORD = b'PK\1\2'
"""What stands before each file in the archive's list; one that is too long is not even read."""
_OUTSIDE = re.compile(r'(.*[/\\])?\.\.([/\\]|$)|[/\\]|[a-zA-Z]:|$', re.DOTALL)
"""A name that is not one below a folder."""
_FOREIGN = '__MACOSX/'
"""The folder with what macOS knows of files, under names like theirs."""
_BROKEN = BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError, ValueError, zlib.error


def read_archive(path: Path) -> bytes:
    """Reads the archive itself; raises MjcfError if it is too large."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise MjcfError(f'{path} has {size:,} bytes; a zip file may have {MAX_BYTES:,}')
    return path.read_bytes()


def open_archive(content: bytes, name: object) -> ZipFile:
    """Opens a zip; raises MjcfError, which calls it by `name`, for what must not be read."""
    if content.count(_RECORD) > MAX_FILES:
        raise MjcfError(f'{name} has more than {MAX_FILES:,} files')
    try:
        archive = ZipFile(BytesIO(content))
    except _BROKEN as error:
        raise MjcfError(f'{name} is no zip file that can be read: {error}') from None
    files = archive.infolist()
    size = sum(file.file_size for file in files)
    if size > MAX_BYTES:
        raise MjcfError(f'{name} has {size:,} bytes unpacked; a zip file may have {MAX_BYTES:,}')
    for file in files:
        _check(file, name)
    return archive


def main_file(archive: ZipFile, wanted: Sequence[str], name: object) -> str:
    """The XML file that is the only one, or the first of these: each a path, or else a name.

    Raises MjcfError if there is none, or if several have that name.
    """
    files = (file for file in archive.namelist() if not file.startswith(_FOREIGN))
    names = [file for file in files if file.lower().endswith('.xml')]
    found = names if len(names) == 1 else _first(names, wanted)
    if len(found) != 1:
        known = ', '.join(names) or 'none'
        rule = ' or '.join(map(repr, wanted))
        raise MjcfError(f'{name} must have one XML file, or one {rule}; it has: {known}')
    return found[0]


def _first(names: list[str], wanted: Sequence[str]) -> list[str]:
    for each in wanted:
        found = [file for file in names if file == each]
        found = found or [file for file in names if basename(file) == each]
        if found:
            return found
    return []


def main_names(archive: str | PathLike[str]) -> tuple[str, str]:
    """What the model is called if nobody says it: as its zip, as exports do, or model.xml."""
    return f'{Path(archive).stem}.xml', MODEL_FILE


def unpack(archive: ZipFile, name: object) -> dict[str, bytes]:
    """What is in the files, by their paths; MjcfError for one that is broken."""
    from ...named_files import (  # most who import `mjcf` read no archive
        foreign_name_in,
        foreign_name_rule,
    )

    files = [file for file in archive.infolist() if not file.is_dir()]
    try:
        contents = {file.filename: archive.read(file) for file in files}
    except _BROKEN as error:
        raise MjcfError(f'{name} cannot be unpacked: {error}') from None
    for file, content in contents.items():
        if (named := foreign_name_in(content)) is not None:
            raise MjcfError(f'{name} has a file {file!r} that {foreign_name_rule(named)}')
    return contents


def _check(file: ZipInfo, name: object) -> None:
    if _OUTSIDE.match(file.filename):
        raise MjcfError(f'{name} has a file {file.filename!r}, which leads out of it')
    if file.flag_bits & 1:
        raise MjcfError(f'{name} has a file {file.filename!r} that is encrypted')
    if file.compress_type not in (ZIP_STORED, ZIP_DEFLATED):  # lzma takes memory as the file says
        raise MjcfError(f'{name} has a file {file.filename!r} that is not compressed by deflate')
