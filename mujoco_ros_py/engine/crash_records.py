"""The memory by which a crash names what was running; see `crash_line`."""

from __future__ import annotations

import numpy as np

WATCHED = np.dtype(
    [
        # address of the index, from 1, of the running name (0 there: none); 0: not watched
        ('running', np.int64),
        ('names', np.int64),  # address of the addresses of the names
        ('count', np.int64),  # number of names
    ]
)
"""Names for a crash."""
SIGNALS = 65
"""The numbers of signals are smaller."""

CRASHES = np.dtype(
    [
        ('watched', np.int64),  # address of the WATCHED
        ('count', np.int64),  # their number
        # address of the beginning of the line, by the number of the signal
        ('begins', np.int64, SIGNALS),
        # address of the previous `struct sigaction`, by the number of the signal
        ('before', np.int64, SIGNALS),
        ('comma', np.int64),  # address of the text between two names
        ('end', np.int64),  # address of the text at the end
        ('line', np.int64),  # address of CRASH_LINE bytes for the line
    ]
)
"""The record that the handler of crashes reads."""
CRASH_LINE = 4096
"""The largest length of the line of a crash in bytes."""
