"""libmujoco from compiled code: typed model and data, functions, callbacks, the physics loop."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from .bindings import guard_bindings
from .callbacks import Callback, CallbackTable, python_callback
from .compile import State, compile_callback, new_state
from .helper import helper
from .loop import Loop, SnapshotSlot, sharpen_timers
from .records import MOMENT, PHYSICS, Outcome, Point
from .scene import CompiledPaint, scene_geoms

__all__ = [
    'MOMENT',
    'PHYSICS',
    'Callback',
    'CallbackTable',
    'CompiledPaint',
    'Loop',
    'Outcome',
    'Point',
    'SnapshotSlot',
    'State',
    'compile_callback',
    'guard_bindings',
    'helper',
    'new_state',
    'python_callback',
    'scene_geoms',
    'sharpen_timers',
]
