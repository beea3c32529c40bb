"""Fixtures with one sensor in a server in this process, which the test steps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import mujoco
import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')

from builtin.sensors.compound.stepped_sensor import SteppedSensor, listed
from ros.conftest import domain, new_keeper, serve
from system.harness import Client

from mujoco_ros_py.session import Session

__all__ = ['domain', 'new_keeper', 'serve']


@pytest.fixture
def load_sensor(serve: Any, domain: int) -> Iterator[Callable[..., SteppedSensor]]:
    """`load_sensor(xml, kind, group='', **config)` loads a sensor into a paused server."""
    with ExitStack() as stack:

        def begin(xml: str, kind: str, *, group: str = '', **config: Any) -> SteppedSensor:
            plugins = json.dumps(listed(kind, config, group))
            server = serve(mujoco_xml=xml, MujocoPlugins=plugins, unpause=False, model_guard=False)
            assert server.assembly.host.plugins[0].ready, server.assembly.host.refusals
            client = Client(domain)
            stack.callback(client.close)
            return SteppedSensor(server, client)

        yield begin


@pytest.fixture
def refusal() -> Callable[..., str]:
    """`refusal(xml, kind, group='', **config)` returns why a sensor is not loaded, without ROS."""

    def load(xml: str, kind: str, *, group: str = '', **config: Any) -> str:
        plugins = listed(kind, config, group)
        with Session(mujoco.MjModel.from_xml_string(xml), plugins=plugins) as session:
            (problem,) = session.problems
        return problem

    return load
