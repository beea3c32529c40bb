"""Runs the process of a viewer: a page for browsers, or a window."""

from __future__ import annotations

import logging
import mmap
import os
import socket
import sys
from contextlib import suppress

from ..errors import ViewerError
from .link.latest_value import LatestValue
from .link.viewer_socket import ViewerSocket

_START_S = 10.0
_NICE = 10
"""How much later than the server this process gets a core."""


def main(connection: str, status: str, listener: str = '') -> int:
    """Shows the simulation until the server ends it, or ends itself; returns the exit code.

    All are descriptors; without the socket of a listener there is a window and no page.
    """
    os.nice(_NICE)
    if os.getsid(0) == os.getpid():  # Linux may share the cores among sessions first
        with suppress(OSError), open('/proc/self/autogroup', 'w') as rank:
            rank.write(str(_NICE))
    logging.basicConfig(level=logging.ERROR, format='%(message)s')
    server = ViewerSocket(socket.socket(fileno=int(connection)))
    try:
        _show(server, int(status), int(listener) if listener else None)
    except EOFError:
        return 0
    except ViewerError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _show(server: ViewerSocket, status: int, listener: int | None) -> None:
    first = server.receive(_START_S)
    if first is None:
        raise ViewerError('the server does not tell what is to be shown')
    token, title = str(first[0]['token']), str(first[0]['title'])
    size = os.fstat(status).st_size
    shared = LatestValue(mmap.mmap(status, size), 0, size - LatestValue.size(0))
    os.close(status)
    if listener is None:
        from .window.window_main import show_window

        show_window(server, shared, title)
    else:
        from .page.studio_main import serve_page

        serve_page(server, shared, title, socket.socket(fileno=listener), token)
