"""The memory that Python and compiled code share: records, each field with one writer."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ..mujoco_internals import LOG_SUBJECT_BYTES
from .c_types import JUMP_BUFFER


class Point(IntEnum):
    """The points at which callbacks fire."""

    CONTROL = 0
    PASSIVE = 1
    LAST_STAGE = 2
    RENDER = 3
    """When an image is made, on the render thread and with a scene."""

    @property
    def method(self) -> str:
        """The name of the plugin's method."""
        return f'{self.name.lower()}_callback'


class Kind(IntEnum):
    """The arguments that a compiled function takes besides its state."""

    CALLBACK = 0
    """The function takes model and data."""
    RENDER = 1
    """The function takes model, data and a scene."""
    MESSAGE = 2
    """The function takes model, data and a message that has come."""
    FILL = 3
    """The function takes model, data and a message to fill, and may tell whether to send it."""


PHYSICS = (Point.CONTROL, Point.PASSIVE, Point.LAST_STAGE)
"""The points that the physics loop fires."""


class Outcome(IntEnum):
    """The reasons why the physics loop returned to Python."""

    COMMAND = 0
    """Python asked the loop to return."""
    STEPPED = 1
    """The requested steps of a paused loop are done."""
    FINISHED = 2
    """No steps remain."""
    NOTICE = 3
    """MuJoCo warned, time jumped, or the program has set a callback of MuJoCo: `take_warnings` and
    `take_jump` of `Loop` return the first two."""
    ERROR = 4
    """MuJoCo reported a fatal error; its text is in the guard, and the data are undefined."""
    AWAITED = 5
    """An answer that a lockstep awaits has not come in time."""


LATENESS = 4096
"""The number of newest paced steps whose latenesses are kept."""

TIMES = 4096
"""The number of newest steps whose times are kept for the clock; a power of two."""

REGISTRY_BITS = 16
REGISTRY_SLOTS = 1 << REGISTRY_BITS
"""The number of slots of the hash table of the simulations in one process."""
REGISTRY_CAPACITY = REGISTRY_SLOTS // 2
"""The maximum number of simulations in one process: half of the slots stay empty."""
REGISTRY_MULTIPLIER = -0x61C8864680B583EB
"""The multiplier of the hash: the golden ratio as a signed 64-bit fraction."""
NO_DATA, REMOVED = 0, 1
"""The keys of slots that are empty, and that have been used before; all others are addresses."""

CALLBACK = np.dtype(
    [
        ('function', np.int64),  # address of the code; 0: disabled
        ('state', np.int64),  # address of the state record
        ('python', np.int64),  # whether the callback leads back to Python
        ('cost_ns', np.float64),  # mean duration of the timed calls
        ('calls', np.int64),  # number of timed calls
    ]
)
"""A callback in a table."""

TABLE = np.dtype(
    [
        ('callbacks', np.int64),  # address of the CALLBACKs, sorted by point
        # index of the first callback of each point, and of the end
        ('first', np.int64, len(Point) + 1),
        ('measure', np.int64),  # whether calls of this step are timed
        ('running', np.int64),  # index of the running callback, from 1; 0: none
        ('points', np.int64),  # a bit for each point whose callbacks are running
        ('reporter', np.int64),  # address of the Python object that is called with exceptions
        ('scene', np.int64),  # address of the mjvScene for RENDER
        ('passive', np.int64),  # address for the sum of the forces that PASSIVE adds; 0: none
        # largest absolute value of controls and of applied forces after CONTROL; 0: any
        ('limit', np.float64),
    ]
)
"""A callback table."""

MOVED = 2
"""The number of MuJoCo's callbacks at which simulations have functions of their own."""

PROGRAM_CALLBACKS = np.dtype(
    [
        ('variables', np.int64, 8),  # their addresses
        ('default', np.int64, 8),  # their contents before anybody sets them
        ('own', np.int64, MOVED),  # addresses of our functions for the first of them
        ('program', np.int64, MOVED),  # addresses that the program has set there; 0: none
        ('logged', np.int64),  # a bit for each variable that has been logged as set by the program
    ]
)
"""MuJoCo's variables for callbacks, which belong to the process."""

MESSAGE = LOG_SUBJECT_BYTES
"""The maximum length of a MuJoCo message in bytes."""
WARNINGS = 8
"""The number of MuJoCo's newest warnings that are kept until they are taken; a power of two."""

