"""The viewers: in browsers on this machine, and in a window."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable

from ..errors import ViewerError
from .page.loopback import bind_loopback
from .page.page_access import new_token
from .page.studio_internals import missing
from .process_keeper import ProcessKeeper, ViewerContent
from .viewer_process import ViewerProcess

_log = logging.getLogger(__name__)
_DISPLAYS = 'DISPLAY', 'WAYLAND_DISPLAY'


class BrowserViewer(ProcessKeeper):
    """Shows content in browsers on this machine, at `address`, from `start` to `close`.

    Logs an end of the process, and starts a new process at the same address.
    """

    def __init__(
        self,
        content: ViewerContent,
        announce: Callable[[str], object],
        *,
        port: int = 0,
        title: str = 'mujoco_ros_py',
    ) -> None:
        """`announce(address)` is called when the page can first be opened.

        Raises ViewerError if Studio or websockets is missing, or if the port is in use.
        """
        if lacks := missing():
            raise ViewerError(f'the viewer does not start: {lacks}')
        self._listener = bind_loopback(port)
        token = new_token()
        self.address = f'http://127.0.0.1:{self._listener.getsockname()[1]}/{token}/'
        """The page's address with its token; anyone with the address can see and use the page."""
        self._announce = announce
        self._announced = False
        super().__init__(
            content,
            lambda: ViewerProcess(title, listener=self._listener, token=token),
            self._tell,
            what='viewer',
            thread='pages',
        )

    def close(self) -> None:
        """Ends the process and the threads, and releases the port."""
        super().close()
        self._listener.close()

    def _tell(self) -> None:
        if self._announced:
            _log.info('the viewer is back at its address')
        else:
            self._announced = True
            self._announce(self.address)


class WindowViewer(ProcessKeeper):
    """Shows content in MuJoCo's own window, from `start` to `close`.

    Logs an end of the process, and starts a new process with a window, unless the user has closed
    the window or no window can be opened.
    """

    def __init__(self, content: ViewerContent, *, title: str = 'mujoco_ros_py') -> None:
        """Raises ViewerError if this process has no display."""
        if not any(map(os.environ.get, _DISPLAYS)):
            raise ViewerError(
                f'the window is not shown: no display, because neither {_DISPLAYS[0]} nor'
                f' {_DISPLAYS[1]} is set'
            )
        super().__init__(
            content,
            lambda: ViewerProcess(title),
            lambda: _log.info('the window shows the simulation'),
            what='window',
            thread='window',
        )
