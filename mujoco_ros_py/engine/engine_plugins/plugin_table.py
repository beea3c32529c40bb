"""Reads MuJoCo's own table of engine plugins, which libraries and Python classes share."""

from __future__ import annotations

import ctypes
import threading

from ...mujoco_internals import PLUGIN_FUNCTIONS, PluginStruct
from ..libmujoco import library

_P, _I = ctypes.c_void_p, ctypes.c_int

lock = threading.RLock()
"""Hold this lock from looking up a name until registering it: MuJoCo ends the process if a name is
registered twice."""


class _Symbol(ctypes.Structure):
    """The C struct Dl_info."""

    _fields_ = (('file', ctypes.c_char_p), ('base', _P), ('name', ctypes.c_char_p), ('start', _P))


def find(name: str) -> int | None:
    """Returns the address of the plugin with this name, ignoring case, or None."""
    lib = library()
    lib.mjp_getPlugin.argtypes, lib.mjp_getPlugin.restype = [ctypes.c_char_p, _P], _P
    address: int | None = lib.mjp_getPlugin(name.encode(), None)
    return address


def addresses() -> dict[str, int]:
    """Returns the addresses of all plugins by name, in the order of their slots in the table."""
    lib = library()
    lib.mjp_getPluginAtSlot.argtypes, lib.mjp_getPluginAtSlot.restype = [_I], _P
    slots = map(lib.mjp_getPluginAtSlot, range(lib.mjp_pluginCount()))
    return {PluginStruct.from_address(slot).name.decode(): slot for slot in slots}


def names() -> list[str]:
    """Returns the names of all plugins, sorted."""
    return sorted(addresses())


def find_provider(prefix: str) -> bool:
    """Returns whether a resource provider is registered for `prefix:`."""
    lib = library()
    lib.mjp_findProvider.argtypes, lib.mjp_findProvider.restype = [ctypes.c_char_p], _P
    return bool(lib.mjp_findProvider(f'{prefix}:'.encode()))


def file_of(plugin: int) -> str:
    """Returns the path of the library that contains a plugin's functions, or ''."""
    struct, symbol = PluginStruct.from_address(plugin), _Symbol()
    # Any function identifies the library, and none of them is mandatory.
    function = next(filter(None, (getattr(struct, name) for name in PLUGIN_FUNCTIONS)), None)
    dladdr = ctypes.CDLL(None).dladdr
    dladdr.argtypes = [_P, ctypes.POINTER(_Symbol)]
    if not (dladdr(function, ctypes.byref(symbol)) and symbol.file):
        return ''
    return str(symbol.file.decode(errors='replace'))
