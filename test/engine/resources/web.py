"""A web server in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mujoco_ros_py.engine.resources import read
from mujoco_ros_py.errors import ResourceError

from .assets import ROBOT


def refusal(uri: str) -> str:
    with pytest.raises(ResourceError) as caught:
        read(uri)
    assert str(caught.value).startswith(f'{uri}: ')
    return str(caught.value).removeprefix(f'{uri}: ')


class Site(ThreadingHTTPServer):
    """A site with files by path; an entry that is not bytes is a function that responds."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(('127.0.0.1', 0), Handler)
        self.files: dict[str, object] = {f'/robot/{name}': file for name, file in ROBOT.items()}
        self.tags: dict[str, str] = {}
        self.sent: list[str] = []
        self.released = threading.Event()

    @property
    def host(self) -> str:
        return f'127.0.0.1:{self.server_port}'

    def uri(self, path: str) -> str:
        return f'http://{self.host}/{path}'

    @contextmanager
    def served(self) -> Iterator[Site]:
        """Serves requests on a thread inside the context."""
        thread = threading.Thread(target=self.serve_forever, args=[0.01])
        thread.start()
        try:
            yield self
        finally:
            self.released.set()
            self.shutdown()
            thread.join()
            self.server_close()


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        file = self.server.files.get(self.path)
        if callable(file):
            file(self)
        elif file is None:
            self.send_error(404)
        else:
            self.answer(file)

    def answer(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header('Content-Length', str(len(content)))
        if self.path in self.server.tags:
            self.send_header('ETag', self.server.tags[self.path])
        self.end_headers()
        try:
            self.wfile.write(content)
        except OSError:
            return  # clients that only check for the file close at once
        self.server.sent.append(self.path)

    def log_message(self, *args: object) -> None:
        pass
