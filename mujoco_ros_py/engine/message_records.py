"""The memory that Python and compiled code share to exchange messages with the outside.

The engine knows messages only as memory, and whoever sends or brings them only as C functions.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from .c_types import MUTEX


class Derived(IntEnum):
    """The part of a copy of the data that is recomputed before a message is filled."""

    STATE = 0
    """Nothing is recomputed: positions, velocities, controls and time are those after the step."""
    POSES = 1
    """Poses and velocities of bodies, sites, cameras and tendons are recomputed."""
    SENSORS = 2
    """Sensors, contacts, accelerations and forces are recomputed too, by a forward pass."""


INLET = np.dtype(
    [
        ('function', np.int64),  # address of the compiled code that reads a message; 0: disabled
        ('state', np.int64),  # address of its state record
        # address of the C function `take(handle, message, 0, 0)`; it returns 0 for a message
        ('take', np.int64),
        # address of the C function that clears the error of a failed call
        ('forget_error', np.int64),
        ('handle', np.int64),  # argument of `take`
        ('message', np.int64),  # argument of `take`: address of the message
        ('nothing', np.int64),  # result of `take` without a message
        ('reporter', np.int64),  # address of the Python object that is called with exceptions
        ('stamp', np.int64),  # address of the message's stamp; 0: it has none
        ('timed', np.int64),  # whether the code takes the ROS time
        ('awaited', np.int64),  # whether a lockstep awaits its messages
        # The loop writes these.
        # stamp of the state that was answered last; -1: none in this epoch
        ('answered_ns', np.int64),
        ('taken', np.int64),  # number of messages
        ('errors', np.int64),  # number of errors
    ]
)
"""Where messages come in."""

INLETS = np.dtype(
    [
        ('loop', np.int64),  # address of the LOOP
        ('addresses', np.int64),  # address of the addresses of the INLETs
        ('count', np.int64),  # their number
        # whether a message answers the lockstep by its arrival, and not by its stamp
        ('by_arrival', np.int64),
        # The loop writes these.
        # stamp of the last period that passed without all answers; -1: none in this epoch
        ('skipped_ns', np.int64),
        ('running', np.int64),  # index of the inlet whose message is read now, from 1; 0: none
    ]
)
"""All inlets of a loop."""

LOCKSTEP = np.dtype(
    [
        ('loop', np.int64),  # address of the LOOP
        ('take_answers', np.int64),  # address of the function
        ('period_s', np.float64),  # period of simulated time
        ('limit_ns', np.int64),  # wall time of a wait after which Python hears of it; 0: never
        ('go_on', np.int64),  # continue without the answers of this period; the loop clears it
        # The loop writes these, unless they say otherwise.
        ('epoch', np.int64),  # epoch in which the periods are counted
        ('next_s', np.float64),  # time at which the next period begins
        ('since_ns', np.int64),  # wall time at which the wait began; 0: no wait
        ('reported', np.int64),  # whether Python has heard of this wait
        # wait again, and repeat the state until answers come; Python writes it, the loop clears it
        ('resumed', np.int64),
        ('periods', np.int64),  # number of periods that were answered
    ]
)
"""The lockstep of a loop.

The loop makes no step past a period without the answers of all awaited inlets.
"""

OUTLET = np.dtype(
    [
        ('function', np.int64),  # address of the compiled code that fills a message; 0: disabled
        ('state', np.int64),  # address of its state record
        ('state_size', np.int64),  # bytes to copy of that record
        # address of the C function `publish(handle, message, 0)`; it returns 0 for success
        ('publish', np.int64),
        # address of the C function `count(handle, listeners)`; 0: messages are always filled
        ('count', np.int64),
        # address of the C function that clears the error of a failed call
        ('forget_error', np.int64),
        ('handle', np.int64),  # argument of these functions
        ('message', np.int64),  # address of the message
        ('stamp', np.int64),  # address of the message's stamp; 0: it has none
        ('timed', np.int64),  # whether the code takes the ROS time
        ('derived', np.int64),  # a Derived
        ('reporter', np.int64),  # address of the Python object that is called with exceptions
        # The ring's reader writes these.
        ('listeners', np.int64),  # number of subscribers
        ('published', np.int64),  # number of messages
        ('errors', np.int64),  # number of errors
        ('code', np.int64),  # last result of `publish`
        ('cost_ns', np.float64),  # mean duration of the compiled code
    ]
)
"""Where messages leave."""

MEMBER = np.dtype(
    [
        ('outlet', np.int64),  # address of the OUTLET
        # offset of its state in the states of a SLOT; -1: the code gets the record itself
        ('copied', np.int64),
        ('schedule', np.int64),  # index of its SCHEDULE
    ]
)
"""An outlet in a ring.

