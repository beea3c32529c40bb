"""`package://<package>/<path>`: files in the share folders of ROS packages."""

from __future__ import annotations

import os
import re
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from ...errors import ConfigError, ResourceError
from .provider import ResourceProvider

_SCHEME = 'package://'
_OWN = 'mujoco_ros_py'
_NAME = re.compile(r'\w[\w.-]{0,99}', re.ASCII)
_INDEX = 'share/ament_index/resource_index/packages'
_CLONE = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    status: os.stat_result


class Package(ResourceProvider):
    """Reads files of ROS packages, which it finds in the ament index."""

    prefix = 'package'

    def open(self, uri: str) -> _File:
        """Returns the path of the file and its status in the file system."""
        if not uri.startswith(_SCHEME):
            raise ResourceError(f'{uri}: must be {_SCHEME}<package>/<path>')
        path = _path(uri)
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise ResourceError(f'{path} is not a file')
        return _File(path, status)

    def read(self, opened: _File) -> bytes:
        """Reads the file."""
        with open(opened.path, 'rb', buffering=0) as file:
            return file.read()

    def timestamp(self, opened: _File) -> str:
        """Returns a timestamp from path, modification time and size of the file."""
        return f'{opened.path} {opened.status.st_mtime_ns} {opened.status.st_size}'


def local_path(uri: str) -> Path:
    """Returns the path of a `package://` URI; a plain path is returned unchanged.

    Raises ConfigError for an unknown package and for a path outside of the package.
    """
    return Path(_path(uri) if uri.startswith(_SCHEME) else os.path.expanduser(uri))


def _path(uri: str) -> str:
    """Returns the path of a URI. Does not use pathlib, which would take longer than the rest."""
    package, _, relative = uri.removeprefix(_SCHEME).partition('/')
    share = _share(package, uri)
    path = os.path.normpath(os.path.join(share, relative))  # follows no symbolic links
    if path != share and not path.startswith(f'{share}/'):
        raise ConfigError(f'{uri}: leads out of package {package!r}')
    return path


def _share(package: str, uri: str) -> str:
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    if _NAME.fullmatch(package):
        for prefix in filter(None, prefixes):
            if os.path.isfile(f'{prefix}/{_INDEX}/{package}'):
                return os.path.normpath(f'{prefix}/share/{package}')
        installed = os.path.normpath(f'{sys.prefix}/share/{package}')
        if os.path.isfile(f'{installed}/package.xml'):  # installed with pip
            return installed
        if package == _OWN and (_CLONE / 'package.xml').is_file():
            return str(_CLONE)
    raise ConfigError(f'{uri}: no package {package!r} in AMENT_PREFIX_PATH or {sys.prefix}')
