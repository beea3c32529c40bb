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
        ('functions', np.int64, len(Function)),  # addresses of the functions; 0: none
        ('reporter', np.int64),  # address of the Python object that is called with exceptions
        ('number', np.int64),  # number of the instance, for the reporter
        ('size', np.int64),  # size of the whole block in bytes
        # offset of the record of the shape, which begins with 6 numbers: its bounds
        ('shape', np.int64),
        ('actuators', np.int64),  # offset of the SPANs of actuator_force that the instance writes
        ('actuator_spans', np.int64),  # their number
        ('sensors', np.int64),  # offset of the SPANs of sensordata that it writes
        ('sensor_spans', np.int64),  # their number
        ('controls', np.int64),  # offset of the SPANs of ctrl that it reads and that have a range
        ('control_spans', np.int64),  # their number
        ('unclipped', np.int64),  # offset of the values of these controls before they were clipped
        ('clipped', np.int64),  # whether they are clipped now
        # a bit for each function that raised, then one for each that diverged
        ('reported', np.int64),
        # a bit for each running function, of those that may be called again
        ('running', np.int64),
    ]
)
"""The record to which `plugin_data` points, followed by the record of the parameters."""
BLOCK_ALIGNMENT = 64
"""The alignment of instances and their parts in bytes: a cache line, so no vector spans two."""
RECORD_OFFSET = -(-INSTANCE.itemsize // BLOCK_ALIGNMENT) * BLOCK_ALIGNMENT
"""The place of the record of the instance's parameters, in bytes from the INSTANCE."""

SPAN = np.dtype([('first', np.int64), ('end', np.int64)])
"""A range of elements of an array."""
