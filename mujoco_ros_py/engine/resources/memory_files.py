"""`mem:<name>`: files that the program provides."""

from __future__ import annotations

import itertools
import posixpath
import threading
from typing import Any

from ...errors import ResourceError
from .provider import ResourceProvider

_versions = itertools.count(1)


class Memory(ResourceProvider):
    """Files by name; a name can be a path with folders. Any thread can store and remove files."""

    prefix = 'mem'

    def __init__(self) -> None:
        self._files: dict[str, tuple[int, bytes]] = {}
        self._lock = threading.Lock()

    def put(self, name: str, content: Any) -> str:
        """Stores a copy of the content under a name, replacing any other file; returns its URI."""
        key = _key(name)
        with self._lock:
            # The version is a counter, because two contents may be stored within one clock tick.
            self._files[key] = next(_versions), bytes(content)
        return f'mem://{key}'

    def remove(self, name: str) -> None:
        """Removes a file. Raises KeyError if no file has this name."""
        with self._lock:
            del self._files[_key(name)]

    def names(self) -> list[str]:
        """Returns the names of all files, sorted."""
        with self._lock:
            return sorted(self._files)

    def open(self, uri: str) -> tuple[int, bytes]:
        """Returns the current version and content of a file."""
        key = _key(uri.removeprefix('mem:'))
        with self._lock:
            file = self._files.get(key)
        if file is None:
            known = ', '.join(self.names()) or 'none'
            raise ResourceError(f'there is no file {key!r}; known: {known}')
        return file

    def read(self, opened: tuple[int, bytes]) -> bytes:
        """Returns the content."""
        return opened[1]

    def timestamp(self, opened: tuple[int, bytes]) -> str:
        """Returns a timestamp that is unique to this content."""
        return str(opened[0])


def _key(name: str) -> str:
    # MuJoCo treats names as paths: it resolves `..` and joins slashes.
    return posixpath.normpath(f'/{name.lstrip("/")}').lstrip('/')
