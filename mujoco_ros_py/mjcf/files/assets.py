"""The contents and names of the files in a model."""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import basename, normpath, splitext

_LONGEST_NAME = 998
"""The maximum length of a name in MuJoCo's virtual file system, in characters."""
_HASH = re.compile('[0-9a-f]{40}')
_OUTSIDE = re.compile(r'\.\.(/|$)|/|[^/]*:')
"""Matches the beginning of paths that lead out of the model's folder."""


class Asset:
    """The content of a file. Assets are equal if `get_vfs_filename` returns the same name.

    `extension` starts with a dot. `prefix` is the beginning of the file's name.
    """

    __slots__ = ('_contents', '_digest', 'extension', 'location', 'path', 'prefix', 'written')

    written: str | None
    """The path as written in the model; None if the content does not come from a file."""
    path: str | None
    """The path relative to the model's folder, with the compiler's settings applied; None if the
    content does not come from a file."""
    location: str | None
    """The place where MuJoCo itself finds the file; None if the content is only in memory."""

    def __init__(self, contents: bytes | str, extension: str, prefix: str = '') -> None:
        self.contents = contents
        self.extension = extension
        self.prefix = prefix
        self.written = self.path = self.location = None

    @property
    def contents(self) -> bytes | str:
        """The content as passed, or as read from the file."""
        assert self._contents is not None
        return self._contents

    @contents.setter
    def contents(self, contents: bytes | str) -> None:
        self._contents: bytes | str | None = contents
        self._digest = ''

    def to_bytes(self) -> bytes:
        """Returns the content as bytes; encodes a string as UTF-8."""
        contents = self.contents
        return contents.encode() if isinstance(contents, str) else bytes(contents)

    @property
    def digest(self) -> str:
        """The hash of the content, in hexadecimal."""
        if not self._digest:
            from hashlib import sha1  # slow: loads OpenSSL

            self._digest = sha1(self.to_bytes()).hexdigest()
        return self._digest

    def get_vfs_filename(self, filename_with_hash: bool = True) -> str:
        """Returns the file's name for MuJoCo, with or without a hash of the content."""
        prefix = self._prefix_without_hash()
        if prefix and not filename_with_hash:
            return prefix + self.extension
        room = _LONGEST_NAME - len(self.digest) - len(self.extension) - 1
        start = f'{prefix[:room]}-' if prefix else ''
        return f'{start}{self.digest}{self.extension}'

    def _prefix_without_hash(self) -> str:
        """Returns the prefix without the hash that an export may have appended."""
        start, _, end = self.prefix.rpartition('-')
        hashed = _HASH.fullmatch(end) is not None and end == self.digest
        return start if hashed else self.prefix

    def original_name(self) -> str:
        """Returns the path in the model's folder; for a file elsewhere, only the file name."""
        path = normpath(self.path) if self.path else ''
        plain = self.get_vfs_filename(filename_with_hash=False)
        return plain if not path or _OUTSIDE.match(path) else path

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Asset):
            return NotImplemented
        return self.get_vfs_filename() == other.get_vfs_filename()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f'Asset({self.original_name()!r})'


class FileAsset(Asset):
    """A file that a model refers to by path. `load` reads it when first needed."""

    __slots__ = ('_load',)

    def __init__(
        self, written: str, path: str, load: Callable[[], bytes], location: str | None = None
    ) -> None:
        self.prefix, self.extension = splitext(basename(slashes(written)))
        self._contents, self._digest = None, ''
        self._load = load
        self.written = written
        self.path = path
        self.location = location

    @property
    def contents(self) -> bytes | str:
        """The content, read at the first access. Raises OSError if reading fails."""
        if self._contents is None:
            self._contents = self._load()
        return self._contents

    @contents.setter
    def contents(self, contents: bytes | str) -> None:
        self._contents = contents
        self._digest = ''
        self.location = None


class HashedAsset(Asset):
    """A file that is always named with a hash, because another file refers to it by this name."""

    __slots__ = ()

    def get_vfs_filename(self, filename_with_hash: bool = True) -> str:
        """Returns the name with the hash, regardless of the argument."""
        return super().get_vfs_filename()


def slashes(path: str) -> str:
    """Replaces backslashes with slashes; MuJoCo reads both."""
    return path.replace('\\', '/')


def stem(file: str | Asset | None) -> str | None:
    """Returns MuJoCo's name for an unnamed element with this file."""
    if isinstance(file, Asset):
        return file.prefix or None
    return basename(slashes(file)).rpartition('.')[0] or basename(file) if file else None
