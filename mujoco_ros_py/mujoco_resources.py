"""Finds and reads files and MuJoCo resources that models refer to.

A provider can be written in Python or come from a library. In both cases, MuJoCo opens the
resources.
"""

from __future__ import annotations

import ctypes
import os
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from posixpath import join, normpath
from typing import Any

from .mujoco_internals import open_library

_P = ctypes.c_void_p
_ROOT = re.compile(r'[^/]*:/*')
_SCHEME = re.compile(r'([a-zA-Z][a-zA-Z0-9+.-]+):')
"""Matches the scheme of a URI, but not a Windows drive letter."""
_REASON_BYTES = 1000
SHIPPED = 'package', 'data', 'zip', 'mem', 'http', 'https'
"""The prefixes of the providers that come with this package."""
_SHIPPED_IN = 'mujoco_ros_py.engine.resources'
"""The module of the shipped providers, imported when one of their prefixes is first used."""


def provides(name: str) -> bool:
    """Returns whether a registered or shipped resource provider serves a name.

    If the name has a shipped prefix, registers all shipped providers, so no program has to do it.
    """
    if ':' not in name:
        return False
    if not is_registered(name) and name.partition(':')[0].lower() in SHIPPED:
        import_module(_SHIPPED_IN).register_shipped()
    return is_registered(name)


def serve_names_in(text: str) -> None:
    """Registers the shipped providers if the text of a model may refer to their resources.

    Must be called before MuJoCo parses the text, because MuJoCo itself opens the resources.
    """
    for prefix in SHIPPED:
        if f'{prefix}:' in text and provides(f'{prefix}:'):
            return


def file_of(name: str) -> str:
    """Returns the path of a `package://` URI; returns other names unchanged.

    Raises ConfigError for an unknown package.
    """
    if not name.startswith('package://'):
        return name
    return str(import_module(_SHIPPED_IN).local_path(name))


def is_registered(name: str) -> bool:
    """Returns whether a provider with the prefix of this name is registered now."""
    return _library().mjp_findProvider(os.fsencode(name)) is not None


def is_absolute(path: str) -> bool:
    """Returns whether MuJoCo treats a path (without backslashes) as absolute."""
    return path.startswith('/') or ':/' in path or provides(path)


def joined(folder: str, path: str) -> str:
    """Joins a folder and a path and resolves `.` and `..`; returns an absolute path unchanged.

    Both may be URIs, and the path may have backslashes.
    """
    path = path.replace('\\', '/')
    if is_absolute(path):
        return path
    root = _ROOT.match(folder)
    start = root[0] if root else ''
    return start + normpath(join(folder[len(start) :], path))


def below(folder: str, path: str) -> str:
    """Joins a folder and a path; returns an absolute path unchanged.

    Unlike `joined`, keeps `..`: opening `missing/../file` must fail if `missing` does not exist.
    """
    return path if is_absolute(path) else join(folder, path)


def exists(folder: str, path: str) -> bool:
    """Returns whether a file, or a resource of a provider, exists below a folder."""
    name = below(folder, path)
    if not provides(name):
        return Path(name).is_file()
    resource = _library().mju_openResource(None, os.fsencode(name), None, None, 0)
    _library().mju_closeResource(resource)
    return resource is not None


def read(folder: str, path: str) -> bytes:
    """Returns the content of a file, or of a provider's resource, below a folder.

    Raises OSError if it does not exist.
    """
    name = below(folder, path)
    if provides(name):
        return _opened(name)
    try:
        return Path(name).read_bytes()
    except OSError as error:
        scheme = _SCHEME.match(name)
        if scheme is None:
            raise
        reason = f'no resource provider for {scheme[1]!r} is registered'
        raise OSError(error.errno, reason, name) from None


def _opened(name: str) -> bytes:
    library, buffer = _library(), _P()
    reason = ctypes.create_string_buffer(_REASON_BYTES)
    resource = library.mju_openResource(None, os.fsencode(name), None, reason, _REASON_BYTES)
    if resource is None:
        raise OSError(os.fsdecode(reason.value) or f'Error opening file {name!r}')
    try:
        size = library.mju_readResource(resource, ctypes.byref(buffer))
        if size < 0:
            raise OSError(f'Error reading file {name!r}')
        return ctypes.string_at(buffer, size) if size else b''
    finally:
        library.mju_closeResource(resource)


@cache
def _library() -> Any:
    library, name, count = open_library(), ctypes.c_char_p, ctypes.c_size_t
    library.mjp_findProvider.argtypes, library.mjp_findProvider.restype = [name], _P
    library.mju_openResource.argtypes = [name, name, _P, name, count]
    library.mju_openResource.restype = _P
    library.mju_readResource.argtypes = [_P, ctypes.POINTER(_P)]
    library.mju_closeResource.argtypes, library.mju_closeResource.restype = [_P], None
    return library
