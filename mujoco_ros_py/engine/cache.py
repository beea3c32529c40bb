"""Stores object code on disk.

The process executes stored code, so the cache must not read files that another user could have
created or changed. The folder and its files must belong to the user of this process, and no other
user may have write permission.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import logging
import os
import secrets
import stat
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..cache_folder import cache_folder

_log = logging.getLogger(__name__)
_AS_IT_IS = os.O_NOFOLLOW | os.O_NONBLOCK
"""Flags for opening a file. Following a symbolic link would bypass the check of the folder, and
opening a pipe would block."""
_LOCKS = 'compiling.lock'
"""The lock file. A process that compiles a function locks one byte of this file, at an offset
computed from the function's digest."""
_LONGEST_S = 60.0
"""Maximum time that a process waits for another process to compile the same function."""
_POLL_S = 0.01


@dataclass(frozen=True, slots=True)
class NativeCode:
    """The object code of one function."""

    symbol: str
    """The LLVM name of the function."""
    externals: tuple[str, ...]
    """The external symbols that the code refers to."""
    object_code: bytes


class _RefusedError(Exception):
    """Raised for a file or folder that another user could have written."""


@cache
def folder() -> Path:
    """Returns the current user's cache folder."""
    return cache_folder()


def read(digest: str) -> NativeCode | None:
    """Returns the code stored under a digest, or None if it is missing, damaged or untrusted."""
    try:
        with (
            _open(folder(), os.O_DIRECTORY) as place,
            _open(Path(_name(digest)), _AS_IT_IS, place) as descriptor,
            open(descriptor, 'rb', closefd=False) as file,
        ):
            return _decode(file.read())
    except _RefusedError as error:
        _say(f'compiled code in {folder()} is not used: {error}')
    # The file is missing or damaged. Not an error: the caller compiles the function and stores it.
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def write(digest: str, code: NativeCode) -> None:
    """Stores code under a digest, atomically.

    A failure is only logged, because it merely makes the next start slower.
    """
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        with _open(folder(), os.O_DIRECTORY) as place:
            _replace(place, _name(digest), _encode(code))
    except _RefusedError as error:
        _say(f'compiled code in {folder()} is not used: {error}')
    except OSError as error:
        _say(f'compiled code is not kept in {folder()}: {error.strerror}')


class _Locks:
    """The lock file, shared by the threads of this process.

    The file stays open while any thread holds a lock, because closing it would release all POSIX
    locks that the process holds on it.
    """

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._users, self._file = 0, -1

    @contextlib.contextmanager
    def open(self) -> Iterator[int]:
        """Yields the file. Raises OSError or _RefusedError if it cannot be opened."""
        with self._changing:
            if not self._users:
                self._file = _open_locks()
            self._users += 1
        try:
            yield self._file
        finally:
            with self._changing:
                self._users -= 1
                if not self._users:
                    os.close(self._file)


_locks = _Locks()


@contextlib.contextmanager
def alone(digest: str) -> Iterator[bool]:
    """Keeps other processes from compiling the function with this digest during the context.

    Yields False if this process holds the lock. Yields True without holding the lock if another
    process held it and has released it, if the wait timed out, or if the folder does not support
    locks; the caller then looks for stored code. Threads of one process do not wait for each
    other.
    """
    # Uses 60 bits of the digest because a lock offset is a signed 64-bit number. If two functions
    # have the same offset, their processes merely wait for each other.
    place = int(digest[:15], 16)
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(_locks.open())
            waited = _wait(file, place)
        # Some network file systems do not support locks. Compiling twice only costs time.
        except (OSError, _RefusedError):
            waited = True  # `write` logs the reason
        else:
            if not waited:
                stack.callback(fcntl.lockf, file, fcntl.LOCK_UN, 1, place)
        yield waited


def _wait(file: int, place: int) -> bool:
    """Locks a byte, or waits for the process that has locked it; returns whether it waited."""
    waited, end = False, time.monotonic() + _LONGEST_S
    while time.monotonic() < end:
        try:
            # Polls, because a blocking lock has no timeout. The kernel releases a POSIX lock when
            # its process ends, even if the process is killed.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise
            waited = True
            time.sleep(_POLL_S)
            continue
        if waited:
            # The other process has stored the code, so processes that still wait can read it now.
            fcntl.lockf(file, fcntl.LOCK_UN, 1, place)
        break
    return waited


def _open_locks() -> int:
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with _open(folder(), os.O_DIRECTORY) as place:
        flags = os.O_RDWR | os.O_CREAT | _AS_IT_IS
        with _open(Path(_LOCKS), flags, place) as descriptor:
            # Duplicates the descriptor, because `_open` closes the original. The duplicate is at
            # least 3, because 0 to 2 are the standard streams.
            return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)


@cache
def _say(message: str) -> None:
    """Logs a warning once per process instead of once per function."""
    _log.warning(message)


def _name(digest: str) -> str:
    return f'{digest}.machine_code'


@contextlib.contextmanager
def _open(path: Path, flags: int, place: int | None = None) -> Iterator[int]:
    """Opens a file of this user.

    Raises _RefusedError if another user may have written the file.
    """
    try:
        descriptor = os.open(path, os.O_CLOEXEC | flags, 0o600, dir_fd=place)
    except OSError as error:
        # O_NOFOLLOW fails with this error for a symbolic link.
        if error.errno == errno.ELOOP:
            raise _RefusedError(f'{path} is a symbolic link') from None
        raise
    try:
        # Checks the open file, because the path may refer to another file by now.
        status = os.fstat(descriptor)
        if status.st_uid != os.geteuid():
            raise _RefusedError(f'{path} belongs to user id {status.st_uid}')
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise _RefusedError(f'other users have write permission for {path}')
        yield descriptor
    finally:
        os.close(descriptor)


def _replace(place: int, name: str, content: bytes) -> None:
    """Writes a file into an open folder atomically; leaves nothing behind if it fails."""
    # Two processes may write the same code at the same time.
    temporary = f'{name}.{secrets.token_hex(8)}'
    # O_EXCL also refuses a symbolic link that somebody created at this name.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, 0o600, dir_fd=place)
    try:
        with open(descriptor, 'wb') as file:
            file.write(content)
        os.replace(temporary, name, src_dir_fd=place, dst_dir_fd=place)
    # Ctrl-C must not leave a partial file behind either.
    except BaseException:
        os.unlink(temporary, dir_fd=place)
        raise


def _encode(code: NativeCode) -> bytes:
    header = {
        'symbol': code.symbol,
        'externals': code.externals,
        # LLVM does not check object code, and damaged code would crash the process.
        'sha256': hashlib.sha256(code.object_code).hexdigest(),
    }
    return json.dumps(header).encode() + b'\n' + code.object_code


def _decode(content: bytes) -> NativeCode | None:
    head, _, object_code = content.partition(b'\n')
    header = json.loads(head)
    if header['sha256'] != hashlib.sha256(object_code).hexdigest():
        return None
    return NativeCode(header['symbol'], tuple(header['externals']), object_code)