Two rings have the same outlet for a while, when one takes the place of the other.
"""

SCHEDULE = np.dtype(
    [
        ('period_s', np.float64),  # the period
        ('due_s', np.float64),  # when the next message is due
        ('due', np.int64),  # whether it is due now
        ('left_out', np.int64),  # number of samples that were dropped because the ring was full
    ]
)
"""A rate of messages."""

SLOT = np.dtype(
    [
        ('data', np.int64),  # address of the copy of the data
        # address of nv forces of passive callbacks, followed by room for nv more
        ('passive', np.int64),
        ('has_passive', np.int64),  # whether passive callbacks have added forces
        ('sensors', np.int64),  # address of room for sensordata
        ('states', np.int64),  # address of the copies of the state records of the outlets
        ('due', np.int64),  # address of a byte for each schedule: whether it was due
        ('epoch', np.int64),  # number of the epoch
        ('steps', np.int64),  # number of steps
        ('ros_offset', np.float64),  # ROS time minus the time of the data, in s
        ('derived', np.int64),  # the Derived that has been computed in the copy
    ]
)
"""A sample in a ring."""

RING = np.dtype(
    [
        ('wanted', np.int64),  # 1: the reader returns; 2: it returns once all samples are sent
        ('event', np.int64),  # eventfd that wakes the reader
        ('loop', np.int64),  # address of the LOOP
        ('model', np.int64),  # address of the mjModel
        # address of the guarded function that sends the messages of a sample
        ('deliver', np.int64),
        ('slots', np.int64),  # address of the SLOTs
        ('order', np.int64),  # address of the index of the SLOT of each sample, as a ring
        ('last', np.int64),  # index of the SLOT of the last sample; written by the loop
        ('capacity', np.int64),  # number of SLOTs, a power of two
        ('written', np.int64),  # number of samples that were written; by the loop
        ('written_ns', np.int64),  # wall time of the last sample; by the loop
        ('read', np.int64),  # number of samples that were read; by the reader
        # the reader sleeps; the reader sets it, the loop clears it with the signal
        ('sleeps', np.int64),
        ('woken_ns', np.int64),  # wall time of the last signal; by the loop
        ('full', np.int64),  # whether a sample found no free slot since the last one; by the loop
        ('schedules', np.int64),  # address of the SCHEDULEs
        ('schedule_count', np.int64),  # their number
        ('inline', np.int64),  # whether the loop sends the messages itself
        ('least_period_ns', np.int64),  # least wall time between two samples
        ('again', np.int64),  # a sample is wanted although none is due; set by the reader
        ('epoch', np.int64),  # epoch in which the schedules count; by the loop
        ('unthrottled', np.int64),  # whether the schedules count in wall time; by the loop
        ('looked_ns', np.int64),  # wall time of the last look at the clock; by the loop
        ('looks_each', np.int64),  # turns between two looks; by the loop
        ('looks_in', np.int64),  # turns until the next look; by the loop
        ('members', np.int64),  # address of the MEMBERs
        ('member_count', np.int64),  # their number
        ('current', np.int64),  # index of the outlet that the reader fills, from 1; 0: none
        ('turns', np.int64),  # counts up as long as the ring is read
    ]
)
"""Samples on their way from the loop to the reader.

The loop writes a sample when one is due. The reader fills and sends the messages
of its outlets.
"""

CLOCK = np.dtype(
    [
        ('wanted', np.int64),  # return to Python
        ('loop', np.int64),  # address of the LOOP
        ('publish', np.int64),  # address of the C function `publish(handle, message, 0)`
        # address of the C function that clears the error of a failed call
        ('forget_error', np.int64),
        ('handle', np.int64),  # argument of `publish`
        ('message', np.int64),  # address of the message
        ('stamp', np.int64),  # address of the time in the message
        ('period_s', np.float64),  # period of simulated time; 0: none
        ('least_period_ns', np.int64),  # least wall time between two other messages
        ('repeat_ns', np.int64),  # wall time after which a time that stands is sent again
        ('epoch', np.int64),  # epoch in which multiples count
        ('origin', np.float64),  # ROS time at which it began, from which multiples count
        ('looked_count', np.int64),  # number of times that the clock has looked at
        ('sent_ns', np.int64),  # wall time of the last message
        ('sent', np.float64),  # time in the last message, without the nudge
        ('looked', np.float64),  # newest time that the clock has looked at
        ('early_s', np.float64),  # by how much a time may be early for a multiple, in s
        # sum by which all times are sent later, because some were repeated with a later value
        ('nudge_s', np.float64),
        ('nudged', np.float64),  # time that was nudged last
        ('nudges', np.int64),  # number of its nudges
        ('left_out', np.int64),  # number of multiples whose time was overwritten unseen
        ('published', np.int64),  # number of messages
        ('errors', np.int64),  # number of errors
        ('turns', np.int64),  # counts up as long as the clock runs
        ('lock', np.uint8, MUTEX),  # pthread mutex
    ],
    align=True,
)
"""The sender of the times of a LOOP.

It sends the first time at or after each multiple of `period_s`, and others at a limited rate. It
writes the fields from `epoch` on while it holds `lock`.
"""
