"""Loads a library into a process with libmujoco, and prints what it registers as JSON."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from typing import Any

DONE = 75
"""The exit code of success; a library may end the process with 0."""


def main(libmujoco: str, file: str) -> None:
    """Loads `file`, and prints what it registers; uses only the standard library."""
    lib = ctypes.CDLL(libmujoco, ctypes.RTLD_GLOBAL)  # for libraries that are not linked with it
    # libmujoco itself has registered entries, which do not count.
    before = _registered(lib)
    try:
        ctypes.CDLL(file)
    except OSError as error:
        answer: dict[str, Any] = {'error': str(error)}
    else:
        answer = {
            kind: [name for name in names if name not in before[kind]]
            for kind, names in _registered(lib).items()
        }
    print('\n' + json.dumps(answer), flush=True)
    os._exit(DONE)  # skips the library's exit handlers


def _registered(lib: ctypes.CDLL) -> dict[str, list[str]]:
    """Returns the registered names by kind; plugin and provider structs begin with the name."""
    found = {}
    for kind, at, count, first in (
        ('plugins', lib.mjp_getPluginAtSlot, lib.mjp_pluginCount(), 0),
        ('providers', lib.mjp_getProviderAtSlot, lib.mjp_providerCount(), 1),
    ):
        at.restype = ctypes.POINTER(ctypes.c_char_p)
        found[kind] = [
            at(slot)[0].decode(errors='replace') for slot in range(first, first + count)
        ]
    return found


if __name__ == '__main__':
    main(*sys.argv[1:])
