"""All uses of MuJoCo beyond its documented functions.

The package relies on these facts:

- The wheel has one `libmujoco.*<version>*` next to the bindings, which have loaded this library.
- `_address` of the bindings' `MjModel` and `MjData` is the address of the C struct.
- The array `flags` of the bindings' `MjvScene` is the memory of this field in the C struct.
- The symbol `_mjPRIVATE_setTlsLogHandler` sets the log handler of the calling thread and returns
  the previous handler. A handler receives an `mjLogMessage`.
- `_mjPRIVATE__get_xml_precision` and `_mjPRIVATE__set_xml_precision` get and set the number of
  digits that MuJoCo writes, for the whole process.
- `mjpPlugin`, `mjpResourceProvider` and `mjResource` have the memory layouts declared here.
- All arrays of a model are adjacent in one block of memory. `qpos0` and the arrays of bodies come
  first, and `name_bodyadr` follows all arrays except the names. The arrays of meshes, skins,
  height fields and textures are adjacent, with nothing else between them.
- In the C struct of a model, the options precede the statistics; `center` is an array of the
  statistics.
- `mujoco.introspect` describes all structs, enumerations and functions. The wheel includes this
  public module, but no page of MuJoCo documents it.
- The symbol `mj_updateSleep`, if it exists, derives from `tree_asleep` which bodies and degrees of
  freedom are awake.
- `mjcb_control` and the other callbacks are variables that the library exports. The bindings'
  `get_mjcb_control` returns the argument of `set_mjcb_control`, whatever the variable contains.
- `mujoco.rendering.classic.gl_context` chooses the class of OpenGL contexts by MUJOCO_GL when it
  is imported, and again when it is reloaded; `mujoco.Renderer` looks up the class there.
- A history in `MjData.history` has two numbers before the times of its samples. For a sensor with
  an interval, the first number is the time of its last computation. A reset sets all of them to
  the values for time 0.
- The handle of `mujoco.viewer.launch_passive` has a method `_get_sim`, which returns the window,
  or None after the window is closed. The window's `load` takes another model, data and a name.
"""

from __future__ import annotations

import ctypes
import importlib
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import mujoco
import numpy as np

CFunction: TypeAlias = Any
"""`FunctionDecl` of `mujoco.introspect`: name, parameters and result of a C function."""
CParameter: TypeAlias = Any
"""`FunctionParameterDecl` of `mujoco.introspect`: the name and the type of a parameter."""

ADDRESS = '_address'
"""The attribute of the bindings' objects with the address of the C struct."""
SET_LOG_HANDLER = '_mjPRIVATE_setTlsLogHandler'
"""The symbol of `mjfLogHandler f(mjfLogHandler)`."""
_GET_XML_PRECISION = '_mjPRIVATE__get_xml_precision'
_SET_XML_PRECISION = '_mjPRIVATE__set_xml_precision'
HISTORY_HEAD = 2
"""The number of values in a history before its times."""
LOG_WARNING, LOG_ERROR = 2, 3
"""The levels of an mjLogMessage; the struct begins with its level as an int."""
LOG_SUBJECT, LOG_SUBJECT_BYTES = 8, 1024
"""The offset and the size, in bytes, of `char subject[1024]` in an mjLogMessage."""

_MANY = tuple(
    name for name in dir(mujoco.MjModel) if name.startswith(('mesh_', 'skin_', 'hfield_', 'tex_'))
)
"""The arrays of a model that may be large and are adjacent."""
_P, _I = ctypes.c_void_p, ctypes.c_int
PLUGIN_FUNCTIONS = (
    'nstate', 'nsensordata', 'init', 'destroy', 'copy', 'reset', 'compute', 'advance',
    'visualize', 'actuator_act_dot', 'sdf_distance', 'sdf_gradient', 'sdf_staticdistance',
    'sdf_attribute', 'sdf_aabb',
)  # fmt: skip
"""The function pointers of an mjpPlugin, in their order."""
PROVIDER_FUNCTIONS = 'open', 'read', 'close', 'mount', 'unmount', 'modified', 'write'
"""The function pointers of an mjpResourceProvider, in their order."""


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
    """The part of the C struct mjResource that a provider needs."""

    _fields_ = (
        ('name', ctypes.c_char_p),
        ('data', _P),
        ('vfs', _P),
        ('timestamp', ctypes.c_char * 512),
    )


@cache
def library_path() -> Path:
    """Returns the file of the library that the bindings have loaded.

    Raises ImportError if the file does not exist.
    """
    folder = Path(mujoco.__file__).parent
    for path in sorted(folder.glob(f'libmujoco.*{mujoco.__version__}*')):
        return path
    raise ImportError(f'no libmujoco {mujoco.__version__} in {folder}')


def open_library() -> ctypes.CDLL:
    """Returns a new ctypes object for the library, which is loaded only once.

    Each caller gets its own object: the types that a caller declares for a function apply only to
    its own calls.
    """
    return ctypes.CDLL(str(library_path()))


def address_of(owner: mujoco.MjModel | mujoco.MjData) -> int:
    """Returns the address of the C struct mjModel or mjData of an object of the bindings."""
    address: int = owner._address
    return address


