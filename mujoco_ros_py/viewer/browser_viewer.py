"""The viewer of a simulation for browsers."""

from __future__ import annotations

from collections.abc import Callable

from ..session import Assembly
from .shown_simulation import ShownSimulation
from .viewer_commands import ServerCommands
from .viewer_keeper import ViewerKeeper


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
        self._shown = ShownSimulation(assembly, commands)
        self._feed, self._commands = self._shown.feed, self._shown.commands
        self._keeper = ViewerKeeper(self._shown, announce, port=port, title=title)

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
        self._shown.start()
        self._keeper.start()

    def close(self) -> None:
        """Ends the process and the threads."""
        self._shown.close()
        self._keeper.close()
