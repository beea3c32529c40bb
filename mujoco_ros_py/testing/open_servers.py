"""The servers that fixtures have started, and the tests that they belong to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .server_under_test import ServerUnderTest


class OpenServers:
    """The servers that are open now, each with the test, class or module that it is for."""

    def __init__(self) -> None:
        self._open: list[tuple[Any, ServerUnderTest]] = []

    @contextmanager
    def opened(self, node: Any) -> Iterator[Callable[[dict[str, Any]], ServerUnderTest]]:
        """Yields a function that starts servers, which are closed at the end."""
        with ExitStack() as stack:

            def start(options: dict[str, Any]) -> ServerUnderTest:
                from .serving import serve

                server = stack.enter_context(serve(**options))
                entry = node, server
                self._open.append(entry)
                stack.callback(self._open.remove, entry)
                return server

            yield start

    def of(self, item: pytest.Item) -> list[ServerUnderTest]:
        """Returns the servers that a test uses: its own, and one that lives longer."""
        chain = item.listchain()
        shared = 'server' in getattr(item, 'fixturenames', ())
        return [
            server for node, server in self._open if node is item or (shared and node in chain)
        ]

    def reset_for(self, item: pytest.Item) -> None:
        """Resets each server that other tests have used, and begins its recording anew."""
        for server in self.of(item):
            server.reset()
            server.record_from_here()


def record_failure(server: ServerUnderTest, folder: Path, **about: str) -> str:
    """Writes the recording of a test that has failed, and returns what its report says of it.

    A recording that cannot be written fails no other test: the text says why it is missing.
    """
    if not server.options.recording_s:
        return 'nothing was recorded, as recording_s is 0'
    try:
        server.write_recording(folder, **about)
    except Exception as error:  # whatever it is, the test's own error must be shown
        return f'the recording could not be written: {type(error).__name__}: {error}'
    python = Path(sys.executable).name
    return (
        f'the recording is in {folder}\n'
        f'repeat it with: {python} -m mujoco_ros_py.testing.replay {folder}'
    )
