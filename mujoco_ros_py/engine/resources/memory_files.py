"""`mem:<name>`: files that the program gives."""

from __future__ import annotations

import itertools
import posixpath
import threading
from typing import Any

from ...errors import ResourceError
from .provider import ResourceProvider

_versions = itertools.count(1)


class Memory(ResourceProvider):
    """Files by name, with folders as in paths. Any thread may put and remove them."""

    prefix = 'mem'

    def __init__(self) -> None:
        self._files: dict[str, tuple[int, bytes]] = {}
        self._lock = threading.Lock()

    def put(self, name: str, content: Any) -> str:
        """Keeps a copy of the content, in place of what has this name; returns its URI."""
        key = _key(name)
        with self._lock:
            self._files[key] = next(_versions), bytes(content)
        return f'mem://{key}'

    def remove(self, name: str) -> None:
        """Raises KeyError if there is none."""
        with self._lock:
            del self._files[_key(name)]

    def names(self) -> list[str]:
        """The names of all files, sorted."""
        with self._lock:
            return sorted(self._files)

    def open(self, uri: str) -> tuple[int, bytes]:
        """The version and the content, as they are now."""
        key = _key(uri.removeprefix('mem:'))
        with self._lock:
            file = self._files.get(key)
        if file is None:
            known = ', '.join(self.names()) or 'nothing'
            raise ResourceError(f'nothing named {key!r}; there is {known}')
        return file

    def read(self, opened: tuple[int, bytes]) -> bytes:
        """The content."""
        return opened[1]

    def timestamp(self, opened: tuple[int, bytes]) -> str:
        """No two contents have the same."""
        return str(opened[0])


def _key(name: str) -> str:
    return posixpath.normpath(f'/{name.lstrip("/")}').lstrip('/')
