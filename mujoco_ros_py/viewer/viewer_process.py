"""The process of the viewer, as the server sees it: its start, its end, and its last words."""

from __future__ import annotations

import mmap
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress

from ..errors import ViewerError
from .link.latest_value import LatestValue
from .link.viewer_socket import ViewerSocket

STATUS_BYTES = 2**18
"""The largest status that fits into the memory for it."""
_LAST_WORDS = 600


class ViewerProcess:
    """A separate Python, which the kernel kills when this process ends in any way."""

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
        alive, self._lifeline = os.pipe()
        self._output = os.memfd_create('output of the viewer')
        shared = os.memfd_create('status for the viewer')
        os.ftruncate(shared, LatestValue.size(STATUS_BYTES))
        self.status = LatestValue(mmap.mmap(shared, 0), 0, STATUS_BYTES)
        """The place for the status."""
        keep = [theirs.fileno(), alive, shared]
        if listener is not None:
            keep.append(listener.fileno())
        try:
            self._process = subprocess.Popen(
                [sys.executable, '-m', __package__, *map(str, keep)],
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=self._output,
                pass_fds=keep,
                start_new_session=True,  # Ctrl-C on the terminal is not for it
            )
        except OSError as error:
            self._close_files()
            raise ViewerError(f'the process of the viewer cannot be started: {error}') from error
        finally:
            theirs.close()
            os.close(alive)
            os.close(shared)
        with suppress(OSError):  # it has died, which `receive` tells
            self.connection.send({'token': token, 'title': title})

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def end(self) -> str:
        """Ends the process, and returns how it ended, with its last output."""
        self.connection.close()
        with suppress(subprocess.TimeoutExpired):  # a process that died has closed its end first
            self._process.wait(0.5)
        self._process.kill()
        status = self._process.wait()
        words = self._last_words()
        self._close_files()
        how = f'signal {signal.Signals(-status).name}' if status < 0 else f'exit code {status}'
        return f'{how}{": " if words else ""}{words}'

    def _close_files(self) -> None:
        for descriptor in (self._lifeline, self._output):
            os.close(descriptor)

    def _last_words(self) -> str:
        size = os.fstat(self._output).st_size
        tail = os.pread(self._output, _LAST_WORDS, max(0, size - _LAST_WORDS))
        return ' '.join(tail.decode(errors='replace').split())
