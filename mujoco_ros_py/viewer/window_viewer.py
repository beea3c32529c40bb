"""Shows a simulation in a window of this machine."""

from __future__ import annotations

import logging
import os

from ..errors import ViewerError
from .process_keeper import ProcessKeeper, ViewerContent
from .viewer_process import ViewerProcess

_log = logging.getLogger(__name__)

_DISPLAYS = 'DISPLAY', 'WAYLAND_DISPLAY'


class WindowViewer(ProcessKeeper):
    """Shows content in MuJoCo's own window, from `start` to `close`.

    If its process ends, that is logged, and another opens a window; not where people have closed
    it, or where no window can be opened.
    """

    def __init__(self, content: ViewerContent, *, title: str = 'mujoco_ros_py') -> None:
        """Raises ViewerError where this process has no display."""
        if not any(map(os.environ.get, _DISPLAYS)):
            raise ViewerError(
                f'the window is not shown: there is no display, as neither {_DISPLAYS[0]} nor'
                f' {_DISPLAYS[1]} is set'
            )
        super().__init__(
            content,
            lambda: ViewerProcess(title),
            lambda: _log.info('the window shows the simulation'),
            what='window',
            thread='window',
        )
