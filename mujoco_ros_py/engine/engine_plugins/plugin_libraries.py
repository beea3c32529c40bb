"""Loads shared libraries with engine plugins written in C or C++, such as MuJoCo's own."""

from __future__ import annotations

import ctypes
import logging
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...errors import PluginError
from . import plugin_table
from .class_registry import owner
from .probe import Contents, probe

_log = logging.getLogger(__name__)
_Stamp = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Loaded:
    """The plugins of a loaded library, and the status of its file when it was loaded."""

    plugins: tuple[str, ...]
    stamp: _Stamp


_loaded: dict[Path, _Loaded] = {}
"""The libraries loaded by this module, by resolved path."""
_lock = threading.Lock()


def load_library(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Loads a shared library; returns the names of its plugins.

    Does nothing if the library is already loaded. Raises PluginError, without loading anything, if
    the file is not a library, was built for another version of MuJoCo, registers no plugins, or
    uses a name that is taken.
    """
    return _load([Path(path)])


def load_directory(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Loads all shared libraries (``*.so``) of a directory; returns their plugins' names.

    Loads all or nothing: the PluginError lists every library that cannot be loaded.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise PluginError(f'{folder}: {"is not a" if folder.exists() else "no such"} directory')
    files = sorted(folder.glob('*.so'))
    if not files:
        raise PluginError(f'{folder}: contains no shared library (*.so)')
    return _load(files)


def loaded_files() -> list[str]:
    """Returns the paths of all libraries loaded by this module, in the order of loading."""
    with _lock:
        return [str(file) for file in _loaded]


def _load(files: Sequence[Path]) -> tuple[str, ...]:
    with _lock:
        faults: list[str] = []
        new = dict(_contents_of_new(files, faults))
        # The lock is held from checking the names until the libraries have registered them, so
        # that no class can take a name in between.
        with plugin_table.lock:
            faults += _clashes(new)
            if faults:
                raise PluginError('; '.join(faults))
            for file, contents in new.items():
                _open(file, contents)
        plugins = (name for file in files for name in _loaded[file.resolve()].plugins)
        return tuple(dict.fromkeys(plugins))


def _contents_of_new(files: Iterable[Path], faults: list[str]) -> Iterator[tuple[Path, Contents]]:
    for file in dict.fromkeys(file.resolve() for file in files):
        try:
            if file not in _loaded or not file.is_file():
                yield file, probe(file)
            elif _stamp(file) != _loaded[file].stamp:
                _log.warning(
                    '%s has changed since it was loaded: restart to load the change', file
                )
        except PluginError as error:
            faults.append(str(error))


def _clashes(new: Mapping[Path, Contents]) -> Iterator[str]:
    """Yields an error for each name that is taken: MuJoCo would end the process.

    Libraries that are open in this process are not checked, because their own plugins may have
    taken the names.
    """
    new_owners: dict[str, str] = {}
    for file, contents in new.items():
        if _is_open(file):
            continue
        for what, owner_of, names in (
            ('engine plugin', owner, contents.plugins),
            ('resource provider', _owner_of_prefix, contents.providers),
        ):
            for name in names:
                taken_by = owner_of(name) or new_owners.get(f'{what} {name.lower()}')
                if taken_by:
                    yield f'{file}: {what} {name!r} is taken by {taken_by}'
                new_owners[f'{what} {name.lower()}'] = f'a library, {file}'


def _owner_of_prefix(prefix: str) -> str:
    return 'another provider' if plugin_table.find_provider(prefix) else ''


def _is_open(file: Path) -> bool:
    """Returns whether the process has opened the library, whoever loaded it."""
    with suppress(OSError):
        # RTLD_NOLOAD opens nothing: it fails if the library is not open.
        ctypes.CDLL(str(file), os.RTLD_NOLOAD)
        return True
    return False


def _open(file: Path, contents: Contents) -> None:
    try:
        ctypes.CDLL(str(file))  # the library registers itself, and is never closed
    except OSError as error:
        raise PluginError(f'{file}: cannot be loaded: {error}') from error
    _loaded[file] = _Loaded(contents.plugins, _stamp(file))


def _stamp(file: Path) -> _Stamp:
    status = file.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
