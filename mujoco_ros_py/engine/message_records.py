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
        ('function', np.int64),
        ('state', np.int64),
        ('take', np.int64),
        ('forget_error', np.int64),
        ('handle', np.int64),
        ('message', np.int64),
        ('nothing', np.int64),
        ('reporter', np.int64),
        ('stamp', np.int64),
        ('timed', np.int64),
        ('awaited', np.int64),
        ('answered_ns', np.int64),
        ('taken', np.int64),
        ('errors', np.int64),
    ]
)
"""Where messages come in: the address of the compiled code that reads one (0: disabled) and of its
state record, the C function `take(handle, message, 0, 0)`, which returns 0 if it has written a
message and `nothing` if there is none, a function without arguments that clears the error of a
failed call, the arguments, the Python object that is called with exceptions, the address of the
message's stamp (0: it has none), whether the code takes the ROS time, and whether a lockstep
awaits its messages. The loop writes the
stamp of the state that was answered last in ns (-1: none in this epoch), and counts messages and
errors."""

INLETS = np.dtype(
    [
        ('loop', np.int64),
        ('addresses', np.int64),
        ('count', np.int64),
        ('by_arrival', np.int64),
        ('skipped_ns', np.int64),
        ('running', np.int64),
    ]
)
"""All inlets of a loop: the address of the LOOP, that of their addresses, their number, and
whether a message answers the lockstep by its arrival (else by its stamp). The loop writes the
stamp in ns of the last period of the lockstep that it passed without all answers (-1: none in this
epoch), and the index, from 1, of the inlet whose message is read now (0: none)."""

LOCKSTEP = np.dtype(
    [
        ('loop', np.int64),
        ('take_answers', np.int64),
        ('period_s', np.float64),
        ('limit_ns', np.int64),
        ('go_on', np.int64),
        ('epoch', np.int64),
        ('next_s', np.float64),
        ('since_ns', np.int64),
        ('reported', np.int64),
        ('resumed', np.int64),
        ('periods', np.int64),
    ]
)
"""The lockstep of a loop, which makes no step past a period without the answers of all inlets that
are awaited: Python writes the addresses of the LOOP and of a function, the period of simulated
time, the wall time after which it is told (0: never), `go_on` to have the loop go on without the
answers of this period, and `resumed` if it waits for them anew, which has the state repeated until
they come. The loop clears both, and writes the epoch in which it counts, the time at which the
next period begins, since when it waits (wall time; 0: it does not), whether Python has been told,
and the number of periods that were answered."""

OUTLET = np.dtype(
    [
        ('function', np.int64),
        ('state', np.int64),
        ('state_size', np.int64),
        ('publish', np.int64),
        ('count', np.int64),
        ('forget_error', np.int64),
        ('handle', np.int64),
        ('message', np.int64),
        ('stamp', np.int64),
        ('timed', np.int64),
        ('derived', np.int64),
        ('reporter', np.int64),
        ('listeners', np.int64),
        ('published', np.int64),
        ('errors', np.int64),
        ('code', np.int64),
        ('cost_ns', np.float64),
    ]
)
"""The record of an outlet, by which messages leave.

It has the address of the compiled code that fills a message (0: disabled), that of its state
record, and the size of what is copied of that record. Of C, it has the function `publish(handle,
message, 0)`, which returns 0 if it has sent the message, the function `count(handle, listeners)`,
which writes how many listen (0: messages are filled for nobody too), and a function that clears
the error of one of these that has failed. `handle` and `message` are their arguments. `stamp` is
the address of the message's stamp (0: it has none). `timed` tells whether the code takes the ROS
time, `derived` is a `Derived`, and `reporter` the Python object that is called with exceptions.
The ring's reader counts messages and errors, and writes the last code and the mean duration of the
function in ns.
"""

MEMBER = np.dtype([('outlet', np.int64), ('copied', np.int64), ('schedule', np.int64)])
"""An outlet in a ring: its address, the offset of its state record in the states of a SLOT (-1:
the function gets the record itself), and the index of its SCHEDULE. Two rings have the same outlet
for a while, when one takes the place of the other."""

SCHEDULE = np.dtype(
    [('period_s', np.float64), ('due_s', np.float64), ('due', np.int64), ('left_out', np.int64)]
)
"""A rate of messages: the period, when the next message is due, whether it is due now, and how
many samples were left out because the ring was full."""

