"""Reads the files that a URDF names."""

from __future__ import annotations

import os
from posixpath import join
from urllib.parse import unquote

from ..engine.resources import local_path, provides, read
from ..errors import ConfigError, ResourceError
from ..named_files import special_file_at
from .tag import MACROS, Tag

_PACKAGE, _FILE = 'package://', 'file://'


class RobotFiles:
    """The files that a URDF names. Relative names are in `folder`, a path or a URI.

    `assets` has contents by name, which are taken before any file.
    """

    def __init__(self, folder: str = '', assets: dict[str, bytes] | None = None) -> None:
        self.folder = folder
        self._assets = assets or {}

    def place(self, name: str) -> str:
        """Returns the path or the URI of a file. Raises ConfigError for an unknown package."""
        if name.startswith(_PACKAGE):  # some files have a third slash
            return str(local_path(_PACKAGE + name.removeprefix(_PACKAGE).lstrip('/')))
        if name.startswith(_FILE):
            return unquote(name.removeprefix(_FILE).removeprefix('localhost'))
        name = name.replace('\\', '/')
        return name if provides(name) else join(self.folder, name)

    def read(self, tag: Tag, name: str) -> bytes:
        """Returns the content of a file. The error, an UrdfError, is that of the element."""
        if name in self._assets:
            return self._assets[name]
        try:
            place = self.place(name)
            if provides(place):
                return read(place)
            return _content(place)
        except (ConfigError, ResourceError, OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            told = f'{place}: {reason}' if reason else str(error)
            hint = ', which xacro replaces: run xacro first' if name.startswith(MACROS) else ''
            raise tag.error(f'{name!r} cannot be read{hint}: {told}') from None


def _content(path: str) -> bytes:
    if (told := special_file_at(path)) is not None:
        raise ValueError(told)
    with open(os.path.expanduser(path), 'rb') as file:
        return file.read()
