"""The records from which the crash line names the running code; see `crash_line`."""

from __future__ import annotations

import numpy as np

WATCHED = np.dtype(
    [
        # address of the running function's 1-based index (the index is 0 if no function is
        # running); an address of 0 marks an unused record
        ('running', np.int64),
        ('names', np.int64),  # address of an array with the addresses of the names
        ('count', np.int64),  # number of names
    ]
)
"""The names of the functions in one table, and the index of the running function."""
SIGNALS = 65
"""Exclusive upper bound of signal numbers."""

CRASHES = np.dtype(
    [
        ('watched', np.int64),  # address of the WATCHED records
        ('count', np.int64),  # number of WATCHED records
        # for each signal number, the address of the first part of the line
        ('begins', np.int64, SIGNALS),
        # for each signal number, the address of the previous `struct sigaction`
        ('before', np.int64, SIGNALS),
        ('comma', np.int64),  # address of the text between two names
        ('end', np.int64),  # address of the text at the end of the line
        ('line', np.int64),  # address of CRASH_LINE bytes for the line
    ]
)
"""The record that the signal handler reads."""
CRASH_LINE = 4096
"""The maximum length of the crash line in bytes."""
