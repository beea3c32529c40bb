"""The process of a viewer: its start, end, shared memory and main function."""

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
"""The maximum size of the status in its shared memory."""
_GRACE_S = 0.5
"""How long a process may take to exit after its connection is closed, in seconds."""
_START_S = 10.0
_NICE = 10
"""The increment of the viewer's nice value, so that the server gets the cores first."""


class ViewerProcess:
    """A process that shows a simulation; it ends if this process ends."""

    def __init__(
        self,
        title: str,
        *,
        listener: socket.socket | None = None,
        token: str = '',
    ) -> None:
        """Starts the process: for browsers on `listener`, or for a window without `listener`.

        Raises ViewerError if the start fails.
        """
        self.connection, theirs = ViewerSocket.pair()
        shared = os.memfd_create('status for the viewer')
        os.ftruncate(shared, LatestValue.size(STATUS_BYTES))
        self.status = LatestValue(mmap.mmap(shared, 0), 0, STATUS_BYTES)
        """The shared memory for the status."""
        files = [theirs.fileno(), shared, *([listener.fileno()] if listener else [])]
        try:
            self._python = PythonProcess(f'{__name__}:show', *files, files=files)
        except OSError as error:
            raise ViewerError(f'the process of the viewer cannot be started: {error}') from error
        finally:
            theirs.close()
            os.close(shared)
        with suppress(OSError):  # the process has died; `receive` reports it
            self.connection.send({'token': token, 'title': title})

    @property
    def pid(self) -> int:
        """The process id."""
        return self._python.child.pid

    def end(self) -> str:
        """Ends the process; returns how it ended, with its last output."""
        self.connection.close()
        self._python.child.end(_GRACE_S, ask=False)
        how = self._python.death()
        self._python.close()
        return how


def show(connection: str, status: str, listener: str = '') -> int:
    """Shows the simulation until the server closes the connection; returns the exit code.

    The arguments are file descriptors. Without a listener, the process shows a window instead of a
    page.
    """
    os.nice(_NICE)
    if os.getsid(0) == os.getpid():  # a nice value only counts inside a session's autogroup
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
        raise ViewerError('the server did not send the first message in time')
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
