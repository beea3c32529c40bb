"""A session with a viewer for browsers."""

from __future__ import annotations

import base64
import http.client
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from chromium import driver, open_page
from deadline import DEADLINE_S

from mujoco_ros_py.session import Session
from mujoco_ros_py.viewer import BrowserViewer, ServerCommands, ShownSimulation
from mujoco_ros_py.viewer.page.studio_internals import missing

__all__ = ['driver', 'open_page']


def wait_until(holds: Callable[[], Any]) -> Any:
    """Returns the first true result of `holds`."""
    end = time.monotonic() + DEADLINE_S
    while not (value := holds()):
        assert time.monotonic() < end, 'what was waited for did not come'
        time.sleep(0.02)
    return value


class Shown:
    """A session shown at an address."""

    def __init__(self, session: Session, require: Callable[[str, str], None]) -> None:
        self.session = session
        self.addresses: list[str] = []
        simulation = session._assembly.simulation
        commands = ServerCommands(require=require, set_realtime=simulation.set_realtime)
        self.content = ShownSimulation(session._assembly, commands)
        self.viewer = BrowserViewer(self.content, self.addresses.append)

    def await_ready(self) -> None:
        """Waits until the page can be opened."""
        wait_until(lambda: self.addresses)

    def get(self, path: str, token: str | None = None, **headers: str) -> tuple[int, bytes]:
        """Returns status and body of an answer to a request behind the token."""
        address = urlsplit(self.viewer.address)
        own = address.path.strip('/') if token is None else token
        connection = http.client.HTTPConnection('127.0.0.1', address.port, timeout=DEADLINE_S)
        try:
            connection.request('GET', f'/{own}/{path}', headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    @property
    def page(self) -> dict[str, Any]:
        """The contents of `/buttons.json`: the buttons, the status and the notes."""
        return json.loads(self.get('buttons.json')[1])


def connect(shown, path: str, session: str) -> socket.socket:
    """Opens a WebSocket of the page, and reads only the first line of the answer."""
    address = urlsplit(shown.viewer.address)
    made = socket.create_connection(('127.0.0.1', address.port), timeout=DEADLINE_S)
    key = base64.b64encode(os.urandom(16)).decode()
    made.sendall(
        f'GET {address.path}{path}?sid={session} HTTP/1.1\r\nHost: {address.netloc}\r\n'
        f'Origin: http://{address.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
        f'Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n'.encode()
    )
    assert made.recv(12) == b'HTTP/1.1 101'
    return made


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Shown]]:
    """Returns `show(model, plugins, require, **options)`, which shows a session."""
    if lacks := missing():
        pytest.skip(lacks)
    monkeypatch.setenv('HOME', str(tmp_path))  # Studio keeps its settings there
    with ExitStack() as stack:

        def begin(
            model: Any,
            plugins: Any = (),
            require: Callable[[str, str], None] = lambda what, service: None,
            **options: Any,
        ) -> Shown:
            session = stack.enter_context(
                Session(None, plugins, **{'mujoco_xml': model, 'realtime': 1.0, **options})
            )
            shown = Shown(session, require)
            stack.callback(shown.viewer.close)
            shown.viewer.start()
            shown.await_ready()
            return shown

        yield begin
