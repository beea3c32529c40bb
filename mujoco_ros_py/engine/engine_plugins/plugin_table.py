"""MuJoCo's own table of engine plugins, which has libraries and Python classes alike."""

from __future__ import annotations

import ctypes
import threading

from ...mujoco_internals import PLUGIN_FUNCTIONS, PluginStruct
from ..libmujoco import library

_P, _I = ctypes.c_void_p, ctypes.c_int

lock = threading.RLock()
"""The lock to hold from looking a name up until registering it, as a duplicate name ends the
process."""


class _Symbol(ctypes.Structure):
    """The C struct Dl_info."""

    _fields_ = (('file', ctypes.c_char_p), ('base', _P), ('name', ctypes.c_char_p), ('start', _P))


def find(name: str) -> int | None:
    """Returns the address of the plugin with this name, in which MuJoCo ignores case, or None."""
    lib = library()
    lib.mjp_getPlugin.argtypes, lib.mjp_getPlugin.restype = [ctypes.c_char_p, _P], _P
    address: int | None = lib.mjp_getPlugin(name.encode(), None)
    return address


def addresses() -> dict[str, int]:
    """Returns the addresses of all plugins by name, in the order of their numbers."""
    lib = library()
    lib.mjp_getPluginAtSlot.argtypes, lib.mjp_getPluginAtSlot.restype = [_I], _P
    slots = map(lib.mjp_getPluginAtSlot, range(lib.mjp_pluginCount()))
    return {PluginStruct.from_address(slot).name.decode(): slot for slot in slots}


def names() -> list[str]:
    """Returns the names of all plugins, sorted."""
    return sorted(addresses())


def find_provider(prefix: str) -> bool:
    """Returns whether there is a resource provider for `prefix:`."""
    lib = library()
    lib.mjp_findProvider.argtypes, lib.mjp_findProvider.restype = [ctypes.c_char_p], _P
    return bool(lib.mjp_findProvider(f'{prefix}:'.encode()))


def file_of(plugin: int) -> str:
    """Returns the path of the library that a plugin's functions come from; empty if none."""
    struct, symbol = PluginStruct.from_address(plugin), _Symbol()
    # Any function identifies the library, and no particular one is mandatory.
    function = next(filter(None, (getattr(struct, name) for name in PLUGIN_FUNCTIONS)), None)
    dladdr = ctypes.CDLL(None).dladdr
    dladdr.argtypes = [_P, ctypes.POINTER(_Symbol)]
    if not (dladdr(function, ctypes.byref(symbol)) and symbol.file):
        return ''
    return str(symbol.file.decode(errors='replace'))
