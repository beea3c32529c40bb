"""The newest value of something, in memory that two processes share; neither of them waits."""

from __future__ import annotations

import mmap
import threading

_HEAD = 16
"""The size of the sequence number and of the length of the value, in bytes."""


class LatestValue:
    """A place for one value: one process writes it, another reads the newest whole one.

    The sequence number is odd while a value is being written. A reader that finds it odd or
    changed has read a mixture of two values, which it drops.
    """

    def __init__(self, memory: mmap.mmap, begin: int, capacity: int) -> None:
        """Takes `capacity` bytes for the value at `begin`, a multiple of 8; the head is extra."""
        self._words = memoryview(memory)[begin : begin + _HEAD].cast('Q')
        self._place = memoryview(memory)[begin + _HEAD : begin + _HEAD + capacity]
        self._capacity = capacity
        self._read = 0
        self._fence = threading.Lock()

    @staticmethod
    def size(capacity: int) -> int:
        """Returns the number of bytes of memory for values of up to `capacity` bytes."""
        return _HEAD + -(-capacity // 8) * 8

    def write(self, value: bytes | memoryview) -> bool:
        """Writes a value over the one before; False, and nothing is written, if it is too long."""
        size = len(value)
        if size > self._capacity:
            return False
        words = self._words
        # a lock that is released and taken again keeps the processor from changing the order
        with self._fence:
            words[0] |= 1
        with self._fence:
            self._place[:size] = value
            words[1] = size
        with self._fence:
            words[0] += 1
        return True

    def read(self) -> bytes | None:
        """Returns the newest value; None if it was read already, or is being written now."""
        words = self._words
        with self._fence:
            number = words[0]
        if number == self._read or number % 2:
            return None
        with self._fence:
            value = bytes(self._place[: words[1]])
        with self._fence:
            if words[0] != number:
                return None
        self._read = number
        return value
