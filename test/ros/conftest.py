"""Fixtures with nodes and servers in this process, on their own ROS domain."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from queue import SimpleQueue
from typing import Any

import pytest
from deadline import DEADLINE_S

pytest.importorskip('rclpy', reason='rclpy is not installed')

import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter

# Without multicast (containers, CI), nodes find each other only after seconds otherwise.
os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')

from system.conftest import domain

from mujoco_ros_py.ros.entities.node_keeper import NodeKeeper
from mujoco_ros_py.ros.node_process import Spinner
from mujoco_ros_py.ros.server import Server

__all__ = ['domain']


@pytest.fixture
def context(domain: int) -> Iterator[Context]:
    """An rclpy context for the nodes of a test."""
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    yield context
    context.try_shutdown()


@pytest.fixture
def new_keeper(domain: int) -> Iterator[Callable[..., NodeKeeper]]:
    """Returns `new_keeper(name, **parameters)`: a keeper whose node spins on its own thread."""
    with ExitStack() as stack:

        def make(name: str, **parameters: Any) -> NodeKeeper:
            context = Context()
            rclpy.init(context=context, domain_id=domain)
            stack.callback(context.try_shutdown)
            overrides = [Parameter(key, value=value) for key, value in parameters.items()]
            keeper = NodeKeeper(name, context=context, parameter_overrides=overrides)
            stack.callback(keeper.node.destroy_node)
            spinner = Spinner(keeper, SimpleQueue())
            spinner.start()
            stack.callback(spinner.close)
            return keeper

        yield make


@pytest.fixture
def new_node(new_keeper: Callable[..., NodeKeeper]) -> Callable[..., Node]:
    """Returns `new_node(name, **parameters)`: a node that spins on its own thread."""
    return lambda name, **parameters: new_keeper(name, **parameters).node


@pytest.fixture
def serve(new_keeper: Callable[..., NodeKeeper]) -> Iterator[Callable[..., Server]]:
    """Returns `serve(**parameters)`: a server in this process that has loaded its model."""
    made: list[Server] = []

    def begin(**parameters: Any) -> Server:
        made.append(Server(new_keeper('mujoco_server', **parameters), lambda: None))
        made[-1].start().result(DEADLINE_S)
        return made[-1]

    yield begin
    assert [server.close() for server in made] == [True] * len(made)
