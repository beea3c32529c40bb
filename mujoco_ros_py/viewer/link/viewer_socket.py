"""Messages between the server and the viewer process: JSON, and descriptors of shared memory.

Nothing is unpickled. Sending never waits: a message that the other side cannot take is dropped.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

_LONGEST = 2**16
_MOST_FILES = 4


class ViewerSocket:
    """One end of the connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection

    @staticmethod
    def pair() -> tuple[ViewerSocket, socket.socket]:
        """Returns one end, and the socket of the other end, for another process."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        return ViewerSocket(ours), theirs

    def send(self, message: Mapping[str, object], files: Sequence[int] = ()) -> bool:
        """Sends a message; returns False if the message is too long or the socket is full.

        Raises OSError if the other side is gone.
        """
        text = json.dumps(message).encode()
        if len(text) > _LONGEST:
            return False
        try:
            socket.send_fds(self._socket, [text], files, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
        except BlockingIOError:
            return False
        return True

    def receive(self, timeout_s: float) -> tuple[dict[str, Any], list[int]] | None:
        """Returns the next message and its descriptors; None after the timeout.

        Raises EOFError if the other side is gone, and ValueError for an invalid message.
        """
        self._socket.settimeout(timeout_s)
        try:
            text, files, flags, _ = socket.recv_fds(self._socket, _LONGEST, _MOST_FILES)
        except (TimeoutError, BlockingIOError):
            return None
        except OSError as error:
            raise EOFError(str(error)) from error
        if not text:
            raise EOFError('the other side has closed the connection')
        try:
            if flags & socket.MSG_TRUNC:
                raise ValueError('the message is too long')
            message = json.loads(text)
            if not isinstance(message, dict):
                raise ValueError('the message is not a mapping')
        except ValueError:
            for file in files:
                os.close(file)
            raise
        return message, files

    def close(self) -> None:
        """Closes this end, and wakes another thread from `receive`."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
