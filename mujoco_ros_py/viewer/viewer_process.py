"""The process of a viewer: its start and its end, what it shares with the server, what it runs."""

from __future__ import annotations

import logging
import mmap
import os
import socket
import sys
from contextlib import suppress

from ..errors import ViewerError
from ..processes import PythonProcess
from .link.latest_value import LatestValue
from .link.viewer_socket import ViewerSocket

STATUS_BYTES = 2**18
"""The largest status that fits into the memory for it."""
_GRACE_S = 0.5
"""How long a process may take to end by itself, which it does as its connection is closed."""
_START_S = 10.0
_NICE = 10
"""How much later than the server a viewer gets a core."""


class ViewerProcess:
    """A process that shows a simulation, and ends with this one."""

    def __init__(
        self,
        title: str,
        *,
        listener: socket.socket | None = None,
        token: str = '',
    ) -> None:
        """Starts the process: for browsers, on `listener`, or without one for a window.

        Raises ViewerError if that fails.
        """
        self.connection, theirs = ViewerSocket.pair()
        shared = os.memfd_create('status for the viewer')
        os.ftruncate(shared, LatestValue.size(STATUS_BYTES))
        self.status = LatestValue(mmap.mmap(shared, 0), 0, STATUS_BYTES)
        """The place for the status."""
        files = [theirs.fileno(), shared, *([listener.fileno()] if listener else [])]
        try:
            self._python = PythonProcess(f'{__name__}:show', *files, files=files)
        except OSError as error:
            raise ViewerError(f'the process of the viewer cannot be started: {error}') from error
        finally:
            theirs.close()
            os.close(shared)
        with suppress(OSError):  # it has died, which `receive` tells
            self.connection.send({'token': token, 'title': title})

    @property
    def pid(self) -> int:
        """The process id."""
        return self._python.child.pid

    def end(self) -> str:
        """Ends the process, and returns how it ended, with its last output."""
        self.connection.close()
        self._python.child.end(_GRACE_S, ask=False)
        how = self._python.death()
        self._python.close()
        return how


def show(connection: str, status: str, listener: str = '') -> int:
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
