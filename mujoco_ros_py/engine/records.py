"""The memory that Python and compiled code share: records, each field with one writer."""

from __future__ import annotations

from enum import IntEnum, IntFlag

import numpy as np

from .foreign.mujoco_internals import LOG_SUBJECT_BYTES


class Point(IntEnum):
    """When a callback fires."""

    CONTROL = 0
    PASSIVE = 1
    LAST_STAGE = 2
    RENDER = 3
    """When an image is made: on the render thread, with a scene."""

    @property
    def method(self) -> str:
        """Name of the plugin's method."""
        return f'{self.name.lower()}_callback'


class Kind(IntEnum):
    """What a compiled function takes beside its state."""

    CALLBACK = 0
    """The function takes model and data."""
    RENDER = 1
    """The function takes model, data and a scene."""


class Capability(IntFlag):
    """What an engine plugin computes (mjtPluginCapabilityBit)."""

    ACTUATOR = 1
    SENSOR = 2
    PASSIVE = 4
    SDF = 8


class Function(IntEnum):
    """The compiled functions of an engine plugin, each with its place in an INSTANCE."""

    COMPUTE_ACTUATOR = 0
    COMPUTE_SENSOR = 1
    COMPUTE_PASSIVE = 2
    ADVANCE = 3
    ACTUATOR_ACT_DOT = 4
    RESET = 5
    VISUALIZE = 6
    DISTANCE = 7
    GRADIENT = 8

    @property
    def method(self) -> str:
        """The name of the method in the class."""
        return self.name.lower()


SDF = (Function.DISTANCE, Function.GRADIENT)
"""The functions of signed distance fields: they get the shape in place of the parameters."""
PHYSICS = (Point.CONTROL, Point.PASSIVE, Point.LAST_STAGE)
"""The points that the physics loop fires."""


class Outcome(IntEnum):
    """Why the physics loop returned to Python."""

    COMMAND = 0
    """Python wants it to."""
    STEPPED = 1
    """The burst is over."""
    FINISHED = 2
    """No steps remain."""
    NOTICE = 3
    """MuJoCo warned, or time jumped; see `Loop.take_warnings` and `Loop.take_jump`."""
    ERROR = 4
    """MuJoCo reported a fatal error; the text is in the guard and the data are undefined."""


LATENESS = 4096
"""How many of the newest paced steps' latenesses are kept."""

REGISTRY_CAPACITY = 64
"""Simulations that one process can hold."""

CALLBACK = np.dtype(
    [
        ('function', np.int64),
        ('state', np.int64),
        ('python', np.int64),
        ('cost_ns', np.float64),
        ('calls', np.int64),
    ]
)
"""Address of the code (0: taken out) and of its state record; whether it leads back to Python;
mean cost of the timed calls."""

TABLE = np.dtype(
    [
        ('callbacks', np.int64),
        ('first', np.int64, len(Point) + 1),
        ('sample', np.int64),
        ('running', np.int64),
        ('points', np.int64),
        ('reporter', np.int64),
        ('scene', np.int64),
        ('passive', np.int64),
    ]
)
"""Where the CALLBACKs lie, the first of each point, whether this step's calls are timed, which one
runs (0: none), a bit for each point whose callbacks run, the Python object that is called when one
raises, the mjvScene for RENDER, and where the sum of what PASSIVE adds is kept (0: nowhere)."""

MESSAGE = LOG_SUBJECT_BYTES
"""How many bytes a message of MuJoCo has at most."""
WARNINGS = 8
"""How many of MuJoCo's newest warnings are kept until they are taken; a power of two."""

GUARD = np.dtype(
    [
        ('jump', np.uint8, 512),
        ('previous', np.uint64),
        ('warnings', np.int64),
        ('error', np.uint8, MESSAGE),
        ('warning', np.uint8, (WARNINGS, MESSAGE)),
    ],
    align=True,
)
"""What a guarded call remembers: where to jump, the log handler of before, the messages."""

MOMENT = np.dtype([('epoch', np.int64), ('steps', np.int64)])
"""When a snapshot was taken."""

SNAPSHOT = np.dtype(
    [
        ('data', np.int64),
        ('moment', np.int64),
        ('passive', np.int64),
        ('due', np.float64),
        ('asked', np.int64),
        ('served', np.int64),
        ('event', np.int64),
    ]
)
"""Where to copy the data to (0: nowhere), the MOMENT, and what passive callbacks add; not before
which time (s); how many were asked for (by the receiver) and served (by the loop); the eventfd to
signal."""

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
        ('warmstart', np.int64),
        ('passive', np.int64),
        ('receivers', np.int64),
        ('snapshots', np.int64),
        ('warnings', np.int64),
        ('deadline_ns', np.int64),
        ('forward_ns', np.int64),
        ('turns', np.int64),
        ('steps', np.int64),
        ('time', np.float64),
        ('jumps', np.int64),
        ('late_count', np.int64),
        ('late_ns', np.int64, LATENESS),
    ]
)
"""Written by Python: `wanted` (return to Python), `paused`, `failed` (do not touch the data),
`epoch` (changes when time starts again), `burst` (steps to make though paused), `remaining` (steps
until FINISHED, -1: no end), `realtime` (simulated per wall second, -1: unthrottled), `spin_ns`
(the end of a wait that is not slept), `wake` (eventfd), addresses of functions, of scratch memory
for qacc_warmstart, and of what passive callbacks add (0: there are none), how many receivers of
snapshots there are and where the addresses of their SNAPSHOTs lie. Written by the loop: the rest;
`burst` and `remaining` count down, `turns` counts up as long as the loop goes on."""

INSTANCE = np.dtype(
    [
        ('functions', np.int64, len(Function)),
        ('reporter', np.int64),
        ('number', np.int64),
        ('size', np.int64),
        ('shape', np.int64),
        ('actuators', np.int64),
        ('actuator_spans', np.int64),
        ('sensors', np.int64),
        ('sensor_spans', np.int64),
        ('controls', np.int64),
        ('control_spans', np.int64),
        ('unclipped', np.int64),
        ('clipped', np.int64),
        ('told', np.int64),
        ('running', np.int64),
    ]
)
"""What `plugin_data` points to, the record of the instance's parameters behind it: addresses of
the functions (0: none), the Python object that is called when one raises, the number that it is
told, how many bytes there are in all; from where on, in bytes, the record of its shape lies (which
begins with 6 numbers, its bounds) and the SPANs of `actuator_force` and of `sensordata` that it
writes, and how many; the same of the `ctrl` that it reads, from where on their own values lie
while they are clipped, and whether they are; what was told, a bit for each function that raised,
and behind these one for each that diverged; a bit for each function that runs, of those that may
be called again before they return."""

SPAN = np.dtype([('first', np.int64), ('end', np.int64)])
"""Some elements of an array, one after the other."""
