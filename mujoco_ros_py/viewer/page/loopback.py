"""Restricts sockets to this machine and this process, with the socket tables in /proc."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import ViewerError

_LISTENING = 0x0A
_STANDS_STILL_MS = 10_000
"""A browser's connection is closed if the browser receives nothing for this time."""
_WAITING_BYTES = 2**18
"""The send buffer of a connection, kept small so that a page never shows old pictures."""
_SOCKET = re.compile(r'socket:\[(\d+)\]')


@dataclass(frozen=True, slots=True)
class TcpSocket:
    """A line of /proc/net/tcp or tcp6."""

    local: tuple[str, int]
    remote: tuple[str, int]
    listens: bool
    inode: int


def tcp_sockets(process: int | str = 'self') -> Iterator[TcpSocket]:
    """Yields all TCP sockets in a process's network namespace."""
    for table in ('tcp', 'tcp6'):
        try:
            lines = Path(f'/proc/{process}/net/{table}').read_text().splitlines()[1:]
        except FileNotFoundError:  # a system without IPv6
            continue
        for line in lines:
            fields = line.split()
            yield TcpSocket(
                _endpoint(fields[1]),
                _endpoint(fields[2]),
                int(fields[3], 16) == _LISTENING,
                int(fields[9]),
            )


def own_inodes(process: int | str = 'self') -> set[int]:
    """Returns the inodes of all open sockets of a process."""
    folder, inodes = f'/proc/{process}/fd', set()
    for entry in os.listdir(folder):
        try:
            match = _SOCKET.match(os.readlink(f'{folder}/{entry}'))
        except OSError:  # closed since listdir
            continue
        if match:
            inodes.add(int(match[1]))
    return inodes


def listening(process: int | str = 'self') -> list[tuple[str, int]]:
    """Returns the address and port of each listening TCP socket of a process."""
    inodes = own_inodes(process)
    return [each.local for each in tcp_sockets(process) if each.listens and each.inode in inodes]


def refuse_other_interfaces() -> None:
    """Raises ViewerError if this process listens on any address other than loopback."""
    for address, port in listening():
        if not ipaddress.ip_address(address).is_loopback:
            raise ViewerError(
                f'the viewer does not start: it must listen on the loopback interface only, but'
                f' listens on {address}, port {port}'
            )


def bind_loopback(port: int) -> socket.socket:
    """Returns a TCP socket bound to 127.0.0.1; port 0 selects a free port. Raises ViewerError.

    A connection is closed if its browser receives nothing for 10 s, because Studio waits for this
    browser before it passes the controls to another one.
    """
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _WAITING_BYTES)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STANDS_STILL_MS)
    try:
        made.bind(('127.0.0.1', port))
    except OSError as error:
        made.close()
        raise ViewerError(
            f'the viewer does not start: port {port} cannot be used ({error.strerror});'
            ' set viewer_port to 0 for a free port'
        ) from error
    return made


class OwnProcessSocket(socket.socket):
    """A listening socket that accepts connections from this process only.

    Any user of the machine can connect to a loopback port, and this socket requires no secret.
    """

    def accept(self) -> tuple[socket.socket, Any]:
        """Accepts a connection. Raises ConnectionAbortedError if it is from another process."""
        connection, peer = super().accept()
        here = connection.getsockname()[:2]
        inodes = own_inodes()
        for each in tcp_sockets():
            if each.local == peer[:2] and each.remote == here and each.inode in inodes:
                return connection, peer
        connection.close()
        raise ConnectionAbortedError('refused a connection from another process')


def _endpoint(text: str) -> tuple[str, int]:
    """Decodes an address and a port from the format of /proc, such as ``0100007F:1F90``."""
    address, _, port = text.partition(':')
    words = [int(address[begin : begin + 8], 16) for begin in range(0, len(address), 8)]
    raw = struct.pack(f'={len(words)}I', *words)  # words are in native byte order
    return str(ipaddress.ip_address(raw)), int(port, 16)
