"""Reads zip files of models, which are untrusted and therefore checked before unpacking."""

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
"""The maximum size in bytes of an archive, and of all its unpacked files together."""
MAX_FILES = 10_000

MODEL_FILE = 'model.xml'
_RECORD = b'PK\1\2'
"""The signature of each entry in the archive's directory. Counting signatures bounds the number of
files before anything is parsed."""
_OUTSIDE = re.compile(r'(.*[/\\])?\.\.([/\\]|$)|[/\\]|[a-zA-Z]:|$', re.DOTALL)
"""Matches names that lead out of the archive's folder."""
_FOREIGN = '__MACOSX/'
"""The folder for macOS metadata, whose files have the names of the real files."""
_BROKEN = BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError, ValueError, zlib.error


def read_archive(path: Path) -> bytes:
    """Reads the bytes of an archive. Raises MjcfError if it is too large."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise MjcfError(f'{path} has {size:,} bytes; a zip file can have at most {MAX_BYTES:,}')
    return path.read_bytes()


def open_archive(content: bytes, name: object) -> ZipFile:
    """Opens a zip file. Raises MjcfError, with `name`, if the file is unsafe or damaged."""
    if content.count(_RECORD) > MAX_FILES:
        raise MjcfError(f'{name} has more than {MAX_FILES:,} files')
    try:
        archive = ZipFile(BytesIO(content))
    except _BROKEN as error:
        raise MjcfError(f'{name} is not a readable zip file: {error}') from None
    files = archive.infolist()
    size = sum(file.file_size for file in files)
    if size > MAX_BYTES:
        raise MjcfError(
            f'{name} has {size:,} bytes unpacked; a zip file can have at most {MAX_BYTES:,}'
        )
    for file in files:
        _check(file, name)
    return archive


def main_file(archive: ZipFile, wanted: Sequence[str], name: object) -> str:
    """Returns the only XML file, or the first with one of the wanted names or paths.

    Raises MjcfError if no file matches, or if several files have the name.
    """
    files = (file for file in archive.namelist() if not file.startswith(_FOREIGN))
    names = [file for file in files if file.lower().endswith('.xml')]
    found = names if len(names) == 1 else _first(names, wanted)
    if len(found) != 1:
        known = ', '.join(names) or 'none'
        rule = ' or '.join(map(repr, wanted))
        raise MjcfError(f'{name} must have a single XML file, or a file {rule}; it has: {known}')
    return found[0]


def _first(names: list[str], wanted: Sequence[str]) -> list[str]:
    for each in wanted:
        found = [file for file in names if file == each]
        found = found or [file for file in names if basename(file) == each]
        if found:
            return found
    return []


def main_names(archive: str | PathLike[str]) -> tuple[str, str]:
    """Returns the default names of the model file: the zip file's name, and model.xml."""
    return f'{Path(archive).stem}.xml', MODEL_FILE


def unpack(archive: ZipFile, name: object) -> dict[str, bytes]:
    """Returns the contents of the files by path. Raises MjcfError for a damaged file."""
    from ...named_files import (  # most users of `mjcf` read no archive
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
        raise MjcfError(f'{name} has a file {file.filename!r} that leads out of the archive')
    if file.flag_bits & 1:
        raise MjcfError(f'{name} has an encrypted file {file.filename!r}')
    if file.compress_type not in (ZIP_STORED, ZIP_DEFLATED):  # lzma trusts declared sizes
        raise MjcfError(f'{name} has a file {file.filename!r} that is not compressed with deflate')
