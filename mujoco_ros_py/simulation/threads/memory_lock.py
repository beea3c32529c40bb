"""The lock by which the memory of the process stays in RAM, for as long as somebody wants it."""

from __future__ import annotations

import ctypes
import logging
import os
import resource
import threading
from pathlib import Path

from ...errors import ConfigError
from .scheduling import how_to_raise

_CURRENT, _FUTURE, _ON_FAULT = 1, 2, 4
"""The flags of mlockall as bits/mman-linux.h defines them."""
_CAP_IPC_LOCK = 14
_log = logging.getLogger(__name__)
_libc = ctypes.CDLL(None, use_errno=True)


class MemoryLock:
    """Locks the memory of the whole process, of which there is one lock for all holders.

    What the process has mapped is brought into RAM at once, libraries above all: their code then
    never comes from the disk. What it maps later is locked page by page as it is used, and as a
    whole only by `bring_in`. Otherwise each thread would take its whole stack, and each copy of
    the data its whole arena, although hardly any of that is ever used.
    """

    _guard = threading.Lock()
    _holders = 0
    _kept = False
    """Whether the process had locked memory by itself, so that nothing must be unlocked."""

    def __init__(self) -> None:
        self.held = False
        """Whether this holder has locked the memory."""

    def acquire(self) -> None:
        """Locks the memory. Raises ConfigError if the system does not permit it."""
        with self._guard:
            if MemoryLock._holders == 0:
                MemoryLock._kept = _status('VmLck') > 0
                self._lock()
            MemoryLock._holders += 1
            self.held = True

    def release(self) -> None:
        """Unlocks the memory when the last holder has released it."""
        with self._guard:
            if not self.held:
                return
            self.held = False
            MemoryLock._holders -= 1
            if MemoryLock._holders == 0:
                self._unlock()

    def bring_in(self, address: int, size: int) -> None:
        """Brings memory into RAM as a whole if this holder has locked it; sizes are in bytes."""
        if self.held and _libc.mlock(ctypes.c_void_p(address), ctypes.c_size_t(size)):
            reason = os.strerror(ctypes.get_errno())
            _log.warning('%d bytes of the model are not locked in memory: %s', size, reason)

    def _lock(self) -> None:
        """Locks what the process has, and what it will have."""
        limit = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
        if limit != resource.RLIM_INFINITY and not _has_capability(_CAP_IPC_LOCK):
            raise ConfigError(
                f'lock_memory must be false where RLIMIT_MEMLOCK is {limit // 1024} KiB, got true:'
                ' the limit must be unlimited, as Linux counts address space against it.'
                f' {how_to_raise("memlock", "unlimited", "-1")}'
            )
        if _libc.mlockall(_CURRENT) or _libc.mlockall(_FUTURE | _ON_FAULT):
            reason = os.strerror(ctypes.get_errno())
            self._unlock()
            raise ConfigError(f'lock_memory must be permitted by the system, got true: {reason}')

    def _unlock(self) -> None:
        """Unlocks all memory, unless some was locked before anybody held it."""
        if not MemoryLock._kept:
            _libc.munlockall()


def _has_capability(number: int) -> bool:
    return bool(_status('CapEff', base=16) >> number & 1)


def _status(field: str, base: int = 10) -> int:
    """Returns a number of /proc/self/status; 0 if there is none of this name."""
    for line in Path('/proc/self/status').read_text().splitlines():
        name, _, value = line.partition(':')
        if name == field:
            return int(value.split()[0], base)
    return 0
