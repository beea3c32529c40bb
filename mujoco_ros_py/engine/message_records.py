"""Records that Python and compiled code share to exchange messages.

To the engine, a message is a block of memory that C functions take or publish.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from .c_types import MUTEX


class Derived(IntEnum):
    """The quantities that are recomputed in a copy of the data before a message is filled."""

    STATE = 0
    """Nothing is recomputed: positions, velocities, controls and time are the values after the
    step."""
    POSES = 1
    """Poses and velocities of bodies, sites, cameras and tendons are recomputed."""
    SENSORS = 2
    """A forward pass also recomputes sensors, contacts, accelerations and forces."""


INLET = np.dtype(
    [
        ('function', np.int64),  # address of the compiled code that reads a message; 0: disabled
        ('state', np.int64),  # address of the function's state record
        # address of the C function `take(handle, message, 0, 0)`; returns 0 if it took a message
        ('take', np.int64),
        # address of the C function that clears the error of a failed call
        ('forget_error', np.int64),
        ('handle', np.int64),  # argument of `take`
        ('message', np.int64),  # argument of `take`: address of the message
        ('nothing', np.int64),  # result of `take` if no message is waiting
        ('reporter', np.int64),  # address of the Python object that is called with exceptions
        ('stamp', np.int64),  # address of the message's stamp; 0: no stamp
        ('timed', np.int64),  # whether the function takes the ROS time
        ('awaited', np.int64),  # whether a lockstep waits for the inlet's messages
        ('pipe', np.int64),  # address of the PIPE that messages enter instead of the code; 0: none
        # The loop writes the following fields.
        # stamp of the last answered state; -1: no answer in this epoch
        ('answered_ns', np.int64),
        ('taken', np.int64),  # number of messages taken
        ('errors', np.int64),  # number of errors
    ]
)
"""Receives messages and passes them to compiled code."""

INLETS = np.dtype(
    [
        ('loop', np.int64),  # address of the LOOP
        ('addresses', np.int64),  # address of an array with the addresses of the INLETs
        ('count', np.int64),  # number of INLETs
        # whether messages answer a lockstep by their arrival instead of their stamp
        ('by_arrival', np.int64),
        # The loop writes the following fields.
        # stamp of the last period that ended without all answers; -1: none in this epoch
        ('skipped_ns', np.int64),
        ('running', np.int64),  # 1-based index of the inlet whose message is being read; 0: none
    ]
)
"""All inlets of a loop."""

LOCKSTEP = np.dtype(
    [
        ('loop', np.int64),  # address of the LOOP
        ('take_answers', np.int64),  # address of the function `take_answers`
        ('period_s', np.float64),  # period of simulated time
        ('limit_ns', np.int64),  # wall time after which a wait is reported to Python; 0: never
        # whether to continue without the answers of this period; cleared by the loop
        ('go_on', np.int64),
        # The loop writes the following fields, unless noted otherwise.
        ('epoch', np.int64),  # epoch in which the periods are counted
        ('next_s', np.float64),  # time at which the next period begins
        ('since_ns', np.int64),  # wall time at which the wait began; 0: not waiting
        ('reported', np.int64),  # whether this wait was reported to Python
        # whether to send the state again until answers arrive; set by Python, cleared by the loop
        ('resumed', np.int64),
        ('periods', np.int64),  # number of answered periods
    ]
)
"""The lockstep of a loop.

The loop does not step past the end of a period until all awaited inlets have answered.
"""

OUTLET = np.dtype(
    [
        ('function', np.int64),  # address of the compiled code that fills a message; 0: disabled
        ('state', np.int64),  # address of the function's state record
        ('state_size', np.int64),  # size of the state copy in bytes
        # address of the C function `publish(handle, message, 0)`; returns 0 for success
        ('publish', np.int64),
        # address of the C function `count(handle, listeners)`; 0: messages are filled even without
        # subscribers
        ('count', np.int64),
        # address of the C function that clears the error of a failed call
        ('forget_error', np.int64),
        ('handle', np.int64),  # argument of `publish` and `count`
        ('message', np.int64),  # address of the message
        ('stamp', np.int64),  # address of the message's stamp; 0: no stamp
        ('timed', np.int64),  # whether the function takes the ROS time
        ('derived', np.int64),  # a Derived: the quantities to recompute
        ('reporter', np.int64),  # address of the Python object that is called with exceptions
        ('pipe', np.int64),  # address of the PIPE that messages enter; 0: they are published
        # The ring's reader writes the following fields.
        ('listeners', np.int64),  # number of subscribers
        ('published', np.int64),  # number of published messages
        ('errors', np.int64),  # number of errors
        ('code', np.int64),  # last result of `publish`
        ('cost_ns', np.float64),  # mean duration of the compiled code
    ]
)
"""Publishes messages that compiled code fills."""

MEMBER = np.dtype(
    [
        ('outlet', np.int64),  # address of the OUTLET
        # offset of the state's copy in the states of a SLOT; -1: the function uses the state
        # itself
        ('copied', np.int64),
        ('schedule', np.int64),  # index of the outlet's SCHEDULE
    ]
)
"""An outlet in a ring.

