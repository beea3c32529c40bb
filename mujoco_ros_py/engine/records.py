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
        ('function', np.int64),
        ('state', np.int64),
        ('python', np.int64),
        ('cost_ns', np.float64),
        ('calls', np.int64),
    ]
)
"""A callback: the addresses of its code (0: disabled) and of its state record, whether it leads
back to Python, and the mean duration of the timed calls."""

TABLE = np.dtype(
    [
        ('callbacks', np.int64),
        ('first', np.int64, len(Point) + 1),
        ('measure', np.int64),
        ('running', np.int64),
        ('points', np.int64),
        ('reporter', np.int64),
        ('scene', np.int64),
        ('passive', np.int64),
        ('limit', np.float64),
    ]
)
"""A callback table: the address of the CALLBACKs, the first of each point, whether calls of this
step are timed, the running callback (0: none), a bit for each point whose callbacks are running,
the Python object that is called with exceptions, the mjvScene for RENDER, the address for the sum
of what PASSIVE adds (0: none), and the largest absolute value of controls and of applied forces
after CONTROL (0: any)."""

MOVED = 2
"""The number of MuJoCo's callbacks at which simulations have functions of their own."""

PROGRAM_CALLBACKS = np.dtype(
    [
        ('variables', np.int64, 8),
        ('default', np.int64, 8),
        ('own', np.int64, MOVED),
        ('program', np.int64, MOVED),
        ('logged', np.int64),
    ]
)
"""The addresses of MuJoCo's variables for callbacks, their default contents, the addresses of our
functions for the first of them, those that the program has set there (0: none), and a bit for each
variable that has been logged as set by the program."""

MESSAGE = LOG_SUBJECT_BYTES
"""The maximum length of a MuJoCo message in bytes."""
WARNINGS = 8
"""The number of MuJoCo's newest warnings that are kept until they are taken; a power of two."""

GUARD = np.dtype(
    [
        ('jump', np.uint8, JUMP_BUFFER),
        ('previous', np.uint64),
        ('outer', np.uint64),
        ('warnings', np.int64),
        ('error', np.uint8, MESSAGE),
        ('warning', np.uint8, (WARNINGS, MESSAGE)),
    ],
    align=True,
)
"""The memory of a guarded call: the place to jump to, the previous log handler, the guard around
it on the same thread (0: none), the messages."""

SAMPLE_TIME = np.dtype(
    [
        ('epoch', np.int64),
        ('steps', np.int64),
        ('begin', np.float64),
        ('ros_offset', np.float64),
    ]
)
"""When a snapshot was taken: the epoch, the number of steps, the time at which the epoch began,
and the offset of ROS time."""

SNAPSHOT = np.dtype(
    [
        ('data', np.int64),
        ('sample_time', np.int64),
        ('passive', np.int64),
        ('due', np.float64),
        ('asked', np.int64),
        ('served', np.int64),
        ('event', np.int64),
    ]
)
"""A receiver's snapshot: the address to which the data are copied (0: none), the SAMPLE_TIME, the
address for what passive callbacks add, the time (s) from which the next one is wanted, the number
asked for (written by the receiver) and served (written by the loop), and the eventfd to signal."""

LOOP = np.dtype(
    [
        ('wanted', np.int64),
        ('paused', np.int64),
        ('failed', np.int64),
        ('epoch', np.int64),
        ('burst', np.int64),
        ('remaining', np.int64),
        ('realtime', np.float64),
        ('spin_ns', np.int64),
        ('wake', np.int64),
        ('step', np.int64),
        ('forward', np.int64),
        ('copy', np.int64),
        ('kept', np.int64),
        ('passive', np.int64),
        ('receivers', np.int64),
        ('snapshots', np.int64),
        ('rings', np.int64),
        ('ring_addresses', np.int64),
        ('inlets', np.int64),
        ('take', np.int64),
        ('take_all', np.int64),
        ('lockstep', np.int64),
        ('await_answers', np.int64),
        ('take_earlier', np.int64),
        ('repeat', np.int64),
        ('warnings', np.int64),
        ('deadline_ns', np.int64),
        ('forward_ns', np.int64),
        ('turns', np.int64),
        ('steps', np.int64),
        ('time', np.float64),
        ('ros_time', np.float64),
        ('ros_offset', np.float64),
        ('continues', np.int64),
        ('begun', np.int64),
        ('begin', np.float64),
        ('jumps', np.int64),
        ('late_count', np.int64),
        ('late_ns', np.int64, LATENESS),
        ('step_ns', np.int64),
        ('unsent', np.int64),
        ('time_event', np.int64),
        ('time_awaited', np.int64),
        ('time_due', np.float64),
        ('time_count', np.int64),
        ('times', np.float64, TIMES),
    ]
)
"""The record of the loop. Python writes `wanted` (return to Python), `paused`, `failed` (do not
touch the data), `epoch` (changes when time starts again), `burst` (steps to make although paused),
`remaining` (steps until FINISHED, -1: no end), `realtime` (simulated per wall second, -1:
unthrottled), `spin_ns` (the part of a wait that is not slept), `wake` (eventfd), the addresses of
functions, of scratch memory for qacc_warmstart and `sensordata` and of what passive callbacks add
(0: none), the number of receivers of snapshots and the address of their SNAPSHOTs' addresses, the
same for the RINGs of `message_records`, the addresses of the INLETS and of the LOCKSTEP (0: none),
`time_event` (eventfd), and `continues`: whether ROS time continues where `time`, the time of the
data, jumps. The clock sets `time_awaited` to have `time_event` signalled after a step to the ROS
time `time_due` or later. The loop writes the other fields. `ros_time` is `time` plus `ros_offset`,
which the loop or, in a load or reset, Python changes where an epoch begins; the clock reads it at
once, as these two change one after the other. The loop also counts `burst` and `remaining` down;
`turns` counts up as long as it runs. `step_ns` is the wall time between two steps (0: none), and
`times` has the ROS times after the newest steps, of which there are `time_count` in all; `unsent`
tells whether that after the last step is not there yet, as messages of that time go first. `begin`
is the time at which the epoch `begun` has begun."""


def structure(layout: np.dtype[Any]) -> Any:
    """Returns a record as a ctypes structure, which reads ten times faster than np.record."""
    return np.ctypeslib.as_ctypes_type(layout)
