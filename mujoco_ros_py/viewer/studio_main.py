"""What the process of the viewer runs: MuJoCo's Studio, fed by the server, for browsers."""

from __future__ import annotations

import logging
import mmap
import os
import socket
import sys
import time
from contextlib import suppress

from ..errors import ViewerError
from ..isolation import end_with
from .latest_value import LatestValue
from .loopback import refuse_other_interfaces
from .page_access import Audience, PageAccess
from .viewer_socket import ViewerSocket

_START_S = 10.0
_NICE = 5
"""How much later than the server this process gets a core."""


def main(connection: int, lifeline: int, listener: int, status: int) -> int:
    """Serves the page until the server ends it, or ends itself; returns the exit code."""
    end_with(lifeline)
    os.nice(_NICE)
    with suppress(OSError), open('/proc/self/oom_score_adj', 'w') as score:
        score.write('1000')  # the kernel should rather kill this process than another
    logging.basicConfig(level=logging.ERROR, format='%(message)s')
    server = ViewerSocket(socket.socket(fileno=connection))
    try:
        _serve(server, socket.socket(fileno=listener), status)
    except EOFError:
        return 0
    except ViewerError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _serve(server: ViewerSocket, listener: socket.socket, status: int) -> None:
    first = server.receive(_START_S)
    if first is None:
        raise ViewerError('the server does not tell the token')
    token, title = str(first[0]['token']), str(first[0]['title'])

    from mujoco.studio import viewer_protocol

    from .page_channels import PageChannels
    from .page_panels import PagePanels
    from .studio_internals import web_viewer

    size = os.fstat(status).st_size
    shared = LatestValue(mmap.mmap(status, size), 0, size - LatestValue.size(0))
    os.close(status)
    channels = PageChannels(server, shared)
    audience = Audience()
    panels = PagePanels(channels, audience)
    for name in ('websockets', 'WebServer'):  # each browser that comes and goes would be a line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    access = PageAccess(token)
    viewer = web_viewer(
        channels.endpoint, [panels], title, listener, access, panels.served, audience
    )
    _await_listening(listener)
    refuse_other_interfaces()
    server.send({'ready': True})
    viewer_protocol.run_viewer_loop(viewer)


def _await_listening(listener: socket.socket) -> None:
    """Waits until the server of the page listens, on a thread of its own."""
    end = time.monotonic() + _START_S
    while not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        if time.monotonic() > end:
            raise ViewerError(f'the server of the page has not begun within {_START_S:g} s')
        time.sleep(0.01)