This is not part of the OUTLET, because two rings contain the same outlet while one ring replaces
the other.
"""

SCHEDULE = np.dtype(
    [
        ('period_s', np.float64),  # the period
        ('due_s', np.float64),  # time at which the next message is due
        ('due', np.int64),  # whether a message is due now
        ('left_out', np.int64),  # number of samples dropped because the ring was full
    ]
)
"""The publishing times of outlets that have the same rate."""

SLOT = np.dtype(
    [
        ('data', np.int64),  # address of the copy of the data
        # address of nv forces of passive callbacks, followed by space for nv more
        ('passive', np.int64),
        ('has_passive', np.int64),  # whether passive callbacks have added forces
        ('sensors', np.int64),  # address of scratch memory for sensordata
        ('states', np.int64),  # address of the copies of the outlets' state records
        ('due', np.int64),  # address of one byte per schedule: whether the schedule was due
        ('epoch', np.int64),  # number of the epoch
        ('steps', np.int64),  # number of steps
        ('ros_offset', np.float64),  # ROS time minus the time of the data, in s
        ('derived', np.int64),  # a Derived: the quantities recomputed in the copy
    ]
)
"""A sample in a ring."""

RING = np.dtype(
    [
        ('wanted', np.int64),  # 1: the reader returns; 2: it returns after sending all samples
        ('event', np.int64),  # eventfd that wakes the reader
        ('loop', np.int64),  # address of the LOOP
        ('model', np.int64),  # address of the mjModel
        # address of the guarded function that sends the messages of a sample
        ('deliver', np.int64),
        ('slots', np.int64),  # address of the SLOTs
        ('order', np.int64),  # address of a ring buffer with the SLOT index of each sample
        ('last', np.int64),  # index of the SLOT of the last sample; written by the loop
        ('capacity', np.int64),  # number of SLOTs, a power of two
        ('written', np.int64),  # number of written samples; written by the loop
        ('written_ns', np.int64),  # wall time of the last sample; written by the loop
        ('read', np.int64),  # number of read samples; written by the reader
        # whether the reader sleeps; set by the reader, cleared by the loop when it signals `event`
        ('sleeps', np.int64),
        ('woken_ns', np.int64),  # wall time of the last signal; written by the loop
        # whether samples were dropped since the last written sample; written by the loop
        ('full', np.int64),
        ('schedules', np.int64),  # address of the SCHEDULEs
        ('schedule_count', np.int64),  # number of SCHEDULEs
        ('inline', np.int64),  # whether the loop sends the messages itself
        ('least_period_ns', np.int64),  # minimum wall time between two samples
        # whether to write a sample although none is due; set by the reader or the lockstep
        ('again', np.int64),
        ('epoch', np.int64),  # epoch of the schedules' times; written by the loop
        ('unthrottled', np.int64),  # whether the schedules use wall time; written by the loop
        ('looked_ns', np.int64),  # wall time at which the clock was last read; written by the loop
        # turns of the loop between two readings of the wall clock; written by the loop
        ('looks_each', np.int64),
        # turns of the loop until the next reading of the wall clock; written by the loop
        ('looks_in', np.int64),
        ('members', np.int64),  # address of the MEMBERs
        ('member_count', np.int64),  # number of MEMBERs
        ('current', np.int64),  # 1-based index of the outlet that the reader is filling; 0: none
        ('turns', np.int64),  # keeps increasing while the ring is read
    ]
)
"""Samples on their way from the loop to the reader.

The loop writes a sample whenever one is due. The reader fills and sends the messages of the
outlets.
"""

CLOCK = np.dtype(
    [
        ('wanted', np.int64),  # whether to return to Python
        ('loop', np.int64),  # address of the LOOP
        ('publish', np.int64),  # address of the C function `publish(handle, message, 0)`
        # address of the C function that clears the error of a failed call
        ('forget_error', np.int64),
        ('handle', np.int64),  # argument of `publish`
        ('message', np.int64),  # address of the message
        ('stamp', np.int64),  # address of the message's time
        # period of simulated time at whose multiples the time is always published; 0: disabled
        ('period_s', np.float64),
        ('least_period_ns', np.int64),  # minimum wall time between messages with other times
        ('repeat_ns', np.int64),  # wall time after which an unchanged time is sent again
        ('epoch', np.int64),  # epoch in which the multiples of `period_s` are counted
        ('origin', np.float64),  # ROS time at the start of the epoch, the origin of the multiples
        ('looked_count', np.int64),  # `time_count` of the LOOP up to which times were processed
        ('sent_ns', np.int64),  # wall time of the last message
        ('sent', np.float64),  # time of the last message, without the nudge
        ('looked', np.float64),  # newest time that the clock has processed
        ('early_s', np.float64),  # tolerance for a time just before a multiple, in s
        # sum of the nudges, which is added to each published time: a repeated time must differ
        ('nudge_s', np.float64),
        ('nudged', np.float64),  # time that was last nudged
        ('nudges', np.int64),  # number of nudges of that time
        # number of multiples of `period_s` whose time was overwritten before the clock read it
        ('left_out', np.int64),
        ('published', np.int64),  # number of published messages
        ('errors', np.int64),  # number of errors
        ('turns', np.int64),  # keeps increasing while the clock runs
        ('lock', np.uint8, MUTEX),  # pthread mutex
    ],
    align=True,
)
"""The publisher of the times of a LOOP.

The clock publishes the first time at or after each multiple of `period_s`, and other times at a
limited rate. It writes the fields from `epoch` on while holding `lock`.
"""
