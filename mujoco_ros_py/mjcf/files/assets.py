"""What is in the files that a model names, and what they are called."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha1
from posixpath import basename, normpath, splitext

_LONGEST_NAME = 998
"""The most characters that a name can have in MuJoCo's virtual file system."""
_HASH = re.compile('[0-9a-f]{40}')
_OUTSIDE = re.compile(r'\.\.(/|$)|/|[^/]*:')
"""How a path begins that is not below the model's folder."""


class Asset:
    """A file's content. Two are equal if MuJoCo gets them by the same name.

    `extension` begins with a dot; `prefix` is what the name of the file begins with.
    """

    __slots__ = ('_contents', '_digest', 'extension', 'path', 'prefix', 'written')

    written: str | None
    """The path as the model has it; None: the content comes from no file."""
    path: str | None
    """The path from the model's folder, after what `compiler` says; None: it is no file's."""

    def __init__(self, contents: bytes | str, extension: str, prefix: str = '') -> None:
        self.contents = contents
        self.extension = extension
        self.prefix = prefix
        self.written = self.path = None

    @property
    def contents(self) -> bytes | str:
        """The content as it was given, or as it was read from the file."""
        assert self._contents is not None
        return self._contents

    @contents.setter
    def contents(self, contents: bytes | str) -> None:
        self._contents: bytes | str | None = contents
        self._digest = ''

    def to_bytes(self) -> bytes:
        """The content in bytes; that of text is in UTF-8."""
        contents = self.contents
        return contents.encode() if isinstance(contents, str) else bytes(contents)

    @property
    def digest(self) -> str:
        """A hash of the content."""
        if not self._digest:
            self._digest = sha1(self.to_bytes()).hexdigest()
        return self._digest

    def get_vfs_filename(self, filename_with_hash: bool = True) -> str:
        """The name that MuJoCo is given the file by, with a hash of the content or without."""
        prefix = self._prefix_without_hash()
        if prefix and not filename_with_hash:
            return prefix + self.extension
        room = _LONGEST_NAME - len(self.digest) - len(self.extension) - 1
        start = f'{prefix[:room]}-' if prefix else ''
        return f'{start}{self.digest}{self.extension}'

    def _prefix_without_hash(self) -> str:
        """The beginning of the name, without the hash that an exported file has there already."""
        start, _, end = self.prefix.rpartition('-')
        hashed = _HASH.fullmatch(end) is not None and end == self.digest
        return start if hashed else self.prefix

    def original_name(self) -> str:
        """The path below the model's folder; of a file that lies elsewhere, its name alone."""
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
    """A file that a model names by its path: `load` reads it when it is needed first."""

    __slots__ = ('_load',)

    def __init__(self, written: str, path: str, load: Callable[[], bytes]) -> None:
        self.prefix, self.extension = splitext(basename(slashes(written)))
        self._contents, self._digest = None, ''
        self._load = load
        self.written = written
        self.path = path

    @property
    def contents(self) -> bytes | str:
        """The content, which is read when it is asked for first; OSError if that fails."""
        if self._contents is None:
            self._contents = self._load()
        return self._contents

    @contents.setter
    def contents(self, contents: bytes | str) -> None:
        self._contents = contents
        self._digest = ''


class HashedAsset(Asset):
    """A file whose name has a hash in every form, as another file names it so."""

    __slots__ = ()

    def get_vfs_filename(self, filename_with_hash: bool = True) -> str:
        """The name with the hash, whatever is asked for."""
        return super().get_vfs_filename()


def slashes(path: str) -> str:
    """The path with slashes for backslashes, as MuJoCo takes both."""
    return path.replace('\\', '/')


def stem(file: str | Asset | None) -> str | None:
    """What MuJoCo calls the element that has this file and no name."""
    if isinstance(file, Asset):
        return file.prefix or None
    return basename(slashes(file)).rpartition('.')[0] or basename(file) if file else None
