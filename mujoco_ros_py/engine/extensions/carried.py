"""Engine plugins for another process: how those of this one are registered there too."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from . import slots
from .contract import EnginePlugin
from .libraries import loaded_files
from .registry import classes, register

_MAIN = '__main__'
"""A module that is another one in each process."""


def carried() -> dict[str, Any]:
    """What `adopt` registers: classes by module and name, and libraries by path.

    In the order in which they were registered, by which a compiled model knows them.
    """
    known = classes()
    plugins: list[tuple[str, ...]] = []
    for name, address in slots.addresses().items():
        plugin = known.get(name)
        if plugin is None:
            plugins.append((name, slots.file_of(address)))
        elif name not in stranded():
            plugins.append((name, plugin.__module__, plugin.__qualname__))
    return {'plugins': plugins, 'libraries': loaded_files()}


def stranded() -> list[str]:
    """Names of plugins whose classes another process cannot import."""
    return [name for name, plugin in classes().items() if not _can_be_imported(plugin)]


def adopt(given: Mapping[str, Any]) -> None:
    """Registers what another process has. What an import or a library raises passes on."""
    for name, *where in given['plugins']:
        if slots.find(name):
            continue
        if len(where) == 1:
            ctypes.CDLL(*where)
        else:
            register(_found(*where))
    for file in given['libraries']:
        ctypes.CDLL(file)


def _can_be_imported(plugin: type[EnginePlugin]) -> bool:
    module = sys.modules.get(plugin.__module__)
    if module is None or plugin.__module__ == _MAIN or '<' in plugin.__qualname__:
        return False
    try:
        return _part(module, plugin.__qualname__) is plugin
    except AttributeError:
        return False


def _found(module: str, qualname: str) -> Any:
    return _part(import_module(module), qualname)


def _part(found: Any, qualname: str) -> Any:
    for part in qualname.split('.'):
        found = getattr(found, part)
    return found
