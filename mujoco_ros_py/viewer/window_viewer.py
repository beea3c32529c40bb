"""The viewer of a simulation in a window of this machine."""

from __future__ import annotations

import logging
import os

from ..errors import ViewerError
from ..session import Assembly
from .process_keeper import ProcessKeeper
from .shown_simulation import ShownSimulation
from .viewer_commands import ServerCommands
from .viewer_process import ViewerProcess

_log = logging.getLogger(__name__)

_DISPLAYS = 'DISPLAY', 'WAYLAND_DISPLAY'


class WindowViewer:
    """Shows a simulation in MuJoCo's own window, from `start` to `close`.

    If its process ends, that is logged, and another opens a window; not where people have closed
    it, or where no window can be opened.
    """

    def __init__(
        self, assembly: Assembly, commands: ServerCommands, *, title: str = 'mujoco_ros_py'
    ) -> None:
        """Raises ViewerError where this process has no display."""
        if not any(map(os.environ.get, _DISPLAYS)):
            raise ViewerError(
                f'the window is not shown: there is no display, as neither {_DISPLAYS[0]} nor'
                f' {_DISPLAYS[1]} is set'
            )
        self._shown = ShownSimulation(assembly, commands)
        self._keeper = ProcessKeeper(
            self._shown,
            lambda: ViewerProcess(title),
            lambda: _log.info('the window shows the simulation'),
            what='window',
            thread='window',
        )

    @property
    def pid(self) -> int | None:
        """The id of the process; None while there is none."""
        return self._keeper.pid

    @property
    def runs(self) -> bool:
        """Whether there is a window, or will be one again."""
        return self._keeper.runs

    def start(self) -> None:
        """Starts the process and the threads that serve it."""
        self._shown.start()
        self._keeper.start()

    def close(self) -> None:
        """Ends the process and the threads."""
        self._shown.close()
        self._keeper.close()
