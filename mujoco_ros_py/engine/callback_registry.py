"""Maps the address of each mjData of the process to its callback table.

The registry is a hash table with open addressing. Compiled code reads it in every step of every
simulation, on many threads and without a lock; writers take a lock. Entries never move, so a
reader finds its entry even while other entries are added or removed.
"""

from __future__ import annotations

import ctypes
import threading

import numpy as np

from ..errors import SimulationError
from .foreign.llvm_loader import add_symbol
from .records import (
    NO_DATA,
    REGISTRY_BITS,
    REGISTRY_CAPACITY,
    REGISTRY_MULTIPLIER,
    REGISTRY_SLOTS,
    REMOVED,
)
from .symbols import REGISTRY

_MASK = REGISTRY_SLOTS - 1
# Python's integers are unbounded, but compiled code multiplies 64-bit integers.
_WORD = (1 << 64) - 1


def first_slot(data: int) -> int:
    """Returns the first slot to search for the mjData at an address."""
    # The lowest bits of an aligned address are 0. The product carries the other bits into the
    # highest bits, which select the slot (Fibonacci hashing).
    return (((data >> 4) * REGISTRY_MULTIPLIER) & _WORD) >> (64 - REGISTRY_BITS)


class Registry:
    """Callback table addresses, keyed by mjData address. Thread-safe."""

    def __init__(self) -> None:
        self.rows = np.zeros((REGISTRY_SLOTS, 2), np.int64)
        """For each slot, the addresses of the mjData and of its callback table."""
        self._slots: dict[int, int] = {}
        self._lock = threading.Lock()

    def put(self, data: int, table: int) -> None:
        """Sets the table of an mjData. Raises SimulationError if the registry is full."""
        with self._lock:
            if data in self._slots:
                # Overwritten in place: a reader sees either the old table or the new one.
                self.rows[self._slots[data], 1] = table
                return
            if len(self._slots) == REGISTRY_CAPACITY:
                raise SimulationError(
                    f'more than {REGISTRY_CAPACITY:,} simulations in one process'
                )
            slot = first_slot(data)
            while self.rows[slot, 0] not in (NO_DATA, REMOVED):
                slot = (slot + 1) & _MASK
            self.rows[slot, 1] = table
            self.rows[slot, 0] = data  # written last: a reader may be looking at this slot
            self._slots[data] = slot

    def remove(self, data: int) -> None:
        """Removes an mjData, if it is registered.

        Its slot is marked as removed, because searches for other entries must continue past it.
        Marks directly before an empty slot are cleared.
        """
        with self._lock:
            slot = self._slots.pop(data, None)
            if slot is None:
                return
            self.rows[slot, 0] = REMOVED
            # Searches for entries in later slots must still continue past this slot.
            if self.rows[(slot + 1) & _MASK, 0] != NO_DATA:
                return
            # No search has to continue past the marks before an empty slot. If they stayed, they
            # would fill the table over time, and a search for an unknown mjData would scan it all.
            while self.rows[slot, 0] == REMOVED:
                self.rows[slot, 0] = NO_DATA
                slot = (slot - 1) & _MASK

    def __len__(self) -> int:
        return len(self._slots)


registry = Registry()
"""The registry of this process; must exist before compiled code that links to it is loaded."""
_pointer = ctypes.c_int64(registry.rows.ctypes.data)
add_symbol(REGISTRY, ctypes.addressof(_pointer))
