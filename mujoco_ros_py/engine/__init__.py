"""The parts that call libmujoco from compiled code: model, data, callbacks, the physics loop."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from .arena import arena
from .bindings import guard_bindings
from .callback_table import Callback, CallbackTable, python_callback
from .inlined import inlined
from .physics_loop import Loop, SnapshotSlot, sharpen_timers
from .records import MOMENT, PHYSICS, Outcome, Point
from .scene import CompiledPaint, scene_geoms
from .state_record import State, new_state
from .user_code import compile_callback

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
    'arena',
    'compile_callback',
    'guard_bindings',
    'inlined',
    'new_state',
    'python_callback',
    'scene_geoms',
    'sharpen_timers',
]
