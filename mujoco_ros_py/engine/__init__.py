"""Runs the physics loop, plugin callbacks and messages in compiled code that calls libmujoco."""

from .. import requirements as _requirements  # noqa: F401  (rejects unsupported MuJoCo versions)
from .arena import arena
from .cache import folder as code_folder
from .callback_table import (
    Callback,
    CallbackTable,
    calling,
    python_callback,
    without_program_callbacks,
)
from .compiling import compiled_functions, stopped_function
from .compiling import stop as stop_compiling
from .crash_line import write_at_crashes
from .data_copies import SnapshotSlot, SpareData
from .hidden_geoms import HiddenGeoms, model_at
from .identity import RetiredOverloads
from .inlined import inlined
from .libmujoco import guard_bindings
from .linux_waits import new_event, sharpen_timers
from .loop_clock import LoopClock
from .memory_views import Memory, numbers_at
from .message_ends import Inlet, MessageCode, Outlet, Port
from .message_lengths import set_length
from .message_pipe import HeldMessages, MessageMemory, MessagePipe
from .message_records import Derived
from .own_code import CRASHES, LOCKSTEP, LOOP, MESSAGES, WORLDS, load_ahead, prepare, wake_function
from .physics_loop import Loop
from .pipe_table import PipeTable
from .program_callbacks import log_program_callbacks
from .records import PHYSICS, SAMPLE_TIME, Outcome, Point
from .sample_ring import RING_CAPACITY, SampleRing
from .scene import CompiledPaint, scene_geoms
from .separate import separate
from .state_record import State, copy_state, new_state, restore_state
from .user_code import (
    compile_callback,
    compile_filter,
    compile_message_function,
    forget_code,
)
from .world_pool import Rows, WorldPool

__all__ = [
    'CRASHES',
    'LOCKSTEP',
    'LOOP',
    'MESSAGES',
    'PHYSICS',
    'RING_CAPACITY',
    'SAMPLE_TIME',
    'WORLDS',
    'Callback',
    'CallbackTable',
    'CompiledPaint',
    'Derived',
    'HeldMessages',
    'HiddenGeoms',
    'Inlet',
    'Loop',
    'LoopClock',
    'Memory',
    'MessageCode',
    'MessageMemory',
    'MessagePipe',
    'Outcome',
    'Outlet',
    'PipeTable',
    'Point',
    'Port',
    'RetiredOverloads',
    'Rows',
    'SampleRing',
    'SnapshotSlot',
    'SpareData',
    'State',
    'WorldPool',
    'arena',
    'calling',
    'code_folder',
    'compile_callback',
    'compile_filter',
    'compile_message_function',
    'compiled_functions',
    'copy_state',
    'forget_code',
    'guard_bindings',
    'inlined',
    'load_ahead',
    'log_program_callbacks',
    'model_at',
    'new_event',
    'new_state',
    'numbers_at',
    'prepare',
    'python_callback',
    'restore_state',
    'scene_geoms',
    'separate',
    'set_length',
    'sharpen_timers',
    'stop_compiling',
    'stopped_function',
    'wake_function',
    'without_program_callbacks',
    'write_at_crashes',
]
