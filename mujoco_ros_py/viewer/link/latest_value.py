"""The newest value of a stream, in memory shared by two processes; neither process waits."""

from __future__ import annotations

import mmap
import threading

_HEAD = 16
"""The size in bytes of the sequence number and the value's length."""


class LatestValue:
    """A slot for one value: one process writes values, another reads the newest complete value.

    The sequence number is odd while a value is being written. If the reader finds the number odd
    or changed, it has read a mixture of two values, and drops the result.
    """

    def __init__(self, memory: mmap.mmap, begin: int, capacity: int) -> None:
        """Uses `capacity` bytes for the value, after a head at `begin`, a multiple of 8."""
        self._words = memoryview(memory)[begin : begin + _HEAD].cast('Q')
        self._place = memoryview(memory)[begin + _HEAD : begin + _HEAD + capacity]
        self._capacity = capacity
        self._read = 0
        self._fence = threading.Lock()

    @staticmethod
    def size(capacity: int) -> int:
        """Returns the number of bytes for a slot with values of up to `capacity` bytes."""
        return _HEAD + -(-capacity // 8) * 8

    def write(self, value: bytes | memoryview) -> bool:
        """Replaces the value; returns False, and writes nothing, if the value is too long."""
        size = len(value)
        if size > self._capacity:
            return False
        words = self._words
        # releasing and acquiring a lock is a memory barrier: it keeps the order of the writes
        with self._fence:
            words[0] |= 1
        with self._fence:
            self._place[:size] = value
            words[1] = size
        with self._fence:
            words[0] += 1
        return True

    def read(self) -> bytes | None:
        """Returns the newest value; None if it was already read, or is being written."""
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
