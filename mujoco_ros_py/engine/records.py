"""Records that Python and compiled code share; each field has one writer."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ..mujoco_internals import LOG_SUBJECT_BYTES
from .c_types import JUMP_BUFFER


class Point(IntEnum):
    """The points at which plugins' callbacks are called."""

    READ = 0
    """Before all CONTROL callbacks, in the same pass."""
    CONTROL = 1
    WRITE = 2
    """After all CONTROL callbacks, in the same pass."""
    PASSIVE = 3
    LAST_STAGE = 4
    RENDER = 5
    """While an image is rendered, on the render thread, with a scene."""

    @property
    def method(self) -> str:
        """The name of the plugin's method."""
        return f'{self.name.lower()}_callback'


class Kind(IntEnum):
    """The arguments that a compiled function takes in addition to its state."""

    CALLBACK = 0
    """The function takes model and data."""
    RENDER = 1
    """The function takes model, data and a scene."""
    MESSAGE = 2
    """The function takes model, data and a received message."""
    FILL = 3
    """The function takes model, data and a message to fill, and can return whether to send it."""


PHYSICS = (Point.CONTROL, Point.PASSIVE, Point.LAST_STAGE)
"""The moments of a step at which callbacks are called; READ and WRITE surround CONTROL."""


class Outcome(IntEnum):
    """The reasons why the physics loop returns to Python."""

    COMMAND = 0
    """Python requested the return."""
    STEPPED = 1
    """A paused loop has finished the requested steps."""
    FINISHED = 2
    """No steps remain."""
    NOTICE = 3
    """MuJoCo logged a warning, time jumped, or the program set a MuJoCo callback.
    `Loop.take_warnings` returns the warnings, and `Loop.take_jump` whether time jumped."""
    ERROR = 4
    """MuJoCo reported a fatal error; the guard contains the message, and the data is
    undefined."""
    AWAITED = 5
    """An answer that a lockstep awaits did not arrive in time."""


LATENESS = 4096
"""The number of paced steps whose lateness is kept."""

TIMES = 4096
"""The number of steps whose times are kept for the clock; a power of two."""

REGISTRY_BITS = 16
REGISTRY_SLOTS = 1 << REGISTRY_BITS
"""The number of slots in the hash table of the simulations of one process."""
REGISTRY_CAPACITY = REGISTRY_SLOTS // 2
"""The maximum number of simulations in one process: half of the slots stay empty."""
REGISTRY_MULTIPLIER = -0x61C8864680B583EB
"""The hash multiplier: the golden ratio as a signed 64-bit fraction."""
NO_DATA, REMOVED = 0, 1
"""Keys of empty slots and of slots whose entry was removed. All other keys are addresses of
mjData."""

CALLBACK = np.dtype(
    [
        ('function', np.int64),  # address of the code; 0: disabled
        ('state', np.int64),  # address of the state record
        ('python', np.int64),  # whether the callback calls into Python
        ('cost_ns', np.float64),  # mean duration of the timed calls
        ('calls', np.int64),  # number of timed calls
    ]
)
"""A callback in a table."""

TABLE = np.dtype(
    [
        ('callbacks', np.int64),  # address of the CALLBACKs, sorted by point
        # index of the first callback of each point, then the end index
        ('first', np.int64, len(Point) + 1),
        ('measure', np.int64),  # whether calls of this step are timed
        ('running', np.int64),  # 1-based index of the running callback; 0: none
        ('points', np.int64),  # one bit for each point whose callbacks are running
        ('reporter', np.int64),  # address of the Python object that is called with exceptions
        ('scene', np.int64),  # address of the mjvScene for RENDER
        # address to which the sum of the forces of PASSIVE callbacks is written; 0: disabled
        ('passive', np.int64),
        # maximum absolute value of controls and applied forces after WRITE; 0: no limit
        ('limit', np.float64),
    ]
)
"""A callback table."""

MOVED = 2
"""The number of MuJoCo callbacks at which simulations have their own functions."""

PROGRAM_CALLBACKS = np.dtype(
    [
        ('variables', np.int64, 8),  # addresses of the variables
        ('default', np.int64, 8),  # contents of the variables before the program sets callbacks
        ('own', np.int64, MOVED),  # addresses of our functions for the first MOVED variables
        # addresses of the program's callbacks that our functions have replaced; 0: none
        ('program', np.int64, MOVED),
        ('logged', np.int64),  # one bit for each variable that was logged as set by the program
    ]
)
"""MuJoCo's global callback variables."""

MESSAGE = LOG_SUBJECT_BYTES
"""The maximum length of a MuJoCo message in bytes."""
WARNINGS = 8
"""The number of MuJoCo warnings that are kept until Python takes them; a power of two."""

GUARD = np.dtype(
    [
        ('jump', np.uint8, JUMP_BUFFER),  # the jmp_buf that an error jumps to
        ('previous', np.uint64),  # log handler before the call
        ('outer', np.uint64),  # enclosing guard on the same thread; 0: none
        ('warnings', np.int64),  # total number of warnings
        ('error', np.uint8, MESSAGE),  # message of the last fatal error
        ('warning', np.uint8, (WARNINGS, MESSAGE)),  # the newest warnings, a ring buffer
    ],
    align=True,
)
"""The memory of a guarded call."""

