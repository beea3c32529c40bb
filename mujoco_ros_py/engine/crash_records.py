"""The memory by which a crash names what was running; see `crash_line`."""

from __future__ import annotations

import numpy as np

WATCHED = np.dtype([('running', np.int64), ('names', np.int64), ('count', np.int64)])
"""What a crash names: the address of the index of what is running, from 1 (0: nothing), and the
address and the number of addresses of names. `running` is 0 where nothing is watched."""
SIGNALS = 65
"""The numbers of signals are smaller."""

CRASHES = np.dtype(
    [
        ('watched', np.int64),
        ('count', np.int64),
        ('begins', np.int64, SIGNALS),
        ('before', np.int64, SIGNALS),
        ('comma', np.int64),
        ('end', np.int64),
        ('line', np.int64),
    ]
)
"""What the handler of crashes reads: the address and the number of WATCHED, by the number of the
signal the addresses of the text with which the line begins and of the `struct sigaction` that was
there before, the addresses of the texts between names and at the end, and that of CRASH_LINE bytes
for the line."""
CRASH_LINE = 4096
"""The largest length of the line of a crash in bytes."""
