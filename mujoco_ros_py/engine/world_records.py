"""The memory that Python and compiled code share for many worlds that are stepped together."""

from __future__ import annotations

import numpy as np

from .c_types import MUTEX

STOPPED = -1
"""The outcome of a world that was not stepped on: it has failed, or all were stopped."""

WORLD = np.dtype(
    [
        ('loop', np.int64),  # addresses with which the loop is run
        ('guard', np.int64),
        ('model', np.int64),
        ('data', np.int64),
        ('table', np.int64),
        ('inputs', np.int64),  # address of the addresses to which its inputs are copied
        ('outputs', np.int64),  # address of the addresses from which its outputs are copied
        ('row', np.int64),  # row of the task that comes next or has begun
        ('left', np.int64),  # steps that are left of it; 0: it has not begun
        ('fresh', np.int64),  # whether the task has not begun
        ('outcome', np.int64),  # why the world was set aside: an Outcome, or STOPPED
    ]
)
"""A world of a pool."""

COPY = np.dtype(
    [
        ('memory', np.int64),  # its address
        ('world_bytes', np.int64),  # bytes from one world to the next
        ('row_bytes', np.int64),  # bytes from one row to the next
        ('size', np.int64),  # bytes to copy
        # signature (mjtState) of the state that MuJoCo writes there; 0: bytes are copied
        ('state', np.int64),
    ]
)
"""An array with rows of all worlds."""

POOL = np.dtype(
    [
        ('lock', np.uint8, MUTEX),  # pthread mutex, held while the queue changes
        ('worlds', np.int64),  # address of the WORLDs
        ('queue', np.int64),  # address of the ring with the indices of worlds that wait
        ('room', np.int64),  # number of places in the ring
        ('head', np.int64),  # place of the first world that waits
        ('count', np.int64),  # number of worlds that wait
        ('added', np.int64),  # number of worlds that Python has put into an empty queue
        ('unfinished', np.int64),  # number of worlds that still have rows to make
        ('stop', np.int64),  # make no more steps; written by Python
        ('ending', np.int64),  # the threads end; written by Python
        ('done', np.int64),  # eventfd, signalled when no world is unfinished
        ('wakes', np.int64),  # address of the threads' eventfds
        ('waking', np.int64),  # number of threads to wake
        ('rows', np.int64),  # number of rows of the task
        ('steps', np.int64),  # steps of each row
        ('share', np.int64),  # steps that a thread makes with a world before it takes the next one
        ('inputs', np.int64),  # address of the COPYs of the inputs
        ('input_count', np.int64),  # their number
        ('outputs', np.int64),  # address of the COPYs of the outputs
        ('output_count', np.int64),  # their number
    ]
)
"""A pool of threads that step worlds."""
