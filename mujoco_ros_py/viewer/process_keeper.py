"""Keeps a viewer process running: starts, watches, restarts and ends it."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping

from ..errors import ViewerError
from .viewer_process import ViewerProcess

_log = logging.getLogger(__name__)

_AGAIN_S = 1.0
"""The pause in seconds before a restart of the process."""
_MOST_ENDS, _WITHIN_S = 5, 60.0
"""A process that ends 5 times within 60 s is not restarted."""
_MESSAGE_S = 0.005
"""The minimum time in seconds between two handled messages of the process."""
_WAIT_S = 0.2
_LAST_S = 10.0
"""The maximum wait for the end of a process, which takes less than a second on an idle machine."""


class ViewerContent:
    """The content of a viewer: a simulation or a recording. The default methods do nothing."""

    watched: bool
    """Whether a user has the viewer open."""

    def start(self) -> None:
        """Starts the threads that send the state; called before the process starts."""

    def close(self) -> None:
        """Ends the threads that send the state."""

    def serve(self, process: ViewerProcess | None) -> None:
        """Switches to another process for models and states; None stops sending."""

    def carry_out(self, message: Mapping[str, object]) -> None:
        """Starts a command of the page; reports errors on the page, and does not raise."""

    def tick(self) -> None:
        """Called a few times a second or more, on the thread that serves the process."""


class ProcessKeeper:
    """Shows content in a process from `start` to `close`.

    Logs an end of the process, and restarts the process unless the user has closed the viewer, or
    the process has reported that it cannot show anything.
    """

    def __init__(
        self,
        content: ViewerContent,
        begin: Callable[[], ViewerProcess],
        ready: Callable[[], object],
        *,
        what: str,
        thread: str,
    ) -> None:
        """`begin()` starts a process; `ready()` is called when a process shows the content.

        `what` is the viewer's name in the log, and `thread` the name of the thread that serves it.
        """
        self._content, self._begin, self._ready = content, begin, ready
        self._what = what
        self._process: ViewerProcess | None = None
        self._over = False
        """Whether the process has reported its final end, and must not be restarted."""
        self._ends: list[float] = []
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=thread, daemon=True)

    @property
    def pid(self) -> int | None:
        """The process id; None if no process runs."""
        process = self._process
        return process.pid if process is not None else None

    @property
    def runs(self) -> bool:
        """Whether a process runs or will be restarted."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Starts the process, and the threads that serve it."""
        self._content.start()
        self._thread.start()

    def close(self) -> None:
        """Ends the process and the threads."""
        self._content.close()
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(_LAST_S)

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                process = self._begin()
            except ViewerError as error:
                _log.error('%s', error)
                return
            self._process = process
            self._content.serve(process)
            self._converse(process)
            self._content.serve(None)
            self._process = None
            how = process.end()
            if self._closed.is_set() or self._over or not self._goes_on(how):
                return
            self._closed.wait(_AGAIN_S)

    def _goes_on(self, how: str) -> bool:
        """Logs the end of the process; returns whether to restart it."""
        now = time.monotonic()
        self._ends = [*(each for each in self._ends if each > now - _WITHIN_S), now]
        if len(self._ends) >= _MOST_ENDS:
            _log.error(
                'the %s has ended %d times within %g s and is not started again; everything else'
                ' keeps running; last end: %s', self._what, _MOST_ENDS, _WITHIN_S, how,
            )  # fmt: skip
            return False
        _log.error(
            'the %s has ended and is started again; everything else keeps running: %s',
            self._what, how,
        )  # fmt: skip
        return True

    def _converse(self, process: ViewerProcess) -> None:
        """Serves the process until it ends or this object is closed."""
        while not (self._closed.is_set() or self._over):
            try:
                received = process.connection.receive(_WAIT_S)
            except EOFError:
                return
            except ValueError as error:
                _log.error('the %s has sent an invalid message: %s', self._what, error)
                return
            self._content.tick()
            if received is not None:
                message, files = received
                for file in files:  # unexpected, but must not leak
                    os.close(file)
                self._take(message)
                self._closed.wait(_MESSAGE_S)

    def _take(self, message: dict[str, object]) -> None:
        if 'ready' in message:
            self._ready()
        elif 'watched' in message:
            self._content.watched = bool(message['watched'])
        elif 'command' in message:
            self._content.carry_out(message)
        elif 'closed' in message:
            self._over = True
            _log.info('the %s was closed; everything else keeps running', self._what)
        elif 'refused' in message:
            self._over = True
            _log.warning(
                'the %s is not shown: %s; everything else keeps running',
                self._what, message['refused'],
            )  # fmt: skip