GUARD = np.dtype(
    [
        ('jump', np.uint8, JUMP_BUFFER),  # the jmp_buf to which an error jumps
        ('previous', np.uint64),  # log handler before the call
        ('outer', np.uint64),  # guard around this one on the same thread; 0: none
        ('warnings', np.int64),  # number of all warnings
        ('error', np.uint8, MESSAGE),  # message of the last fatal error
        ('warning', np.uint8, (WARNINGS, MESSAGE)),  # the newest warnings, as a ring
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
        ('due', np.float64),  # time from which the next snapshot is wanted, in s
        ('asked', np.int64),  # number of requests; written by the receiver
        ('served', np.int64),  # number of the last request that was served; written by the loop
        ('event', np.int64),  # eventfd to signal after a copy
    ]
)
"""A receiver's snapshot."""

LOOP = np.dtype(
    [
        # Python writes these.
        ('wanted', np.int64),  # return to Python
        ('paused', np.int64),  # make no steps, except for `burst`
        ('failed', np.int64),  # the data are undefined: do not touch them
        ('epoch', np.int64),  # changes when time starts again
        ('burst', np.int64),  # steps to make although paused; the loop counts down
        ('remaining', np.int64),  # steps until FINISHED, -1: no end; the loop counts down
        ('realtime', np.float64),  # simulated time per wall time; -1: unthrottled
        ('spin_ns', np.int64),  # the part of a wait that is spun and not slept
        ('wake', np.int64),  # eventfd that ends a wait
        ('step', np.int64),  # address of the function that makes a step
        ('forward', np.int64),  # address of the function that makes a forward pass
        ('copy', np.int64),  # address of mj_copyData
        ('kept', np.int64),  # address of scratch memory for qacc_warmstart and sensordata
        ('passive', np.int64),  # address of the forces that passive callbacks add; 0: none
        ('receivers', np.int64),  # number of receivers of snapshots
        ('snapshots', np.int64),  # address of the addresses of their SNAPSHOTs
        ('rings', np.int64),  # number of RINGs
        ('ring_addresses', np.int64),  # address of their addresses
        ('inlets', np.int64),  # address of the INLETS; 0: none
        ('take', np.int64),  # address of `take_messages`
        ('take_all', np.int64),  # address of `take_all`
        ('lockstep', np.int64),  # address of the LOCKSTEP; 0: none
        ('await_answers', np.int64),  # addresses of functions of `compiled.lockstep`
        ('take_earlier', np.int64),
        ('repeat', np.int64),
        ('warnings', np.int64),  # number of warnings that Python has taken
        # The loop writes these, unless they say otherwise.
        ('deadline_ns', np.int64),  # wall time at which the next step is due; 0: at once
        ('forward_ns', np.int64),  # wall time of the next forward pass of a pause
        ('turns', np.int64),  # counts up as long as the loop runs
        ('steps', np.int64),  # number of steps since the model was loaded
        ('time', np.float64),  # time of the data, in s
        # time + ros_offset, in one number, because the clock reads it between the two writes
        ('ros_time', np.float64),
        # changes where an epoch begins; Python writes it in a load or reset
        ('ros_offset', np.float64),
        # whether ROS time continues where `time` jumps; written by Python
        ('continues', np.int64),
        ('begun', np.int64),  # epoch whose beginning has been seen
        ('begin', np.float64),  # time at which that epoch began, in s
        ('jumps', np.int64),  # number of jumps of the time
        ('late_count', np.int64),  # number of paced steps
        ('late_ns', np.int64, LATENESS),  # lateness of the newest of them, as a ring
        ('step_ns', np.int64),  # wall time between two steps; 0: unpaced
        # the time of the last step is not in `times` yet: messages of that time go first
        ('unsent', np.int64),
        ('time_event', np.int64),  # eventfd that wakes the clock; written by Python
        # the clock waits for `time_event`; set by the clock, cleared by the loop
        ('time_awaited', np.int64),
        # ROS time from which it is to be signalled; written by the clock
        ('time_due', np.float64),
        ('time_count', np.int64),  # number of all entries of `times`
        ('times', np.float64, TIMES),  # ROS times after the newest steps, as a ring
    ]
)
"""The record of the loop. Each field has one writer while the loop runs."""


def structure(layout: np.dtype[Any]) -> Any:
    """Returns a record as a ctypes structure, which reads ten times faster than np.record."""
    return np.ctypeslib.as_ctypes_type(layout)
