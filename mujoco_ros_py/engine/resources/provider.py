"""The base class of resource providers, which supply files whose names begin with a prefix."""

from __future__ import annotations

import hashlib
import re
from typing import Any, ClassVar

from ...errors import ResourceError
from ...named_files import foreign_name_in, foreign_name_rule

_SCHEME = re.compile(r'[a-z][a-z0-9+.-]*', re.IGNORECASE)  # RFC 3986, section 3.1
_LONGEST = 480
"""The maximum length of a timestamp in bytes: MuJoCo has space for 511, and the registry adds a
number."""


def checked(content: bytes) -> bytes:
    """Returns content from outside unchanged, after a check.

    Raises ResourceError if the content is XML that names other files.
    """
    name = foreign_name_in(content)
    if name is not None:
        raise ResourceError(foreign_name_rule(name))
    return content


def fitting(timestamp: str) -> str:
    """Returns the timestamp, or a digest if the timestamp is too long for MuJoCo."""
    encoded = timestamp.encode()
    return timestamp if len(encoded) <= _LONGEST else hashlib.sha256(encoded).hexdigest()


class ResourceProvider:
    """Supplies MuJoCo with resources; derive a class, define `read`, and `register` it.

    Methods are called on the loading thread and on threads of MuJoCo, several at a time. An
    exception becomes an error of the load, with the URI and the reason.
    """

    prefix: ClassVar[str]
    """The scheme of the URIs that this provider serves: `mem` for `mem:...` and `MEM:...`."""

    def open(self, uri: str) -> Any:
        """Finds a resource and returns a handle for the other methods; raises if it is missing.

        Also called to check whether a file exists; leave reading the contents to `read`.
        """
        return uri

    def read(self, opened: Any) -> Any:
        """Returns the contents: bytes or a contiguous buffer.

        Called at most once per `open`.
        """
        raise NotImplementedError

    def close(self, opened: Any) -> None:
        """Frees the resource after the last use of its contents; not called if `open` raised."""

    def timestamp(self, opened: Any) -> str:
        """Returns the version of the contents, for MuJoCo's cache of processed files.

        If the timestamp is empty, the contents are read each time.
        """
        return ''

    def modified(self, opened: Any, timestamp: str) -> bool:
        """Returns whether the contents differ from the contents with this timestamp."""
        return not timestamp or timestamp != fitting(self.timestamp(opened))

    def mount(self, path: str) -> None:
        """Called with the prefix before each `open`, or with a path when MuJoCo mounts it."""

    def unmount(self, path: str) -> None:
        """Called with the prefix after each `close` or failed `open`, or with a mounted path."""

    @classmethod
    def check(cls) -> None:
        """Raises ResourceError for a class that cannot be registered."""
        prefix = getattr(cls, 'prefix', None)
        if not isinstance(prefix, str) or not _SCHEME.fullmatch(prefix):
            rule = 'a letter, then letters, digits, + . and -'
            raise ResourceError(f'{cls.__qualname__}.prefix must be {rule}, got {prefix!r}')
        if cls.read is ResourceProvider.read:
            raise ResourceError(f'{cls.__qualname__} must define read')
