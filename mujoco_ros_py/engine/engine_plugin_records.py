"""The memory that Python and compiled code share for the instances of engine plugins."""

from __future__ import annotations

from enum import IntEnum, IntFlag

import numpy as np


class Capability(IntFlag):
    """The capabilities of an engine plugin (mjtPluginCapabilityBit)."""

    ACTUATOR = 1
    SENSOR = 2
    PASSIVE = 4
    SDF = 8


class Function(IntEnum):
    """The compiled functions of an engine plugin, by their index in an INSTANCE."""

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
"""The functions of signed distance fields, which get the shape in place of the parameters."""

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
        ('reported', np.int64),
        ('running', np.int64),
    ]
)
"""The record to which `plugin_data` points, followed by the record of the instance's parameters.
It has the addresses of the functions (0: none), the Python object that is called with exceptions,
the number that it is given, and the total size in bytes. It has the offsets in bytes of the record
of the shape (which begins with 6 numbers, its bounds) and of the SPANs of `actuator_force` and
`sensordata` that the instance writes, with their numbers; the same for the `ctrl` that it reads,
the offset of their own values while they are clipped, and whether they are. The reported errors
are a bit for each function that raised, followed by one for each that diverged. The last field has
a bit for each running function, of those that may be called again before they return."""
BLOCK_ALIGNMENT = 64
"""The alignment of instances and their parts in bytes: a cache line, so no vector spans two."""
RECORD_OFFSET = -(-INSTANCE.itemsize // BLOCK_ALIGNMENT) * BLOCK_ALIGNMENT
"""The place of the record of the instance's parameters, in bytes from the INSTANCE."""

SPAN = np.dtype([('first', np.int64), ('end', np.int64)])
"""A range of elements of an array."""
