"""Sends messages over a socket: a mapping as JSON, and files as raw bytes.

Nothing is unpickled, as the process on the other side cannot be trusted.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

_SIZE = struct.Struct('<Q')
_LONGEST = 2**26
"""The maximum size of the mapping in bytes."""
_FILES = '__files'
_CLOSED = 'the other side has closed the connection'


class Channel:
    """One end of the connection. Any thread may send, but only one may receive.

    `end` is a time on the monotonic clock. Methods raise TimeoutError at that time, and EOFError
    if either side has closed the connection.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._sending = threading.Lock()

    def send(
        self, message: Mapping[str, Any], files: Sequence[Any] = (), end: float | None = None
    ) -> None:
        """Sends a message; its files may be anything with a contiguous buffer."""
        views = [memoryview(file).cast('B') for file in files]
        head = json.dumps({**message, _FILES: [view.nbytes for view in views]}).encode()
        with self._sending, _open():
            parts: list[Any] = [_SIZE.pack(len(head)) + head, *views]
            for part in parts:
                self._wait_until(end)
                self._socket.sendall(part)

    def receive(self, end: float | None = None) -> tuple[dict[str, Any], list[bytearray]]:
        """Receives the next message and its files."""
        (size,) = _SIZE.unpack(self._exactly(_SIZE.size, end))
        if size > _LONGEST:
            raise EOFError(f'a message of {size:,} bytes is too long')
        message = json.loads(self._exactly(size, end))
        return message, [self._exactly(each, end) for each in message.pop(_FILES)]

    def fileno(self) -> int:
        """Returns the descriptor of this end, for `select`."""
        return self._socket.fileno()

    def close(self) -> None:
        """Closes this end; whoever receives on the other side gets EOFError."""
        self._socket.close()

    def _exactly(self, size: int, end: float | None) -> bytearray:
        content = bytearray(size)
        left = memoryview(content)
        while left:
            with _open():
                self._wait_until(end)
                count = self._socket.recv_into(left)
            if count == 0:
                raise EOFError(_CLOSED)
            left = left[count:]
        return content

    def _wait_until(self, end: float | None) -> None:
        if end is None:
            self._socket.settimeout(None)
        elif (left := end - time.monotonic()) > 0:
            self._socket.settimeout(left)
        else:
            raise TimeoutError


@contextmanager
def _open() -> Iterator[None]:
    """Raises EOFError for whatever a socket raises that is closed."""
    try:
        yield
    except TimeoutError:
        raise
    except OSError as error:
        raise EOFError(_CLOSED) from error
