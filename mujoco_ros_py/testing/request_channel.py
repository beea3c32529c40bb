"""Requests and answers between a test and its server: JSON, and numbers as they are in memory."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Mapping
from typing import Any

from ..errors import EndedError

_LENGTHS = struct.Struct('=II')


class RequestChannel:
    """One end of a pair of local sockets, which a process inherits; nobody else can reach it.

    Each message is a struct, as JSON, and bytes: numbers of a state, a model or a saved state.
    """

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def fileno(self) -> int:
        """Returns the descriptor, for `select`."""
        return self._end.fileno()

    def send(self, message: Mapping[str, Any], content: bytes = b'') -> None:
        """Sends a message. Raises EndedError if the other end is closed."""
        head = json.dumps(message).encode()
        try:
            self._end.sendall(_LENGTHS.pack(len(head), len(content)) + head + content)
        except OSError as error:
            raise EndedError('the other end is closed') from error

    def receive(self) -> tuple[dict[str, Any], bytes]:
        """Waits for a message. Raises EndedError if the other end is closed."""
        head, content = _LENGTHS.unpack(self._exactly(_LENGTHS.size))
        message: dict[str, Any] = json.loads(self._exactly(head))
        return message, self._exactly(content)

    def close(self) -> None:
        """Closes this end."""
        self._end.close()

    def _exactly(self, size: int) -> bytes:
        parts, left = [], size
        while left:
            try:
                part = self._end.recv(min(left, 1 << 20))
            except OSError as error:
                raise EndedError('the other end is closed') from error
            if not part:
                raise EndedError('the other end is closed')
            parts.append(part)
            left -= len(part)
        return b''.join(parts)
