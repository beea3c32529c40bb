"""The registry of the callback tables of a process, by the address of their mjData.

It is a hash table with open addressing. Compiled code reads it in every step of every simulation,
on many threads and without a lock; one thread at a time writes it. An entry never moves, so that
a reader finds it whatever happens to others.
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
# Python's integers have no end; compiled code multiplies 64-bit numbers.
_WORD = (1 << 64) - 1


def first_slot(data: int) -> int:
    """Returns the slot at which the search for the data at an address begins."""
    # The lowest bits of an aligned address are 0. The product carries the others into the highest
    # bits, which are the slot (Fibonacci hashing).
    return (((data >> 4) * REGISTRY_MULTIPLIER) & _WORD) >> (64 - REGISTRY_BITS)


class Registry:
    """The addresses of callback tables by those of their data; any thread may use it."""

    def __init__(self) -> None:
        self.rows = np.zeros((REGISTRY_SLOTS, 2), np.int64)
        """The address of the data and that of the table, for each slot."""
        self._slots: dict[int, int] = {}
        self._lock = threading.Lock()

    def put(self, data: int, table: int) -> None:
        """Sets the table of data. Raises SimulationError if there are too many simulations."""
        with self._lock:
            if data in self._slots:
                # In place: a reader finds either the old table or the new one.
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
            self.rows[slot, 0] = data  # last, as a reader may be looking
            self._slots[data] = slot

    def remove(self, data: int) -> None:
        """Removes data, if they are there.

        The slot is marked, as a search must go on there; marks before an empty slot are cleared.
        """
        with self._lock:
            slot = self._slots.pop(data, None)
            if slot is None:
                return
            self.rows[slot, 0] = REMOVED
            # A search for data behind this slot must still pass it.
            if self.rows[(slot + 1) & _MASK, 0] != NO_DATA:
                return
            # Marks that no search has to pass are cleared. Otherwise they would fill the table
            # with time, and a search for unknown data would go through all of it.
            while self.rows[slot, 0] == REMOVED:
                self.rows[slot, 0] = NO_DATA
                slot = (slot - 1) & _MASK

    def __len__(self) -> int:
        return len(self._slots)


registry = Registry()
"""The registry of this process; compiled code that refers to its symbol is loaded later."""
_pointer = ctypes.c_int64(registry.rows.ctypes.data)
add_symbol(REGISTRY, ctypes.addressof(_pointer))
