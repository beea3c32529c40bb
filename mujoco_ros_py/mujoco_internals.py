"""All that the package uses of MuJoCo besides its documented functions.

It relies on these facts:

- The wheel has one `libmujoco.*<version>*` beside the bindings, which these have loaded.
- `MjModel` and `MjData` of the bindings tell in `_address` where the C struct lies.
- The array `flags` of the bindings' `MjvScene` is the memory of this field in the C struct.
- The symbol `_mjPRIVATE_setTlsLogHandler` sets the log handler of the calling thread and returns
  the one before; the handler gets an `mjLogMessage`.
- `_mjPRIVATE__get_xml_precision` and `_mjPRIVATE__set_xml_precision` get and set the number of
  digits that MuJoCo writes, for the whole process.
- `mjpPlugin`, `mjpResourceProvider` and `mjResource` lie in memory as they are declared here.
- All arrays of a model lie one behind the other in one block of memory: `qpos0` and the bodies
  first, `name_bodyadr` behind everything that is no name, and the arrays of meshes, skins, height
  fields and textures together, with nothing else between them.
- The options of a model lie in its C struct before the statistics, of which `center` is an array.
- `mujoco.introspect` describes all structs, enumerations and functions. The wheel has it for
  everybody, but no page of MuJoCo documents it.
- The symbol `mj_updateSleep`, where there is one, derives from `tree_asleep` which bodies and
  degrees of freedom are awake.
- `mjcb_control` and its like are variables that the library exports. The bindings return by
  `get_mjcb_control` what was given to `set_mjcb_control`, whatever the variable has.
- `mujoco.rendering.classic.gl_context` chooses the class of OpenGL contexts by MUJOCO_GL when it
  is imported, and again when it is reloaded; `mujoco.Renderer` looks the class up there.
- A history in `MjData.history` has two numbers before the times of its samples, of which the first
  is, for a sensor with an interval, the time of its last computation. A reset sets all of them as
  at time 0.
- The handle of `mujoco.viewer.launch_passive` returns by `_get_sim` the window, or None once it is
  closed; its function `load` takes another model, data and a name.
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
"""The attribute of the bindings' objects that has the address of the C struct."""
SET_LOG_HANDLER = '_mjPRIVATE_setTlsLogHandler'
"""The symbol of `mjfLogHandler f(mjfLogHandler)`."""
_GET_XML_PRECISION = '_mjPRIVATE__get_xml_precision'
_SET_XML_PRECISION = '_mjPRIVATE__set_xml_precision'
HISTORY_HEAD = 2
"""The numbers of a history before its times."""
LOG_WARNING, LOG_ERROR = 2, 3
"""The levels of an mjLogMessage, which begins with its level as an int."""
LOG_SUBJECT, LOG_SUBJECT_BYTES = 8, 1024
"""The offset and the size, in bytes, of `char subject[1024]` in an mjLogMessage."""

_MANY = tuple(
    name for name in dir(mujoco.MjModel) if name.startswith(('mesh_', 'skin_', 'hfield_', 'tex_'))
)
"""The arrays of a model that may be large, and that lie together."""
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
def library_path() -> Path:
    """Returns the file of the library that the bindings have loaded.

    Raises ImportError if there is none.
    """
    folder = Path(mujoco.__file__).parent
    for path in sorted(folder.glob(f'libmujoco.*{mujoco.__version__}*')):
        return path
    raise ImportError(f'no libmujoco {mujoco.__version__} in {folder}')


def open_library() -> ctypes.CDLL:
    """Opens the library once more, without loading it again.

    Each caller gets an object of its own: the types that it declares for a function are for its
    own calls only.
    """
    return ctypes.CDLL(str(library_path()))


def address_of(owner: mujoco.MjModel | mujoco.MjData) -> int:
    """Returns the address of the mjModel or mjData of an object of the bindings."""
    address: int = owner._address
    return address


def address_of_flags(scene: mujoco.MjvScene) -> int:
    """Returns the address of the field `flags` of the mjvScene of an object of the bindings.

    A scene does not tell its own address, as models and data do.
    """
    return int(scene.flags.ctypes.data)


@cache
def callback_pointer(name: str) -> Any:
    """Returns the library's variable with the address of a callback, such as mjcb_control."""
    return _P.in_dll(open_library(), name)


class ModelNumbers:
    """The numbers and options of a model at one moment, by which later changes of them are found.

    Those of meshes, skins, height fields and textures, which may be many, are not among them.
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
        """Whether any number or option of the model has changed since then."""
        return self._now() != self._copies

    def before(self, name: str) -> np.ndarray[Any, Any]:
        """Returns an array of the model as it was then."""
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
    """Returns the addresses of the begin and the end of an array that is not empty."""
    begin: int = array.__array_interface__['data'][0]
    return begin, begin + array.nbytes


def derive_sleep(model: mujoco.MjModel, data: mujoco.MjData) -> bool:
    """Derives what is awake from `data.tree_asleep`; returns whether this MuJoCo can do that."""
    derive = _sleep_function()
    if derive is None:
        return False
    derive(_P(address_of(model)), _P(address_of(data)))
    return True


@cache
def _sleep_function() -> Any:
    return getattr(open_library(), 'mj_updateSleep', None)


def exchange_xml_precision(digits: int) -> int:
    """Sets the number of digits that MuJoCo writes, and returns the one before.

    Raises RuntimeError if the functions for this are missing.
    """
    library = open_library()
    try:
        before = int(library[_GET_XML_PRECISION]())
        library[_SET_XML_PRECISION](digits)
    except AttributeError:
        raise RuntimeError(
            f'MuJoCo {mujoco.__version__} writes six digits of each number and cannot be told to'
            ' write all'
        ) from None
    return before


def gl_context() -> Any:
    """Returns MuJoCo's module that has the class of OpenGL contexts, GLContext."""
    return importlib.import_module('mujoco.rendering.classic.gl_context')


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


def load_into_window(handle: Any, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Has the window of `mujoco.viewer` show another model; nothing if it is closed."""
    window = handle._get_sim()
    if window is not None:
        window.load(model, data, '')


def begin_histories(model: mujoco.MjModel, data: mujoco.MjData, since: float = 0.0) -> None:
    """Moves the histories of data from the time `since`, in s, to that of the data.

    That is after a change of the time alone; a reset has them begin at 0. Otherwise a sensor with
    an interval is computed in every step until it has made up for the time between, or not at all
    until the time is back, and one with a delay has samples in its past that lie apart.
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
