"""The records from which the crash line names the running code; see `crash_line`."""

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
"""The names of the functions in one table."""
SIGNALS = 65
"""Exclusive upper bound of signal numbers."""

CRASHES = np.dtype(
    [
        ('watched', np.int64),  # address of the WATCHED
        ('count', np.int64),  # number of WATCHED records
        # address of the first part of the line, by signal number
        ('begins', np.int64, SIGNALS),
        # address of the previous `struct sigaction`, by signal number
        ('before', np.int64, SIGNALS),
        ('comma', np.int64),  # address of the text between two names
        ('end', np.int64),  # address of the text at the end of the line
        ('line', np.int64),  # address of CRASH_LINE bytes for the line
    ]
)
"""The record that the signal handler reads."""
CRASH_LINE = 4096
"""The maximum length of the crash line in bytes."""
