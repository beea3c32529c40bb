"""The memory that Python and compiled code share for many worlds that are stepped together."""

from __future__ import annotations

import numpy as np

from .c_types import MUTEX

STOPPED = -1
"""The outcome of a world that was not stepped on: it has failed, or all were stopped."""

WORLD = np.dtype(
    [
        ('loop', np.int64),
        ('guard', np.int64),
        ('model', np.int64),
        ('data', np.int64),
        ('table', np.int64),
        ('inputs', np.int64),
        ('outputs', np.int64),
        ('row', np.int64),
        ('left', np.int64),
        ('fresh', np.int64),
        ('outcome', np.int64),
    ]
)
"""A world: the addresses with which the loop is run, those of the addresses to which its inputs
and from which its outputs are copied, and how far it has come: the row, the steps that are left of
it (0: it has not begun), whether the task has not begun, and why the world was set aside (an
Outcome, or STOPPED)."""

COPY = np.dtype(
    [
        ('memory', np.int64),
        ('world_bytes', np.int64),
        ('row_bytes', np.int64),
        ('size', np.int64),
        ('state', np.int64),
    ]
)
"""An array with rows of all worlds: its address, the bytes from one world to the next and from one
row to the next, and the size of what is copied in bytes. Where `state` is not 0, it is the
signature of the state (mjtState) that MuJoCo writes there."""

POOL = np.dtype(
    [
        ('lock', np.uint8, MUTEX),
        ('worlds', np.int64),
        ('queue', np.int64),
        ('room', np.int64),
        ('head', np.int64),
        ('count', np.int64),
        ('added', np.int64),
        ('unfinished', np.int64),
        ('stop', np.int64),
        ('ending', np.int64),
        ('done', np.int64),
        ('wakes', np.int64),
        ('waking', np.int64),
        ('rows', np.int64),
        ('steps', np.int64),
        ('share', np.int64),
        ('inputs', np.int64),
        ('input_count', np.int64),
        ('outputs', np.int64),
        ('output_count', np.int64),
    ]
)
"""A pool of threads that step worlds. `lock`, a pthread mutex, is held by whoever changes the
queue, which has the indices of worlds that wait (`room` places, of which `count` are taken from
`head` on) and the number of worlds that are `unfinished`. The eventfd `done` is signalled when
none is. Python writes `added`, the number of worlds that it has put into an empty queue, `stop`
(make no more steps), `ending` (the threads end), the eventfds of the threads, how many of them to
wake, and the task: the number of rows, the steps of each, the steps that a thread makes with a
world before it takes the next one, and the COPYs."""
