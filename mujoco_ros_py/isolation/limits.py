"""How much a request may take."""

from __future__ import annotations

import re
from dataclasses import dataclass

MIB = 2**20
_OUT_OF_MEMORY = re.compile(r'bad_alloc|bad_array_new_length|MemoryError|alloc(at|ation )', re.I)
"""What C, C++, Python and MuJoCo say where memory was refused."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Of memory and time, and what users call them."""

    memory: int = 4096 * MIB
    """In bytes, beyond what the process has before the request."""
    time_s: float = 60.0
    """Wall time from the request to its answer."""
    memory_name: str = 'the limit of memory'
    time_name: str = 'the limit of time'

    def explained(self, message: str) -> str:
        """The message; if it is about memory that was refused, also with the limit."""
        if not _OUT_OF_MEMORY.search(message):
            return message
        return f'{message} ({self.memory_name} is {self.memory / MIB:,.0f} MiB)'
