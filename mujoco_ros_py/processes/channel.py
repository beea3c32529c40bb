"""Sends messages over a socket: a mapping as JSON, followed by any number of files as raw bytes.

Nothing is unpickled, because the process on the other side cannot be trusted.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

Result = TypeVar('Result')
_SIZE = struct.Struct('<Q')
_LONGEST = 2**26
"""The maximum size of the encoded mapping, in bytes."""
_SMALL = 2**16
"""Messages smaller than this many bytes are sent with a single call."""
_FILES = '__files'
_CLOSED = 'the other side has closed the connection'


class Channel:
    """One end of the connection. Any thread can send, but only one thread can receive.

    `end` is a deadline on the monotonic clock. Methods raise TimeoutError when the deadline
    passes, and EOFError if either side has closed the connection.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._sending = threading.Lock()

    def send(
        self, message: Mapping[str, Any], files: Sequence[Any] = (), end: float | None = None
    ) -> None:
        """Sends a message. A file can be any object with a contiguous buffer."""
        views = [memoryview(file).cast('B') for file in files]
        head = json.dumps({**message, _FILES: [view.nbytes for view in views]}).encode()
        parts: list[Any] = [_SIZE.pack(len(head)), head, *views]
        if sum(map(len, parts)) < _SMALL:
            parts = [b''.join(parts)]
        with self._sending:
            for part in parts:
                self._call(self._socket.sendall, part, end)

    def receive(self, end: float | None = None) -> tuple[dict[str, Any], list[bytearray]]:
        """Receives the next message and its files."""
        (size,) = _SIZE.unpack(self._exactly(_SIZE.size, end))
        if size > _LONGEST:
            raise EOFError(f'a message of {size:,} bytes exceeds the maximum size')
        message = json.loads(self._exactly(size, end))
        return message, [self._exactly(each, end) for each in message.pop(_FILES)]

    def fileno(self) -> int:
        """Returns the socket's descriptor, for `select`."""
        return self._socket.fileno()

    def close(self) -> None:
        """Closes this end. `receive` on the other side raises EOFError."""
        self._socket.close()

    def _exactly(self, size: int, end: float | None) -> bytearray:
        content = bytearray(size)
        left = memoryview(content)
        while left:
            count = self._call(self._socket.recv_into, left, end)
            if count == 0:
                raise EOFError(_CLOSED)
            left = left[count:]
        return content

    def _call(self, method: Callable[[Any], Result], part: object, end: float | None) -> Result:
        """Calls a method of the socket. Converts the errors of a closed socket to EOFError."""
        try:
            if end is None:
                return method(part)
            if (left := end - time.monotonic()) <= 0:
                raise TimeoutError
            self._socket.settimeout(left)
            try:
                return method(part)
            finally:
                self._socket.settimeout(None)
        except TimeoutError:
            raise
        except OSError as error:
            raise EOFError(_CLOSED) from error
