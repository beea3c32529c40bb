"""A simulation as the process of a viewer shows it, with what people ask for there."""

from __future__ import annotations

from collections.abc import Mapping

from ..session import Assembly
from .process_keeper import ViewerContent
from .state_feed import StateFeed
from .status_report import LogLines, StatusReport
from .viewer_commands import ServerCommands, ViewerCommands
from .viewer_process import ViewerProcess


class ShownSimulation(ViewerContent):
    """Gives a viewer a simulation, and carries out what people ask for there."""

    def __init__(self, assembly: Assembly, commands: ServerCommands) -> None:
        self._log = LogLines()
        report = StatusReport(assembly, self._log)
        self.feed = StateFeed(assembly, lambda: report(self.commands.answers))
        """What gives the viewer models and states."""
        self.commands = ViewerCommands(assembly, commands, self.feed.model)
        """What carries out commands of the viewer."""

    @property
    def watched(self) -> bool:
        """Whether somebody looks."""
        return self.feed.watched

    @watched.setter
    def watched(self, watched: bool) -> None:
        self.feed.watched = watched

    def serve(self, process: ViewerProcess | None) -> None:
        """Gives models and states to another process from now on; None: to none."""
        if process is None:
            self.commands.push.release()
        self.feed.serve(process)

    def carry_out(self, message: Mapping[str, object]) -> None:
        """Begins to carry out a command of the page; whatever is wrong with it raises nothing."""
        self.commands.carry_out(message)

    def tick(self) -> None:
        """Ends a push that nobody confirms."""
        self.commands.push.expire()

    def start(self) -> None:
        """Starts the threads that tell the state."""
        self._log.begin()
        self.feed.start()

    def close(self) -> None:
        """Ends the threads."""
        self.feed.close()
        self._log.end()
