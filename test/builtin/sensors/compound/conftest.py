"""Fixtures with one sensor in a server in this process, which the test steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import mujoco
import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')

from builtin.sensors.compound.stepped_sensor import SteppedSensor, parameters_of
from ros.conftest import domain, new_keeper, serve
from system.harness import Client

from mujoco_ros_py.session import Session

__all__ = ['domain', 'new_keeper', 'serve']


@pytest.fixture
def load_sensor(serve: Any, domain: int) -> Iterator[Callable[..., SteppedSensor]]:
    """`load_sensor(xml, kind, **config)` loads a sensor into a paused server of this process."""
    with ExitStack() as stack:

        def begin(xml: str, kind: str, **config: Any) -> SteppedSensor:
            server = serve(**parameters_of(xml, kind, config))
            client = Client(domain)
            stack.callback(client.close)
            return SteppedSensor(server, client)

        yield begin


@pytest.fixture
def refusal() -> Callable[..., str]:
    """`refusal(xml, kind, **config)` returns why a sensor is not loaded; it needs no ROS."""

    def load(xml: str, kind: str, **config: Any) -> str:
        plugin = {'type': f'mujoco_ros_py/{kind}', 'name': 'sensor', **config}
        with Session(mujoco.MjModel.from_xml_string(xml), plugins=[plugin]) as session:
            (problem,) = session.problems
        return problem

    return load
