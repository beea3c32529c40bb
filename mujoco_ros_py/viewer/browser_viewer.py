"""The viewer of a simulation for browsers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..session import Assembly
from .log_lines import LogLines
from .state_feed import StateFeed
from .status_report import StatusReport
from .viewer_commands import ServerCommands, ViewerCommands
from .viewer_keeper import ViewerKeeper
from .viewer_process import ViewerProcess


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
        self._log = LogLines()
        report = StatusReport(assembly, self._log)
        self._feed = StateFeed(assembly, lambda: report(self._commands.answers))
        self._commands = ViewerCommands(assembly, commands, self._feed.model)
        shown = _ShownSimulation(self._feed, self._commands)
        self._keeper = ViewerKeeper(shown, announce, port=port, title=title)

    @property
    def address(self) -> str:
        """The address of the page, with its token: whoever has it may see and use the page."""
        return self._keeper.address

    @property
    def pid(self) -> int | None:
        """The id of the process; None while there is none."""
        return self._keeper.pid

    def start(self) -> None:
        """Starts the process and the threads that serve it."""
        self._log.begin()
        self._feed.start()
        self._keeper.start()

    def close(self) -> None:
        """Ends the process and the threads."""
        self._feed.close()
        self._keeper.close()
        self._log.end()


class _ShownSimulation:
    """Has a viewer show a simulation, and carries out what its page asks for."""

    def __init__(self, feed: StateFeed, commands: ViewerCommands) -> None:
        self._feed, self._commands = feed, commands
        self.carry_out: Callable[[Mapping[str, Any]], None] = commands.carry_out
        self.tick = commands.push.expire

    @property
    def watched(self) -> bool:
        """Whether somebody looks."""
        return self._feed.watched

    @watched.setter
    def watched(self, watched: bool) -> None:
        self._feed.watched = watched

    def serve(self, process: ViewerProcess | None) -> None:
        """Gives models and states to another process from now on; None: to none."""
        if process is None:
            self._commands.push.release()
        self._feed.serve(process)
