"""Stores object code on disk.

Stored code is executed. Therefore the cache reads nothing that another user could have put there
or changed: the folder and its files must belong to the user of this process, and nobody else may
have write permission.
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
"""Flags for opening a file: a symbolic link would bypass the check of the folder, and opening a
pipe would block."""
_LOCKS = 'compiling.lock'
"""The file in which each process that compiles a function locks the byte of that function."""
_LONGEST_S = 60.0
"""How long a process waits for another one that compiles the same function, at most."""
_POLL_S = 0.01


@dataclass(frozen=True, slots=True)
class NativeCode:
    """The object code of one function."""

    symbol: str
    """The name of the function in LLVM."""
    externals: tuple[str, ...]
    """The external symbols that the code refers to."""
    object_code: bytes


class _RefusedError(Exception):
    """The error of a file or folder that another user could have written."""


@cache
def folder() -> Path:
    """Returns the folder of the user's own cache."""
    return cache_folder()


def read(digest: str) -> NativeCode | None:
    """Returns the code stored under a digest, or None if there is no intact code of this user."""
    try:
        with (
            _open(folder(), os.O_DIRECTORY) as place,
            _open(Path(_name(digest)), _AS_IT_IS, place) as descriptor,
            open(descriptor, 'rb', closefd=False) as file,
        ):
            return _decode(file.read())
    except _RefusedError as error:
        _say(f'compiled code in {folder()} is not used: {error}')
    # Compiling again repairs all of these, so no kind of damage needs an error.
    except (OSError, ValueError, KeyError, TypeError):
        pass  # missing or damaged
    return None


def write(digest: str, code: NativeCode) -> None:
    """Stores the code completely or not at all; without it only the next start takes longer."""
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        with _open(folder(), os.O_DIRECTORY) as place:
            _replace(place, _name(digest), _encode(code))
    except _RefusedError as error:
        _say(f'compiled code in {folder()} is not used: {error}')
    except OSError as error:
        _say(f'compiled code is not kept in {folder()}: {error.strerror}')


class _Locks:
    """The file with the locks: open as long as one is held, as to close it would end them all."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._users, self._file = 0, -1

    @contextlib.contextmanager
    def open(self) -> Iterator[int]:
        """Yields the file. Raises OSError and _RefusedError where there cannot be one."""
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
    """Has other processes that enter with this digest wait until this one leaves the context.

    Yields False; or True after the wait for another process, for which nobody waits then, as the
    code that it stored is there now, or cannot be stored. Threads of one process do not wait for
    each other, and nobody waits in a folder without locks.
    """
    # 60 bits of the digest, as the offset of a lock is a signed 64-bit number. Two functions that
    # share an offset would only wait for each other.
    place = int(digest[:15], 16)
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(_locks.open())
            waited = _wait(file, place)
        # Some network file systems have no locks. Compiling twice costs time and nothing else.
        except (OSError, _RefusedError):
            waited = True  # `write` tells why
        else:
            if not waited:
                stack.callback(fcntl.lockf, file, fcntl.LOCK_UN, 1, place)
        yield waited


def _wait(file: int, place: int) -> bool:
    """Locks a byte for this process, or waits for the one that has; returns whether it waited."""
    waited, end = False, time.monotonic() + _LONGEST_S
    while time.monotonic() < end:
        try:
            # Polled, as a lock that waits has no time limit. A lock of POSIX ends with its
            # process, also if that is killed: no lock is left behind.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise
            waited = True
            time.sleep(_POLL_S)
            continue
        if waited:
            # After a wait the code is on disk, so the next process need not wait for this one.
            fcntl.lockf(file, fcntl.LOCK_UN, 1, place)
        break
    return waited


def _open_locks() -> int:
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with _open(folder(), os.O_DIRECTORY) as place:
        flags = os.O_RDWR | os.O_CREAT | _AS_IT_IS
        with _open(Path(_LOCKS), flags, place) as descriptor:
            # A copy, as `_open` closes its own descriptor; never one of the three standard ones.
            return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)


@cache
def _say(message: str) -> None:
    """Logs a warning once, and not for each function."""
    _log.warning(message)


def _name(digest: str) -> str:
    return f'{digest}.machine_code'


@contextlib.contextmanager
def _open(path: Path, flags: int, place: int | None = None) -> Iterator[int]:
    """Opens a file of this user.

    Raises _RefusedError for one that another user may have written.
    """
    try:
        descriptor = os.open(path, os.O_CLOEXEC | flags, 0o600, dir_fd=place)
    except OSError as error:
        # O_NOFOLLOW fails with this error for a symbolic link.
        if error.errno == errno.ELOOP:
            raise _RefusedError(f'{path} is a symbolic link') from None
        raise
    try:
        # The open file is asked, and not its path, which may lead to another file by now.
        status = os.fstat(descriptor)
        if status.st_uid != os.geteuid():
            raise _RefusedError(f'{path} belongs to the user with the id {status.st_uid}')
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise _RefusedError(f'other users may write {path}')
        yield descriptor
    finally:
        os.close(descriptor)


def _replace(place: int, name: str, content: bytes) -> None:
    """Writes a file into an open folder atomically; a failure leaves nothing behind."""
    # Two processes may write the same code at once.
    temporary = f'{name}.{secrets.token_hex(8)}'
    # O_EXCL also refuses a link that somebody has put there.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, 0o600, dir_fd=place)
    try:
        with open(descriptor, 'wb') as file:
            file.write(content)
        os.replace(temporary, name, src_dir_fd=place, dst_dir_fd=place)
    # Ctrl-C must leave no half of a file behind either.
    except BaseException:
        os.unlink(temporary, dir_fd=place)
        raise


def _encode(code: NativeCode) -> bytes:
    header = {
        'symbol': code.symbol,
        'externals': code.externals,
        # LLVM does not check object code: a damaged file would crash the process.
        'sha256': hashlib.sha256(code.object_code).hexdigest(),
    }
    return json.dumps(header).encode() + b'\n' + code.object_code


def _decode(content: bytes) -> NativeCode | None:
    head, _, object_code = content.partition(b'\n')
    header = json.loads(head)
    if header['sha256'] != hashlib.sha256(object_code).hexdigest():
        return None
    return NativeCode(header['symbol'], tuple(header['externals']), object_code)
