"""`zip:<archive>!/<path>`: files in an archive."""

from __future__ import annotations

import difflib
import os
import posixpath
import re
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ...errors import ResourceError
from .package import local_path
from .provider import ResourceProvider, checked
from .provider_registry import provides, register

_MIB = 2**20
_SHOWN = ('.xml', '.urdf', '.mjb', '.obj', '.stl', '.msh', '.png', '.skn', '.zip')
"""Errors tell the names of such files alone: an archive may be anybody's, not only a model's."""
_Archive = zipfile.ZipFile | str
"""One that is held, or the path of one."""
_held: dict[str, list[_Archive]] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Entry:
    archive: _Archive
    info: zipfile.ZipInfo


class Zip(ResourceProvider):
    """Files in archives, which are paths or `package://` URIs."""

    prefix = 'zip'

    def __init__(self, limit: int = 512 * _MIB) -> None:
        self._limit = limit
        """The greatest size of a file, in bytes: a small archive may hold a huge one."""

    def open(self, uri: str) -> _Entry:
        """The archive and what it says of the file."""
        name, mark, path = uri.removeprefix('zip:').partition('!/')
        if not mark:
            raise ResourceError(f'{uri}: must be zip:<archive>!/<path>')
        archive = _find_archive(name)
        with _opened(archive) as file:
            info = _find(file, posixpath.normpath(path))
        if info.file_size > self._limit:
            raise ResourceError(f'has {info.file_size:,} bytes; at most {self._limit:,} are read')
        return _Entry(archive, info)

    def read(self, opened: _Entry) -> bytes:
        """The file, unpacked."""
        with _opened(opened.archive) as file:
            try:
                return checked(file.read(opened.info))
            except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
                raise ResourceError(f'cannot be unpacked: {error}') from error

    def timestamp(self, opened: _Entry) -> str:
        """The timestamp of the file alone: the others of a new archive need not be read again."""
        info = opened.info
        return f'{info.CRC:08x} {info.file_size} {info.date_time}'


@contextmanager
def holding(name: str, archive: zipfile.ZipFile) -> Iterator[str]:
    """While it lasts, this name is that of an archive that is open; yields how its URIs begin.

    On all threads. So all that a model names is of one version, wherever the archive is from.
    """
    if not provides(f'{Zip.prefix}:'):
        register(Zip)
    key = posixpath.normpath(name)
    with _lock:
        _held.setdefault(key, []).append(archive)
    try:
        yield f'{Zip.prefix}:{key}!/'
    finally:
        with _lock:
            _held[key].remove(archive)
            if not _held[key]:
                del _held[key]


def _find_archive(name: str) -> _Archive:
    with _lock:
        held = _held.get(posixpath.normpath(name))
        if held:
            return held[-1]
    return str(
        local_path(re.sub('^package:/+', 'package://', name))
    )  # MuJoCo makes one slash of two


@contextmanager
def _opened(archive: _Archive) -> Iterator[zipfile.ZipFile]:
    if isinstance(archive, zipfile.ZipFile):
        with _lock:
            yield archive
        return
    if os.path.exists(archive) and not os.path.isfile(
        archive
    ):  # a pipe keeps who opens it waiting
        raise ResourceError(f'{archive} is no file')
    try:
        opened = zipfile.ZipFile(archive)
    except zipfile.BadZipFile as error:
        raise ResourceError(f'{archive} is no zip archive: {error}') from None
    with opened:
        yield opened


def _find(file: zipfile.ZipFile, path: str) -> zipfile.ZipInfo:
    if path == '..' or path.startswith('../'):
        raise ResourceError('leads out of the archive')
    try:
        return file.getinfo(path)
    except KeyError:
        names = [name for name in file.namelist() if name.lower().endswith(_SHOWN)]
        near = difflib.get_close_matches(path, names) or names[:5]
        known = f'; there is {", ".join(near)}' if near else ''
        raise ResourceError(f'no such file in the archive{known}') from None