def address_of_flags(scene: mujoco.MjvScene) -> int:
    """Returns the address of the field `flags` in the C struct of an MjvScene.

    Unlike models and data, a scene does not expose its own address.
    """
    return int(scene.flags.ctypes.data)


@cache
def callback_pointer(name: str) -> Any:
    """Returns the library's variable with the address of a callback, such as mjcb_control."""
    return _P.in_dll(open_library(), name)


class ModelNumbers:
    """The numbers and options of a model at one moment, to detect later changes.

    The arrays of meshes, skins, height fields and textures may be large, and are not copied.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        """Copies the numbers."""
        self._model = model
        begin = _span(model.qpos0)[0] if model.nq else _span(model.body_parentid)[0]
        end = _span(model.name_bodyadr)[0]
        there = model.nmesh or model.nskin or model.nhfield or model.ntex
        left_out = [
            _span(array)
            for name in (_MANY if there else ())
            if isinstance(array := getattr(model, name), np.ndarray) and array.size
        ]
        if left_out:
            hole = min(span[0] for span in left_out), max(span[1] for span in left_out)
            self._spans = [(begin, hole[0]), (hole[1], end)]
        else:
            self._spans = [(begin, end)]
        self._spans.append((address_of(model), _span(model.stat.center)[0]))
        self._copies = self._now()

    @property
    def changed(self) -> bool:
        """Whether any number or option of the model has changed since the copy."""
        return self._now() != self._copies

    def before(self, name: str) -> np.ndarray[Any, Any]:
        """Returns an array of the model as it was at the time of the copy."""
        array: np.ndarray[Any, Any] = getattr(self._model, name)
        if not array.size:
            return np.array(array)
        first, last = _span(array)
        for (begin, end), copy in zip(self._spans, self._copies, strict=True):
            if begin <= first and last <= end:
                rows = np.frombuffer(copy, array.dtype, array.size, first - begin)
                return np.reshape(rows, array.shape)
        raise KeyError(name)

    def _now(self) -> list[bytes]:
        return [ctypes.string_at(begin, end - begin) for begin, end in self._spans]


def _span(array: np.ndarray[Any, Any]) -> tuple[int, int]:
    """Returns the addresses of the start and the end of an array that is not empty."""
    begin: int = array.__array_interface__['data'][0]
    return begin, begin + array.nbytes


def derive_sleep(model: mujoco.MjModel, data: mujoco.MjData) -> bool:
    """Derives the awake bodies from `data.tree_asleep`; returns False if MuJoCo cannot."""
    derive = _sleep_function()
    if derive is None:
        return False
    derive(_P(address_of(model)), _P(address_of(data)))
    return True


@cache
def _sleep_function() -> Any:
    return getattr(open_library(), 'mj_updateSleep', None)


def exchange_xml_precision(digits: int) -> int:
    """Sets the number of digits that MuJoCo writes, and returns the previous number.

    Raises RuntimeError if MuJoCo lacks the functions for this.
    """
    library = open_library()
    try:
        before = int(library[_GET_XML_PRECISION]())
        library[_SET_XML_PRECISION](digits)
    except AttributeError:
        raise RuntimeError(
            f'MuJoCo {mujoco.__version__} writes only six digits of each number, and has no'
            ' setting for more'
        ) from None
    return before


def gl_context() -> Any:
    """Returns MuJoCo's module with GLContext, the class of OpenGL contexts."""
    return importlib.import_module('mujoco.rendering.classic.gl_context')


def structs() -> dict[str, Any]:
    """Returns the declarations of MuJoCo's structs by name; the import takes 30 ms."""
    from mujoco.introspect.structs import STRUCTS

    return STRUCTS  # type: ignore[no-any-return]


def enumerations() -> dict[str, Any]:
    """Returns the declarations of MuJoCo's enumerations by name."""
    from mujoco.introspect.enums import ENUMS

    return ENUMS  # type: ignore[no-any-return]


def functions() -> dict[str, Any]:
    """Returns the declarations of MuJoCo's functions by name; the import takes 30 ms."""
    from mujoco.introspect.functions import FUNCTIONS

    return FUNCTIONS  # type: ignore[no-any-return]


def load_into_window(handle: Any, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Shows another model in the window of `mujoco.viewer`, unless the window is closed."""
    window = handle._get_sim()
    if window is not None:
        window.load(model, data, '')


def begin_histories(model: mujoco.MjModel, data: mujoco.MjData, since: float = 0.0) -> None:
    """Shifts the histories of `data` from the time `since`, in s, to the time of `data`.

    Call it after changing only the time; a reset makes the histories begin at 0. Otherwise, a
    sensor with an interval is computed in every step until it has caught up, or not at all until
    the old time is reached again. A sensor with a delay would have a gap between its past samples.
    """
    moved = data.time - since
    if not getattr(model, 'nhistory', 0) or not moved:
        return
    for addresses, counts in (
        (model.actuator_historyadr, model.actuator_history[:, 0]),
        (model.sensor_historyadr, model.sensor_history[:, 0]),
    ):
        for address, count in zip(addresses, counts, strict=True):
            if address >= 0:
                start = address + HISTORY_HEAD
                data.history[start : start + count] += moved
    periodic = (model.sensor_historyadr >= 0) & (model.sensor_interval[:, 0] > 0)
    data.history[model.sensor_historyadr[periodic]] += moved
