"""`zip:<archive>!/<path>`: files in an archive."""

from __future__ import annotations

import difflib
import posixpath
import re
import zipfile
from dataclasses import dataclass

from ...errors import ResourceError
from .package import resolve
from .provider import ResourceProvider

_MIB = 2**20


@dataclass(frozen=True, slots=True)
class _Entry:
    archive: str
    info: zipfile.ZipInfo


class Zip(ResourceProvider):
    """Files in archives, which are paths or `package://` URIs."""

    prefix = 'zip'

    def __init__(self, limit: int = 512 * _MIB) -> None:
        self._limit = limit
        """Of the size of a file, in bytes: a small archive may hold a huge one."""

    def open(self, uri: str) -> _Entry:
        """The archive and what it says of the file."""
        name, mark, path = uri.removeprefix('zip:').partition('!/')
        if not mark:
            raise ResourceError(f'{uri}: must be zip:<archive>!/<path>')
        name = re.sub('^package:/+', 'package://', name)  # MuJoCo makes one slash of two
        archive = str(resolve(name))
        with _opened(archive) as file:
            info = _find(file, posixpath.normpath(path))
        if info.file_size > self._limit:
            raise ResourceError(f'has {info.file_size:,} bytes; at most {self._limit:,} are read')
        return _Entry(archive, info)

    def read(self, opened: _Entry) -> bytes:
        """The file, unpacked."""
        with _opened(opened.archive) as file:
            try:
                return file.read(opened.info)
            except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
                raise ResourceError(f'cannot be unpacked: {error}') from error

    def timestamp(self, opened: _Entry) -> str:
        """Of the file alone: the others of a new archive need not be read again."""
        info = opened.info
        return f'{info.CRC:08x} {info.file_size} {info.date_time}'


def _opened(archive: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(archive)
    except zipfile.BadZipFile as error:
        raise ResourceError(f'{archive} is no zip archive: {error}') from None


def _find(file: zipfile.ZipFile, path: str) -> zipfile.ZipInfo:
    if path == '..' or path.startswith('../'):
        raise ResourceError('leads out of the archive')
    try:
        return file.getinfo(path)
    except KeyError:
        names = [name for name in file.namelist() if not name.endswith('/')]
        near = difflib.get_close_matches(path, names) or names[:5]
        raise ResourceError(f'no such file in the archive; there is {", ".join(near)}') from None
