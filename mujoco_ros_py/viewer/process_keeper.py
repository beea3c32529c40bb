"""Keeps the process of a viewer: it is started, watched, started again, and ended here."""

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
"""The pause before a process that has ended is started again, in seconds."""
_MOST_ENDS, _WITHIN_S = 5, 60.0
"""A process that ends so often in so many seconds is not started again."""
_MESSAGE_S = 0.005
"""The shortest time between two messages of the process that are looked at, in seconds."""
_WAIT_S = 0.2
_LAST_S = 10.0
"""The longest wait for the end of a process, which takes less than a second on a free machine."""


class ViewerContent:
    """What a viewer shows; what it has no use for does nothing."""

    watched: bool
    """Whether somebody looks."""

    def start(self) -> None:
        """Starts the threads that tell the state, before there is a process."""

    def close(self) -> None:
        """Ends the threads that tell the state."""

    def serve(self, process: ViewerProcess | None) -> None:
        """Gives models and states to another process from now on; None: to none."""

    def carry_out(self, message: Mapping[str, object]) -> None:
        """Begins to carry out a command of the page; whatever is wrong with it raises nothing."""

    def tick(self) -> None:
        """Is called a few times a second, at least, while there is a process, by its thread."""


class ProcessKeeper:
    """Has a process show something from `start` to `close`.

    If the process ends, that is logged, and another is started; not where it has told that it is
    closed by its user, or that it can show nothing here.
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
        """`begin()` starts a process, and `ready()` is called when one shows the content.

        `what` names the viewer in the log, and `thread` the thread that serves it.
        """
        self._content, self._begin, self._ready = content, begin, ready
        self._what = what
        self._process: ViewerProcess | None = None
        self._over = False
        """Whether the process has told that it ends, and that no other shall follow."""
        self._ends: list[float] = []
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=thread, daemon=True)

    @property
    def pid(self) -> int | None:
        """The id of the process; None while there is none."""
        process = self._process
        return process.pid if process is not None else None

    @property
    def runs(self) -> bool:
        """Whether there is a process, or will be one again."""
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
        """Logs that the process has ended; returns whether it is started again."""
        now = time.monotonic()
        self._ends = [*(each for each in self._ends if each > now - _WITHIN_S), now]
        if len(self._ends) >= _MOST_ENDS:
            _log.error(
                'the %s has ended %d times within %g s and is not started again; all else goes'
                ' on without it; at last: %s', self._what, _MOST_ENDS, _WITHIN_S, how,
            )  # fmt: skip
            return False
        _log.error('the %s has ended and is started again; all else goes on: %s', self._what, how)
        return True

    def _converse(self, process: ViewerProcess) -> None:
        """Serves the process until it ends, or this object is closed."""
        while not (self._closed.is_set() or self._over):
            try:
                received = process.connection.receive(_WAIT_S)
            except EOFError:
                return
            except ValueError as error:
                _log.error('the %s has sent what is no message: %s', self._what, error)
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
            self._ready()
        elif 'watched' in message:
            self._content.watched = bool(message['watched'])
        elif 'command' in message:
            self._content.carry_out(message)
        elif 'closed' in message:
            self._over = True
            _log.info('the %s was closed; all else goes on', self._what)
        elif 'refused' in message:
            self._over = True
            _log.warning(
                'the %s is not shown: %s; all else goes on', self._what, message['refused']
            )
