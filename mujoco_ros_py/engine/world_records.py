"""Records that Python and compiled code share to step many worlds together."""

from __future__ import annotations

import numpy as np

from .c_types import MUTEX

STOPPED = -1
"""The outcome of a world that was not stepped further: it failed, or all worlds were stopped."""

WORLD = np.dtype(
    [
        ('loop', np.int64),  # addresses of the arguments of `run`, in this line and the next four
        ('guard', np.int64),
        ('model', np.int64),
        ('data', np.int64),
        ('table', np.int64),
        ('inputs', np.int64),  # address of an array with the addresses that inputs are copied to
        # address of an array with the addresses that outputs are copied from
        ('outputs', np.int64),
        ('row', np.int64),  # current or next row of the task
        ('left', np.int64),  # remaining steps of the row; 0: not begun
        ('fresh', np.int64),  # whether the task has not begun
        ('outcome', np.int64),  # why stepping the world ended: an Outcome or STOPPED
    ]
)
"""A world of a pool."""

COPY = np.dtype(
    [
        ('memory', np.int64),  # address of the array
        ('world_bytes', np.int64),  # bytes from one world to the next
        ('row_bytes', np.int64),  # bytes from one row to the next
        ('size', np.int64),  # bytes to copy
        # mjtState signature of a state that MuJoCo copies; 0: copy bytes
        ('state', np.int64),
    ]
)
"""An input or output of all worlds, as an array with the rows of each world."""

POOL = np.dtype(
    [
        ('lock', np.uint8, MUTEX),  # pthread mutex, held while the queue changes
        ('worlds', np.int64),  # address of the WORLDs
        ('queue', np.int64),  # address of the indices of waiting worlds, a ring buffer
        ('room', np.int64),  # capacity of the queue
        ('head', np.int64),  # position of the first waiting world
        ('count', np.int64),  # number of waiting worlds
        ('added', np.int64),  # number of worlds that Python has put into an empty queue
        ('unfinished', np.int64),  # number of worlds that still have rows to complete
        ('stop', np.int64),  # whether to make no more steps; written by Python
        ('ending', np.int64),  # whether the threads must end; written by Python
        ('done', np.int64),  # eventfd, signalled when no world is unfinished
        ('wakes', np.int64),  # address of the threads' eventfds
        ('waking', np.int64),  # number of threads to wake
        ('rows', np.int64),  # number of rows of the task
        ('steps', np.int64),  # steps per row
        ('share', np.int64),  # steps that a thread makes with a world before taking the next world
        ('inputs', np.int64),  # address of the COPYs of the inputs
        ('input_count', np.int64),  # number of these COPYs
        ('outputs', np.int64),  # address of the COPYs of the outputs
        ('output_count', np.int64),  # number of these COPYs
    ]
)
"""A pool of threads that step worlds."""
