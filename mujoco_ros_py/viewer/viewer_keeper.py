"""Keeps the process of a viewer: it is started, watched, started again, and ended here."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..errors import ViewerError
from .loopback import bind_loopback
from .page_access import new_token
from .studio_internals import missing
from .viewer_process import ViewerProcess

_log = logging.getLogger(__name__)

_AGAIN_S = 1.0
"""The pause before a process that has ended is started again, in seconds."""
_MOST_ENDS, _WITHIN_S = 5, 60.0
"""A process that ends so often in so many seconds is not started again."""
_MESSAGE_S = 0.005
"""The shortest time between two messages of the process that are looked at, in seconds."""
_WAIT_S = 0.2
_LAST_S = 1.0


class ViewerContent(Protocol):
    """What a viewer shows; the thread of its keeper calls the methods."""

    watched: bool
    """Whether somebody looks."""

    def serve(self, process: ViewerProcess | None) -> None:
        """Gives models and states to another process from now on; None: to none."""

    def carry_out(self, message: Mapping[str, Any]) -> None:
        """Begins to carry out a command of the page; whatever is wrong with it raises nothing."""

    def tick(self) -> None:
        """Is called a few times a second, at least, while there is a process."""


class ViewerKeeper:
    """Runs a viewer for browsers on this machine, at `address`, from `start` to `close`.

    If its process ends, that is logged, and another takes over the address.
    """

    def __init__(
        self,
        content: ViewerContent,
        announce: Callable[[str], object],
        *,
        port: int = 0,
        title: str = 'mujoco_ros_py',
    ) -> None:
        """`announce(address)` is called when the page can be opened for the first time.

        Raises ViewerError if Studio or websockets is missing, or if the port is taken.
        """
        if lacks := missing():
            raise ViewerError(f'the viewer does not start: {lacks}')
        self._listener = bind_loopback(port)
        self._token = new_token()
        self._title = title
        self._content, self._announce = content, announce
        self._announced = False
        self._process: ViewerProcess | None = None
        self._ends: list[float] = []
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name='pages', daemon=True)
        self.start = self._thread.start
        """Starts the process, and the thread that serves it."""

    @property
    def address(self) -> str:
        """The address of the page, with its token: whoever has it may see and use the page."""
        return f'http://127.0.0.1:{self._listener.getsockname()[1]}/{self._token}/'

    @property
    def pid(self) -> int | None:
        """The id of the process; None while there is none."""
        process = self._process
        return process.pid if process is not None else None

    @property
    def runs(self) -> bool:
        """Whether there is a process, or will be one again."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Ends the process and the thread."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(_LAST_S)
        self._listener.close()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                process = ViewerProcess(self._listener, self._token, self._title)
            except ViewerError as error:
                _log.error('%s', error)
                return
            self._process = process
            self._content.serve(process)
            self._converse(process)
            self._content.serve(None)
            self._process = None
            how = process.end()
            if self._closed.is_set() or not self._goes_on(how):
                return
            self._closed.wait(_AGAIN_S)

    def _goes_on(self, how: str) -> bool:
        """Logs that the process has ended; returns whether it is started again."""
        now = time.monotonic()
        self._ends = [*(each for each in self._ends if each > now - _WITHIN_S), now]
        if len(self._ends) >= _MOST_ENDS:
            _log.error(
                'the viewer has ended %d times within %g s and is not started again; all else goes'
                ' on without it; at last: %s', _MOST_ENDS, _WITHIN_S, how,
            )  # fmt: skip
            return False
        _log.error('the viewer has ended and is started again; all else goes on: %s', how)
        return True

    def _converse(self, process: ViewerProcess) -> None:
        """Serves the process until it ends, or this object is closed."""
        while not self._closed.is_set():
            try:
                received = process.connection.receive(_WAIT_S)
            except EOFError:
                return
            except ValueError as error:
                _log.error('the viewer has sent what is no message: %s', error)
                return
            self._content.tick()
            if received is not None:
                message, files = received
                for file in files:  # none is expected
                    os.close(file)
                self._take(message)
                self._closed.wait(_MESSAGE_S)

    def _take(self, message: dict[str, object]) -> None:
        if 'ready' in message:
            if not self._announced:
                self._announced = True
                self._announce(self.address)
            else:
                _log.info('the viewer is back at its address')
        elif 'watched' in message:
            self._content.watched = bool(message['watched'])
        elif 'command' in message:
            self._content.carry_out(message)
