"""The limits of a request."""

from __future__ import annotations

import re
from dataclasses import dataclass

MIB = 2**20
_OUT_OF_MEMORY = re.compile(
    'bad_alloc|bad_array_new_length|MemoryError|allocat|out of memory|unknown exception',
    re.IGNORECASE,
)
"""Matches the messages of C, C++, Python, MuJoCo and its bindings on refused memory."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """The limits of a request's memory and time, with their names for users."""

    memory: int = 4096 * MIB
    """The memory in bytes, in addition to what the process has before the request."""
    time_s: float = 60.0
    """The wall time in s from the request to its answer."""
    memory_name: str = 'the limit of memory'
    time_name: str = 'the limit of time'

    def explained(self, message: str) -> str:
        """Returns the message; if it is about refused memory, the limit is added."""
        if not _OUT_OF_MEMORY.search(message):
            return message
        return f'{message} ({self.memory_name} is {self.memory / MIB:,.0f} MiB)'