SAMPLE_TIME = np.dtype(
    [
        ('epoch', np.int64),  # number of the epoch
        ('steps', np.int64),  # number of steps
        ('begin', np.float64),  # time at which the epoch began, in s
        ('ros_offset', np.float64),  # ROS time minus the time of the data, in s
    ]
)
"""The time at which a snapshot was taken."""

SNAPSHOT = np.dtype(
    [
        ('data', np.int64),  # address of the mjData for the copy; 0: none
        ('sample_time', np.int64),  # address of the SAMPLE_TIME
        ('passive', np.int64),  # address for the forces of passive callbacks
        ('due', np.float64),  # earliest time of the next snapshot, in s
        ('asked', np.int64),  # number of requests; written by the receiver
        ('served', np.int64),  # number of the last answered request; written by the loop
        ('event', np.int64),  # eventfd to signal after a copy
    ]
)
"""A receiver's requests for copies of the data, and the loop's answers."""

LOOP = np.dtype(
    [
        # Python writes the following fields.
        ('wanted', np.int64),  # whether to return to Python
        ('paused', np.int64),  # whether to make no steps except those of `burst`
        ('failed', np.int64),  # whether the data is undefined and must not be used
        ('epoch', np.int64),  # changes when time restarts
        ('burst', np.int64),  # steps to make while paused; the loop counts down
        ('remaining', np.int64),  # steps until FINISHED, -1: unlimited; the loop counts down
        ('realtime', np.float64),  # simulated time / wall time; -1: unthrottled
        ('spin_ns', np.int64),  # duration of spinning at the end of a wait, instead of sleeping
        ('wake', np.int64),  # eventfd that ends a wait
        ('step', np.int64),  # address of the function that makes a step
        ('forward', np.int64),  # address of the function that makes a forward pass
        ('copy', np.int64),  # address of mj_copyData
        ('kept', np.int64),  # address of scratch memory for qacc_warmstart and sensordata
        # address of the summed forces of PASSIVE callbacks; 0 without such callbacks
        ('passive', np.int64),
        ('receivers', np.int64),  # number of receivers of snapshots
        ('snapshots', np.int64),  # address of an array with the addresses of their SNAPSHOTs
        ('rings', np.int64),  # number of RINGs
        ('ring_addresses', np.int64),  # address of an array with the addresses of the RINGs
        ('inlets', np.int64),  # address of the INLETS; 0: none
        ('take', np.int64),  # address of `take_messages`
        ('take_all', np.int64),  # address of `take_all`
        ('pipes', np.int64),  # address of the PIPES; 0: none
        ('serve_pipes', np.int64),  # address of a function of `compiled.pipes`
        ('lockstep', np.int64),  # address of the LOCKSTEP; 0: none
        ('await_answers', np.int64),  # addresses of functions of `compiled.lockstep`
        ('take_earlier', np.int64),
        ('repeat', np.int64),
        ('warnings', np.int64),  # number of warnings taken by Python
        # The loop writes the following fields, unless noted otherwise.
        ('deadline_ns', np.int64),  # wall time at which the next step is due; 0: immediately
        ('forward_ns', np.int64),  # wall time of the next forward pass while paused
        ('turns', np.int64),  # keeps increasing while the loop runs
        ('steps', np.int64),  # number of steps since the model was loaded
        ('time', np.float64),  # time of the data, in s
        # time + ros_offset, stored as one number because the clock could read the two between
        # their writes
        ('ros_time', np.float64),
        # ROS time minus `time`; changes when an epoch begins; Python writes it at a load or reset
        ('ros_offset', np.float64),
        # whether ROS time continues when `time` jumps; written by Python
        ('continues', np.int64),
        ('begun', np.int64),  # the last epoch whose beginning the loop has noticed
        ('begin', np.float64),  # time at which that epoch began, in s
        ('jumps', np.int64),  # number of time jumps
        ('late_count', np.int64),  # number of paced steps
        ('late_ns', np.int64, LATENESS),  # lateness of the newest paced steps, a ring buffer
        ('step_ns', np.int64),  # wall time between two steps; 0: unpaced
        # whether the time of the last step is still missing in `times`, because messages with that
        # time are sent first
        ('unsent', np.int64),
        ('time_event', np.int64),  # eventfd that wakes the clock; written by Python
        # whether the clock is waiting for `time_event`; set by the clock, cleared by the loop
        ('time_awaited', np.int64),
        # ROS time at which to signal `time_event`; written by the clock
        ('time_due', np.float64),
        ('time_count', np.int64),  # number of times written to `times`
        ('times', np.float64, TIMES),  # ROS times after the newest steps, a ring buffer
    ]
)
"""The record of the loop. Each field has one writer while the loop runs."""


def structure(layout: np.dtype[Any]) -> Any:
    """Returns the ctypes structure of a record, which reads ten times faster than np.record."""
    return np.ctypeslib.as_ctypes_type(layout)
