"""The contract of resource providers: where files come from whose names begin with a prefix."""

from __future__ import annotations

import hashlib
import re
from typing import Any, ClassVar

from ...errors import ResourceError
from ...named_files import foreign_name_in, foreign_name_rule

_SCHEME = re.compile(r'[a-z][a-z0-9+.-]*', re.IGNORECASE)  # RFC 3986, section 3.1
_LONGEST = 480
"""The longest timestamp, in bytes: MuJoCo has room for 511, and the registry adds a number."""


def checked(content: bytes) -> bytes:
    """What comes from outside; raises ResourceError if it is XML that names other files."""
    name = foreign_name_in(content)
    if name is not None:
        raise ResourceError(foreign_name_rule(name))
    return content


def fitting(timestamp: str) -> str:
    """The timestamp as MuJoCo can keep it: the digest of one that is too long."""
    encoded = timestamp.encode()
    return timestamp if len(encoded) <= _LONGEST else hashlib.sha256(encoded).hexdigest()


class ResourceProvider:
    """Gives MuJoCo files that are none; derive from it, define `read`, and `register` it.

    Called on the thread that loads and on threads of MuJoCo's own, several at a time. What a
    method raises is an error of the load, which tells URI and reason.
    """

    prefix: ClassVar[str]
    """The scheme of the URIs: all names that begin with it and a colon, in either case."""

    def open(self, uri: str) -> Any:
        """Finds a resource, raises if there is none; the result is what the others get.

        It is called to look whether a file is there, too: contents are for `read`.
        """
        return uri

    def read(self, opened: Any) -> Any:
        """The contents: bytes, or what has a contiguous buffer. Once at most for each `open`."""
        raise NotImplementedError

    def close(self, opened: Any) -> None:
        """Called after the last use of the contents, but not after an `open` that raised."""

    def timestamp(self, opened: Any) -> str:
        """The version of the contents: MuJoCo keeps what it made of them, and asks if that holds.

        If it is empty, they are read anew each time.
        """
        return ''

    def modified(self, opened: Any, timestamp: str) -> bool:
        """Whether the contents are others than those that had this timestamp."""
        return not timestamp or timestamp != fitting(self.timestamp(opened))

    def mount(self, path: str) -> None:
        """Called before each `open` with the prefix, or once with a path in a file system."""

    def unmount(self, path: str) -> None:
        """Called after each `close` and after an `open` that raised, or once, as `mount` was."""

    @classmethod
    def check(cls) -> None:
        """Raises ResourceError for a class that cannot be registered."""
        prefix = getattr(cls, 'prefix', None)
        if not isinstance(prefix, str) or not _SCHEME.fullmatch(prefix):
            rule = 'a letter, then letters, digits, + . and -'
            raise ResourceError(f'{cls.__qualname__}.prefix must be {rule}, got {prefix!r}')
        if cls.read is ResourceProvider.read:
            raise ResourceError(f'{cls.__qualname__} lacks read')
