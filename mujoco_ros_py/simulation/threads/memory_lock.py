"""Locks the memory of the process in RAM."""

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
"""The flags of mlockall, from bits/mman-linux.h."""
_CAP_IPC_LOCK = 14
_log = logging.getLogger(__name__)
_libc = ctypes.CDLL(None, use_errno=True)


class MemoryLock:
    """Locks the memory of the whole process. All holders share a single lock.

    Memory that is already mapped, mostly libraries, is loaded into RAM immediately; code is then
    never read from the disk. Memory that is mapped later is locked page by page when it is used,
    or as a whole by `bring_in`. Locking all of it as a whole would load the entire stack of each
    thread and the entire arena of each copy of the data, although they are hardly ever used.
    """

    _guard = threading.Lock()
    _holders = 0
    _kept = False
    """Whether other code had already locked memory; if so, nothing is unlocked."""

    def __init__(self) -> None:
        self.held = False
        """Whether this holder has locked the memory."""

    def acquire(self) -> None:
        """Locks the memory. Raises ConfigError if the system does not permit this."""
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
        """Loads `size` bytes of memory into RAM if this holder has locked the memory."""
        if self.held and _libc.mlock(ctypes.c_void_p(address), ctypes.c_size_t(size)):
            reason = os.strerror(ctypes.get_errno())
            _log.warning('%d bytes of the model are not locked in memory: %s', size, reason)

    def _lock(self) -> None:
        """Locks the current and the future memory of the process."""
        limit = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
        if limit != resource.RLIM_INFINITY and not _has_capability(_CAP_IPC_LOCK):
            raise ConfigError(
                f'lock_memory must be false if RLIMIT_MEMLOCK is {limit // 1024} KiB, got true:'
                ' the limit must be unlimited, because Linux counts address space against it.'
                f' {how_to_raise("memlock", "unlimited", "-1")}'
            )
        if _libc.mlockall(_CURRENT) or _libc.mlockall(_FUTURE | _ON_FAULT):
            reason = os.strerror(ctypes.get_errno())
            self._unlock()
            raise ConfigError(f'lock_memory must be permitted by the system, got true: {reason}')

    def _unlock(self) -> None:
        """Unlocks all memory, unless other code had locked memory before."""
        if not MemoryLock._kept:
            _libc.munlockall()


def _has_capability(number: int) -> bool:
    return bool(_status('CapEff', base=16) >> number & 1)


def _status(field: str, base: int = 10) -> int:
    """Returns a number from /proc/self/status; 0 if the field is missing."""
    for line in Path('/proc/self/status').read_text().splitlines():
        name, _, value = line.partition(':')
        if name == field:
            return int(value.split()[0], base)
    return 0
