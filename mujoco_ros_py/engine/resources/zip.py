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
from ...mujoco_resources import is_registered
from .package import local_path
from .provider import ResourceProvider, checked
from .provider_registry import register

_MIB = 2**20
_SHOWN = ('.xml', '.urdf', '.mjb', '.obj', '.stl', '.msh', '.png', '.skn', '.zip')
"""The extensions of files that errors list; other files of the archive may be private."""
_Archive = zipfile.ZipFile | str
"""An open archive, or the path of an archive."""
_held: dict[str, list[_Archive]] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Entry:
    archive: _Archive
    info: zipfile.ZipInfo


class Zip(ResourceProvider):
    """Reads files in archives, given by path or by `package://` URI."""

    prefix = 'zip'

    def __init__(self, limit: int = 512 * _MIB) -> None:
        self._limit = limit
        """The maximum size of a file in bytes, because a small archive may contain a huge file."""

    def open(self, uri: str) -> _Entry:
        """Returns the archive and its entry for the file."""
        name, mark, path = uri.removeprefix('zip:').partition('!/')
        if not mark:
            raise ResourceError(f'{uri}: must be zip:<archive>!/<path>')
        archive = _find_archive(name)
        with _opened(archive) as file:
            info = _find(file, posixpath.normpath(path))
        # `read` unpacks at most the declared size, even if the archive contains more.
        if info.file_size > self._limit:
            raise ResourceError(f'must have at most {self._limit:,} bytes, got {info.file_size:,}')
        return _Entry(archive, info)

    def read(self, opened: _Entry) -> bytes:
        """Unpacks the file."""
        with _opened(opened.archive) as file:
            try:
                return checked(file.read(opened.info))
            except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
                raise ResourceError(f'cannot be unpacked: {error}') from error

    def timestamp(self, opened: _Entry) -> str:
        """Returns a timestamp of this file alone: unchanged files of a new archive stay cached."""
        info = opened.info
        return f'{info.CRC:08x} {info.file_size} {info.date_time}'


@contextmanager
def holding(name: str, archive: zipfile.ZipFile) -> Iterator[str]:
    """Makes a name refer to an open archive inside the context; yields its URI prefix.

    The name is valid on all threads. All files of a model then come from the same archive, even if
    its file is replaced in the meantime, or if the archive is only in memory.
    """
    if not is_registered(f'{Zip.prefix}:'):
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


def held_archives() -> int:
    """Returns the number of archives that names currently refer to, in all `holding` contexts."""
    with _lock:
        return sum(map(len, _held.values()))


def _find_archive(name: str) -> _Archive:
    with _lock:
        held = _held.get(posixpath.normpath(name))
        if held:
            return held[-1]
    return str(
        local_path(re.sub('^package:/+', 'package://', name))
    )  # MuJoCo replaces two slashes by one


@contextmanager
def _opened(archive: _Archive) -> Iterator[zipfile.ZipFile]:
    if isinstance(archive, zipfile.ZipFile):
        with _lock:
            yield archive
        return
    if os.path.exists(archive) and not os.path.isfile(archive):  # opening a pipe would block
        raise ResourceError(f'{archive} is not a file')
    try:
        opened = zipfile.ZipFile(archive)
    except zipfile.BadZipFile as error:
        raise ResourceError(f'{archive} is not a zip archive: {error}') from None
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
        known = f'; it contains {", ".join(near)}' if near else ''
        raise ResourceError(f'no such file in the archive{known}') from None
