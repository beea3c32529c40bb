"""Opens a model's included files, and limits their nesting."""

from __future__ import annotations

from contextlib import suppress
from posixpath import dirname
from typing import TYPE_CHECKING

from ...errors import MjcfFileError
from ...mujoco_resources import joined
from ..sources.source import Source
from .errors import error_in
from .placeholders import INCLUDE

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

    from ..compose.root import RootElement

_MOST_NESTED = 50
"""The maximum depth of nested includes."""


class IncludedFiles:
    """The included files of a model."""

    def __init__(self, model: RootElement) -> None:
        self._model = model
        self._opened: dict[str, str] = {}
        """The spelling of each included file's name, by its full path."""
        self.nested = 0
        """The include depth of the file being read."""

    def open(self, attributes: dict[str, str], source: Source, parser: XMLParserType) -> Source:
        """Opens the file named by an <include> with these attributes.

        Raises MjcfError for attributes other than `file`, for includes nested too deeply, and for
        a file that was already included. Raises MjcfFileError if the file cannot be read.
        """
        if list(attributes) != ['file']:
            reason = f'file must be its only attribute, got {attributes}'
            raise error_in(source, parser, INCLUDE, reason)
        if self.nested >= _MOST_NESTED:
            raise error_in(source, parser, INCLUDE, f'nested more than {_MOST_NESTED} deep')
        path = attributes['file']
        tried = dict.fromkeys([path, joined('', path), joined(dirname(source.path), path)])
        try:
            found = self._first(list(tried))
        except OSError as error:
            near = list(tried)[-1]
            where = '' if near == joined('', path) else f' and {near!r}'
            reason = f'{path!r}{where}: {error.strerror or error}'
            raise error_in(source, parser, INCLUDE, reason, MjcfFileError) from error
        place = joined(self._model.model_dir, found.path)
        if (first := self._opened.get(place)) is not None:
            spelling = '' if first == path else f', as {first!r}'
            raise error_in(source, parser, INCLUDE, f'{path!r} is already included{spelling}')
        self._opened[place] = path
        return found

    def _first(self, paths: list[str]) -> Source:
        """Reads the first file that exists. Like MuJoCo, prefers the model's folder."""
        for path in paths[:-1]:
            with suppress(OSError):
                return Source(self._model.read_file(path), path)
        return Source(self._model.read_file(paths[-1]), paths[-1])
