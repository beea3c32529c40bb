"""Everything that the engine uses of MuJoCo besides its documented functions.

The engine relies on these facts:

- The wheel has one `libmujoco.*<version>*` beside the bindings, which these have loaded
  (`mujoco_library`).
- `MjModel` and `MjData` of the bindings tell in `_address` where the C struct lies.
- The symbol `_mjPRIVATE_setTlsLogHandler` sets the log handler of the calling thread and returns
  the one before; the handler gets an `mjLogMessage`.
- `mjpPlugin`, `mjpResourceProvider` and `mjResource` lie in memory as they are declared here.
- `mujoco.introspect` describes all structs, enumerations and functions.
- `mjcb_control` and `mjcb_passive` are variables that the library exports.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import mujoco

from ...mujoco_library import library_path, open_library
from ...mujoco_log import forward_warnings
from .llvmlite_internals import load_library

ADDRESS = '_address'
"""The attribute of the bindings' objects that has the address of the C struct."""
SET_LOG_HANDLER = '_mjPRIVATE_setTlsLogHandler'
"""The symbol of `mjfLogHandler f(mjfLogHandler)`."""
LOG_WARNING, LOG_ERROR = 2, 3
"""The levels of an mjLogMessage, which begins with its level as an int."""
LOG_SUBJECT, LOG_SUBJECT_BYTES = 8, 1024
"""The offset and the size, in bytes, of `char subject[1024]` in an mjLogMessage."""

_P, _I = ctypes.c_void_p, ctypes.c_int
PLUGIN_FUNCTIONS = (
    'nstate', 'nsensordata', 'init', 'destroy', 'copy', 'reset', 'compute', 'advance',
    'visualize', 'actuator_act_dot', 'sdf_distance', 'sdf_gradient', 'sdf_staticdistance',
    'sdf_attribute', 'sdf_aabb',
)  # fmt: skip
"""The function pointers of an mjpPlugin in their order."""
PROVIDER_FUNCTIONS = 'open', 'read', 'close', 'mount', 'unmount', 'modified', 'write'
"""The function pointers of an mjpResourceProvider in their order."""


class PluginStruct(ctypes.Structure):
    """The C struct mjpPlugin."""

    _fields_ = (
        ('name', ctypes.c_char_p),
        ('nattribute', _I),
        ('attributes', ctypes.POINTER(ctypes.c_char_p)),
        ('capabilityflags', _I),
        ('needstage', _I),
        *((name, _P) for name in PLUGIN_FUNCTIONS),
    )


class ProviderStruct(ctypes.Structure):
    """The C struct mjpResourceProvider."""

    _fields_ = (
        ('prefix', ctypes.c_char_p),
        *((name, _P) for name in PROVIDER_FUNCTIONS),
        ('data', _P),
    )


class ResourceStruct(ctypes.Structure):
    """The C struct mjResource, as far as a provider needs it."""

    _fields_ = (
        ('name', ctypes.c_char_p),
        ('data', _P),
        ('vfs', _P),
        ('timestamp', ctypes.c_char * 512),
    )


@cache
def library() -> ctypes.CDLL:
    """Returns the bindings' shared library, whose symbols compiled code can then use.

    Raises ImportError if it is missing.
    """
    forward_warnings()
    load_library(str(library_path()))
    return open_library()


def address_of(owner: mujoco.MjModel | mujoco.MjData) -> int:
    """Returns the address of the mjModel or mjData of an object of the bindings."""
    address: int = owner._address
    return address


def callback_pointer(name: str) -> Any:
    """Returns the library's variable with the address of a callback, such as mjcb_control."""
    return _P.in_dll(library(), name)


def structs() -> dict[str, Any]:
    """Returns the declarations of MuJoCo's structs by name, whose import takes 30 ms."""
    from mujoco.introspect.structs import STRUCTS

    return STRUCTS  # type: ignore[no-any-return]


def enumerations() -> dict[str, Any]:
    """Returns the declarations of MuJoCo's enumerations by name."""
    from mujoco.introspect.enums import ENUMS

    return ENUMS  # type: ignore[no-any-return]


def functions() -> dict[str, Any]:
    """Returns the declarations of MuJoCo's functions by name, whose import takes 30 ms."""
    from mujoco.introspect.functions import FUNCTIONS

    return FUNCTIONS  # type: ignore[no-any-return]
