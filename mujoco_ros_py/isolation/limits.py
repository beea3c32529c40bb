"""How much a request may take."""

from __future__ import annotations

import re
from dataclasses import dataclass

MIB = 2**20
_OUT_OF_MEMORY = re.compile(
    'bad_alloc|bad_array_new_length|MemoryError|allocat|out of memory|unknown exception',
    re.IGNORECASE,
)
"""What C, C++, Python, MuJoCo and its bindings say where memory was refused."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """The limits of memory and time of a request, and what users call them."""

    memory: int = 4096 * MIB
    """The memory in bytes, beyond what the process has before the request."""
    time_s: float = 60.0
    """The wall time from the request to its answer."""
    memory_name: str = 'the limit of memory'
    time_name: str = 'the limit of time'

    def explained(self, message: str) -> str:
        """The message; if it is about memory that was refused, also with the limit."""
        if not _OUT_OF_MEMORY.search(message):
            return message
        return f'{message} ({self.memory_name} is {self.memory / MIB:,.0f} MiB)'
