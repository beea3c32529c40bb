"""Starts servers as copies of a process that has imported what a server consists of."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Mapping, Sequence

from ..processes import Copy, ForkServer
from . import server_program

OWN = {'AMENT_PREFIX_PATH', 'PYTEST_CURRENT_TEST', 'PYTHONPATH', 'ROS_DOMAIN_ID'}
"""The variables that may differ between copies of one process."""


class _CopiedServers:
    """The process that is copied, which is another one for another environment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: ForkServer | None = None
        self._environment: dict[str, str] = {}
        self._ending: list[ForkServer] = []

    def start(
        self, words: Sequence[str], environment: Mapping[str, str], output: int, files: list[int]
    ) -> Copy:
        """Starts a server, whose process has this environment."""
        shared = {name: value for name, value in environment.items() if name not in OWN}
        own = {name: value for name, value in environment.items() if name in OWN}
        with self._lock:
            if self._server is not None and self._environment == shared:
                try:
                    return self._server.start(words, own, output, files)
                except OSError:  # somebody has ended it
                    pass
            self._close()
            self._server, self._environment = ForkServer(server_program.__name__, shared), shared
            return self._server.start(words, own, output, files)

    def close(self) -> None:
        """Ends the process, once the servers have ended that run."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._server is not None:
            self._ending.append(self._server)
            self._server = None
        self._ending = [each for each in self._ending if not each.close()]


_servers = _CopiedServers()
atexit.register(_servers.close)
copied_server = _servers.start
