"""Fixtures with a server in this process and a client that subscribes to its sensors over DDS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')

from builtin.sensors.sensing import Sensing
from ros.conftest import domain, new_keeper, serve

__all__ = ['domain', 'new_keeper', 'serve']


@pytest.fixture
def sense(serve: Any, domain: int) -> Iterator[Callable[..., Sensing]]:
    """`sense(xml, *plugins, **parameters)`: a paused server with these plugins, and its client."""
    with ExitStack() as stack:

        def begin(xml: str, *plugins: dict[str, Any], **parameters: Any) -> Sensing:
            made = Sensing(serve, domain, xml, plugins, parameters)
            stack.callback(made.close)
            return made

        yield begin
