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
    """The compiled functions of an engine plugin; the values are indices into an INSTANCE."""

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
        """The name of the method in the plugin's class."""
        return self.name.lower()


SDF = (Function.DISTANCE, Function.GRADIENT)
"""The functions of signed distance fields, which take the shape instead of the parameters."""

INSTANCE = np.dtype(
    [
        # addresses of the functions; 0 for functions that the plugin lacks
        ('functions', np.int64, len(Function)),
        ('reporter', np.int64),  # address of the Python object that is called with exceptions
        ('number', np.int64),  # number of the instance, passed to the reporter
        ('size', np.int64),  # size of the whole block in bytes
        # offset of the shape's record, which begins with the 6 numbers of its bounds
        ('shape', np.int64),
        ('actuators', np.int64),  # offset of the SPANs of actuator_force that the instance writes
        ('actuator_spans', np.int64),  # number of these SPANs
        ('sensors', np.int64),  # offset of the SPANs of sensordata that the instance writes
        ('sensor_spans', np.int64),  # number of these SPANs
        # offset of the SPANs of ctrl that the instance reads and that have a range
        ('controls', np.int64),
        ('control_spans', np.int64),  # number of these SPANs
        ('unclipped', np.int64),  # offset of the unclipped values of these controls
        ('clipped', np.int64),  # whether the controls are clipped now
        # one bit for each function whose exception was reported, then one bit for each function
        # whose divergence was reported
        ('reported', np.int64),
        # one bit for each running function that can be called recursively
        ('running', np.int64),
    ]
)
"""The record that `plugin_data` points to; the record of the parameters follows it."""
BLOCK_ALIGNMENT = 64
"""Alignment of instances and their parts in bytes: one cache line, so no vector spans two
lines."""
RECORD_OFFSET = -(-INSTANCE.itemsize // BLOCK_ALIGNMENT) * BLOCK_ALIGNMENT
"""The offset of the parameters' record from the INSTANCE, in bytes."""

SPAN = np.dtype([('first', np.int64), ('end', np.int64)])
"""A range of array elements."""
