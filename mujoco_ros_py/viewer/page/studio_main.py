"""Runs MuJoCo's Studio in the process of the browser viewer, with states from the server."""

from __future__ import annotations

import logging
import socket
import time

from ...errors import ViewerError
from ..link.latest_value import LatestValue
from ..link.viewer_socket import ViewerSocket
from .loopback import refuse_other_interfaces
from .page_access import Audience, PageAccess

_START_S = 10.0


def serve_page(
    server: ViewerSocket, shared: LatestValue, title: str, listener: socket.socket, token: str
) -> None:
    """Serves the page on `listener` until the server ends, which raises EOFError."""
    from mujoco.studio import viewer_protocol

    from .page_channels import PageChannels
    from .page_panels import PagePanels
    from .studio_internals import web_viewer

    channels = PageChannels(server, shared)
    audience = Audience()
    panels = PagePanels(channels, audience)
    for name in ('websockets', 'WebServer'):  # they log a line per browser
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
    """Waits until the page's server, which runs on its own thread, listens."""
    end = time.monotonic() + _START_S
    while not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        if time.monotonic() > end:
            raise ViewerError(f'the page server did not start within {_START_S:g} s')
        time.sleep(0.01)
