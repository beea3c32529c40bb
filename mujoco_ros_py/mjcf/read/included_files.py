"""Opens the files that a model includes, and limits how deeply they include each other."""

from __future__ import annotations

from collections.abc import Callable
from posixpath import dirname, join, normpath
from typing import Any

from ...errors import MjcfFileError
from ..files.assets import slashes
from ..sources.source import Source
from .element_errors import error_in
from .placeholders import INCLUDE

_MOST_NESTED = 50
"""The maximum depth of nested includes."""


class IncludedFiles:
    """The files that a model includes. `read_file(path)` returns the content of a file."""

    def __init__(self, read_file: Callable[[str], bytes]) -> None:
        self._read_file = read_file
        self._opened: list[str] = []
        """The paths of all files that were included so far."""
        self.nested = 0
        """The depth of nested includes of the file that is being read."""

    def open(self, attributes: dict[str, str], source: Source, parser: Any) -> Source:
        """Returns the file that an <include> with these attributes names.

        Raises MjcfError for other attributes than `file`, for too deeply nested includes and for a
        file that is included already, and MjcfFileError for a file that cannot be read.
        """
        if list(attributes) != ['file']:
            reason = f'file must be its only attribute, got {attributes}'
            raise error_in(source, parser, INCLUDE, reason)
        if self.nested >= _MOST_NESTED:
            raise error_in(source, parser, INCLUDE, f'more than {_MOST_NESTED} in each other')
        path = attributes['file']
        if path in self._opened:
            raise error_in(source, parser, INCLUDE, f'{path!r} is included already')
        near = normpath(join(dirname(source.path), slashes(path)))
        self._opened.append(near)
        try:
            return self._either(path, near)
        except OSError as error:
            where = '' if near == normpath(path) else f' and {near!r}'
            reason = f'{path!r}{where}: {error.strerror or error}'
            raise error_in(source, parser, INCLUDE, reason, MjcfFileError) from error

    def _either(self, path: str, near: str) -> Source:
        """Reads a file below the model's folder, or else below that of the including file."""
        try:
            return Source(self._read_file(path), path)
        except OSError:
            if near == normpath(path):
                raise
            return Source(self._read_file(near), near)
