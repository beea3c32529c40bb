"""A simulation as the content of a viewer, with the commands of its users."""

from __future__ import annotations

from collections.abc import Mapping

from ..session import Assembly
from .process_keeper import ViewerContent
from .state_feed import StateFeed
from .status_report import LogLines, StatusReport
from .viewer_commands import ServerCommands, ViewerCommands
from .viewer_process import ViewerProcess


class ShownSimulation(ViewerContent):
    """Sends a simulation to a viewer, and carries out the commands of its users."""

    def __init__(self, assembly: Assembly, commands: ServerCommands) -> None:
        self._log = LogLines()
        report = StatusReport(assembly, self._log)
        self.feed = StateFeed(assembly, lambda: report(self.commands.answers))
        """Sends models and states to the viewer."""
        self.commands = ViewerCommands(assembly, commands, self.feed.model)
        """Carries out the viewer's commands."""

    @property
    def watched(self) -> bool:
        """Whether a user has the viewer open."""
        return self.feed.watched

    @watched.setter
    def watched(self, watched: bool) -> None:
        self.feed.watched = watched

    def serve(self, process: ViewerProcess | None) -> None:
        """Switches to another process for models and states; None stops sending."""
        if process is None:
            self.commands.push.release()
        self.feed.serve(process)

    def carry_out(self, message: Mapping[str, object]) -> None:
        """Starts a command of the page; reports errors on the page, and does not raise."""
        self.commands.carry_out(message)

    def tick(self) -> None:
        """Ends an expired push."""
        self.commands.push.expire()

    def start(self) -> None:
        """Starts the threads that send the state."""
        self._log.begin()
        self.feed.start()

    def close(self) -> None:
        """Ends the threads."""
        self.feed.close()
        self._log.end()
