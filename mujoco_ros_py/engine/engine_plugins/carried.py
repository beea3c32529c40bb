"""Registers the engine plugins of this process in another process."""

from __future__ import annotations

import ctypes
import logging
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from . import plugin_table
from .class_registry import classes, register
from .engine_plugin import EnginePlugin
from .plugin_libraries import loaded_files

_log = logging.getLogger(__name__)
_MAIN = '__main__'
"""The module that is different in each process."""


def carried() -> dict[str, Any]:
    """Returns the input of `adopt`: modules and names of classes, and paths of libraries.

    The plugins are in the order of registration, because a compiled model refers to them by their
    position.
    """
    known = classes()
    plugins: list[tuple[str, ...]] = []
    for name, address in plugin_table.addresses().items():
        plugin = known.get(name)
        if plugin is None:
            plugins.append((name, plugin_table.file_of(address)))
        elif name not in stranded():
            plugins.append((name, plugin.__module__, plugin.__qualname__))
    return {'plugins': plugins, 'libraries': loaded_files()}


def stranded() -> list[str]:
    """Returns the names of plugins whose classes other processes cannot import."""
    return [name for name, plugin in classes().items() if not _can_be_imported(plugin)]


def adopt(given: Mapping[str, Any]) -> list[str]:
    """Registers another process's plugins; returns the names of unavailable plugins.

    Logs the errors of unavailable plugins.
    """
    missing = []
    for name, *where in given['plugins']:
        try:
            if not plugin_table.find(name):
                _adopt(*where)
        except (Exception, SystemExit):  # importing runs users' code
            _log.exception('engine plugin %s cannot be used in another process', name)
            missing.append(name)
    # No check is needed: the C library opens a library only once.
    for file in given['libraries']:
        ctypes.CDLL(file)
    return missing


def _adopt(module: str, qualname: str | None = None) -> None:
    """Registers a class of a module, or loads a library."""
    if qualname is None:
        ctypes.CDLL(module)
    else:
        register(_part(import_module(module), qualname))


def _can_be_imported(plugin: type[EnginePlugin]) -> bool:
    module = sys.modules.get(plugin.__module__)
    # The name of a class defined inside a function contains `<locals>` and cannot be imported.
    if module is None or plugin.__module__ == _MAIN or '<' in plugin.__qualname__:
        return False
    try:
        return _part(module, plugin.__qualname__) is plugin
    except AttributeError:
        return False


def _part(found: Any, qualname: str) -> Any:
    for part in qualname.split('.'):
        found = getattr(found, part)
    return found
