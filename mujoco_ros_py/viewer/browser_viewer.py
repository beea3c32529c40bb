"""The viewer for browsers: a process of its own, which is started, watched and ended here."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable

from ..errors import ViewerError
from ..session import Assembly
from .log_lines import LogLines
from .loopback import bind_loopback
from .page_access import new_token
from .state_feed import StateFeed
from .status_report import StatusReport
from .studio_internals import missing
from .viewer_commands import ServerCommands, ViewerCommands
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


class BrowserViewer:
    """Shows a simulation in browsers on this machine, at `address`, from `start` to `close`.

    If its process ends, that is logged, and another takes over the address.
    """

    def __init__(
        self,
        assembly: Assembly,
        commands: ServerCommands,
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
        self._announce = announce
        self._announced = False
        self._log = LogLines()
        report = StatusReport(assembly, self._log)
        self._feed = StateFeed(assembly, lambda: report(self._commands.answers))
        self._commands = ViewerCommands(assembly, commands, self._feed.model)
        self._process: ViewerProcess | None = None
        self._ends: list[float] = []
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name='pages', daemon=True)

    @property
    def address(self) -> str:
        """The address of the page, with its token: whoever has it may see and use the page."""
        return f'http://127.0.0.1:{self._listener.getsockname()[1]}/{self._token}/'

    @property
    def pid(self) -> int | None:
        """The id of the process; None while there is none."""
        process = self._process
        return process.pid if process is not None else None

    def start(self) -> None:
        """Starts the process and the threads that serve it."""
        self._log.begin()
        self._feed.start()
        self._thread.start()

    def close(self) -> None:
        """Ends the process and the threads."""
        self._closed.set()
        self._feed.close()
        if self._thread.is_alive():
            self._thread.join(_LAST_S)
        self._listener.close()
        self._log.end()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                process = ViewerProcess(self._listener, self._token, self._title)
            except ViewerError as error:
                _log.error('%s', error)
                return
            self._process = process
            self._feed.serve(process)
            self._converse(process)
            self._commands.push.release()
            self._feed.serve(None)
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
                'the viewer has ended %d times within %g s and is not started again; the'
                ' simulation goes on without it; at last: %s', _MOST_ENDS, _WITHIN_S, how,
            )  # fmt: skip
            return False
        _log.error('the viewer has ended and is started again; the simulation goes on: %s', how)
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
            self._commands.push.expire()
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
            self._feed.watched = bool(message['watched'])
        elif 'command' in message:
            self._commands.carry_out(message)
