"""Reads the files that a URDF refers to."""

from __future__ import annotations

import os
from posixpath import join
from urllib.parse import unquote

from ..engine.resources import local_path, provides, read
from ..errors import ConfigError, ResourceError
from ..named_files import special_file_at
from .tag import MACROS, Tag

_PACKAGE, _FILE = 'package://', 'file://'
_MISSING = ConfigError, ResourceError, FileNotFoundError, NotADirectoryError
"""The errors after which the next candidate name is tried."""


class RobotFiles:
    """The files that a URDF refers to. Relative names are resolved in `folder`, a path or a URI.

    `assets` maps names to contents and takes precedence over files.
    """

    def __init__(self, folder: str = '', assets: dict[str, bytes] | None = None) -> None:
        self.folder = folder
        self._assets = assets or {}

    def place(self, name: str) -> str:
        """Returns the path or the URI of a file. Raises ConfigError for an unknown package."""
        if name.startswith(_PACKAGE):  # some URDFs have a third slash
            return str(local_path(_PACKAGE + name.removeprefix(_PACKAGE).lstrip('/')))
        if name.startswith(_FILE):
            return unquote(name.removeprefix(_FILE).removeprefix('localhost'))
        name = name.replace('\\', '/')
        return name if provides(name) else join(self.folder, name)

    def read(self, tag: Tag, *names: str) -> bytes:
        """Returns the content of the first of these files that exists.

        Raises UrdfError for the element, with the reason why the first file cannot be read.
        """
        reasons = []
        for name in names:
            try:
                return self._assets[name] if name in self._assets else self._read(name)
            except (ConfigError, ResourceError, OSError, ValueError) as error:
                reasons.append(_reason(name, error))
                if not isinstance(error, _MISSING):
                    break
        first, *others = reasons
        more = f'; also tried {" and ".join(map(repr, names[1:]))}' if others else ''
        raise tag.error(f'{first}{more}') from None

    def _read(self, name: str) -> bytes:
        place = self.place(name)
        return read(place) if provides(place) else _content(place)


def _reason(name: str, error: Exception) -> str:
    told = str(error)
    if isinstance(error, OSError) and error.strerror:
        told = f'{error.filename}: {error.strerror}'
    hint = ' (a xacro expression: run xacro first)' if name.startswith(MACROS) else ''
    return f'{name!r} cannot be read{hint}: {told}'


def _content(path: str) -> bytes:
    if (told := special_file_at(path)) is not None:
        raise ValueError(told)
    with open(os.path.expanduser(path), 'rb') as file:
        return file.read()