SLOT = np.dtype(
    [
        ('data', np.int64),
        ('passive', np.int64),
        ('has_passive', np.int64),
        ('sensors', np.int64),
        ('states', np.int64),
        ('due', np.int64),
        ('epoch', np.int64),
        ('steps', np.int64),
        ('ros_offset', np.float64),
        ('derived', np.int64),
    ]
)
"""A sample in a ring: the addresses of the copy of the data, of nv numbers that passive callbacks
had added (followed by room for nv more) and whether there are any, of room for `sensordata`, of
copies of the state records of the outlets, and of a byte for each schedule that tells whether it
was due; the epoch, the number of steps, the offset of ROS time, and what has been derived in the
copy since."""

RING = np.dtype(
    [
        ('wanted', np.int64),
        ('event', np.int64),
        ('loop', np.int64),
        ('model', np.int64),
        ('deliver', np.int64),
        ('slots', np.int64),
        ('order', np.int64),
        ('last', np.int64),
        ('capacity', np.int64),
        ('written', np.int64),
        ('written_ns', np.int64),
        ('read', np.int64),
        ('sleeps', np.int64),
        ('woken_ns', np.int64),
        ('full', np.int64),
        ('schedules', np.int64),
        ('schedule_count', np.int64),
        ('inline', np.int64),
        ('least_period_ns', np.int64),
        ('again', np.int64),
        ('epoch', np.int64),
        ('unthrottled', np.int64),
        ('looked_ns', np.int64),
        ('looks_each', np.int64),
        ('looks_in', np.int64),
        ('members', np.int64),
        ('member_count', np.int64),
        ('current', np.int64),
        ('turns', np.int64),
    ]
)
"""Samples on their way from the loop, which writes them when they are due, to the reader, which
fills and sends the messages of its outlets. Python writes `wanted` (1: the reader returns; 2: it
returns once all samples are sent), the eventfd that the loop signals for a new sample, the
addresses of the LOOP, the mjModel and the guarded function, of SLOTs (a power of two), SCHEDULEs
and MEMBERs with their numbers, of as many indices as there are SLOTs, and the least wall time
between two samples. The reader asks for a sample that is not due with `again`, and writes `read`,
`turns`, `current` (the index of the outlet that it fills, from 1; 0: none) and `sleeps`, which the
loop clears when it signals the event. The loop writes the rest: in `order` the index of the SLOT
of each sample, as the samples come (a ring), in `last` that of the last one, the wall times of the
last sample, of the last signal and of its last look at the clock, after how many turns it looks
at the clock and how many of these are left, and `full`, which tells whether a sample was due since
then that found no free slot."""

CLOCK = np.dtype(
    [
        ('wanted', np.int64),
        ('loop', np.int64),
        ('publish', np.int64),
        ('forget_error', np.int64),
        ('handle', np.int64),
        ('message', np.int64),
        ('stamp', np.int64),
        ('period_s', np.float64),
        ('least_period_ns', np.int64),
        ('repeat_ns', np.int64),
        ('epoch', np.int64),
        ('origin', np.float64),
        ('looked_count', np.int64),
        ('sent_ns', np.int64),
        ('sent', np.float64),
        ('looked', np.float64),
        ('early_s', np.float64),
        ('nudge_s', np.float64),
        ('nudged', np.float64),
        ('nudges', np.int64),
        ('left_out', np.int64),
        ('published', np.int64),
        ('errors', np.int64),
        ('turns', np.int64),
        ('lock', np.uint8, MUTEX),
    ],
    align=True,
)
"""The sender of the times of a LOOP: `wanted` (return to Python), the address of the LOOP, and
what an OUTLET has of its message and of the C functions. The first time at or after each multiple
of `period_s` (simulated time; 0: no period) is sent, others at least `least_period_ns` of wall
time after the one before, and a time that stands is repeated after `repeat_ns`. The sender writes
the rest while it holds `lock`, a pthread mutex: the epoch and the time at which it began, from
which multiples count; in `looked_count` the number of times that it has looked at, in `looked` the
newest of them, when and what it sent last, by how much a time may be early for a multiple, by how
much all times are sent later as some were repeated with a later value, which one that was last and
how often, and how many times at multiples were overwritten unseen."""
