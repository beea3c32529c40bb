"""The process of a viewer, as the server sees it: what it shares, its start and its end."""

from __future__ import annotations

import mmap
import os
import socket
from contextlib import suppress

from ..errors import ViewerError
from ..processes import PythonProcess
from . import viewer_main
from .link.latest_value import LatestValue
from .link.viewer_socket import ViewerSocket

STATUS_BYTES = 2**18
"""The largest status that fits into the memory for it."""
_MAIN = f'{viewer_main.__name__}:{viewer_main.main.__name__}'
_GRACE_S = 0.5
"""How long a process may take to end by itself, which it does as its connection is closed."""


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
            self._python = PythonProcess(_MAIN, *files, files=files)
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
