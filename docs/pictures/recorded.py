"""Records messages from a real server, for pictures."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rclpy
import yaml
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from std_srvs.srv import SetBool

DEADLINE_S = 300.0
ASK_AGAIN_S = 3.0
"""The interval for repeating a request, in s. DDS may lose requests during discovery."""
QUIET = {'report_interval': 0.0, 'joint_states_rate': 0.0, 'unpause': False}
"""Parameters of each server. It starts paused, and waits for subscribers."""
Messages = dict[str, list[Any]]


def record(
    parameters: Mapping[str, Any],
    kinds: Mapping[str, Any],
    end_s: float,
    events: Sequence[tuple[float, Callable[[Node], object]]] = (),
    stamp: Callable[[Any], float] | None = None,
) -> Messages:
    """Returns the messages of each topic, from the start until `end_s` of simulated time.

    Starts a paused server with the parameters, and unpauses it after subscribing to all topics.
    Calls each event with the node once the stamps of the first topic reach the event's time.
    `stamp` returns the stamp of a message without a header, in s.
    """
    newest = _newest_by(stamp or stamp_s)
    with _running({**QUIET, **parameters}) as (node, spin):
        messages: Messages = {topic: [] for topic in kinds}
        for topic, kind in kinds.items():
            node.create_subscription(kind, topic, messages[topic].append, 1000)
        client = node.create_client(SetBool, '/mujoco_server/set_pause')
        _wait(spin, lambda: client.service_is_ready() and all(map(node.count_publishers, kinds)))
        _wait(spin, lambda: all(newest(told) >= 0.0 for told in messages.values()), 2.0)
        coming, first = list(events), messages[next(iter(kinds))]
        begin, asked = time.monotonic(), 0
        while min(map(newest, messages.values())) < end_s:
            passed_s = time.monotonic() - begin
            if newest(first) <= 0.0 and passed_s >= asked * ASK_AGAIN_S:
                client.call_async(SetBool.Request(data=False))
                asked += 1
            if passed_s > DEADLINE_S:
                raise TimeoutError(f'messages stopped before {end_s} s of simulated time')
            spin()
            while coming and newest(first) >= coming[0][0]:
                coming.pop(0)[1](node)
    return {topic: _until(told, end_s, stamp or stamp_s) for topic, told in messages.items()}


def stamp_s(message: Any) -> float:
    """Returns the stamp of a message, in s."""
    return float(message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec)


def _newest_by(stamp: Callable[[Any], float]) -> Callable[[list[Any]], float]:
    return lambda messages: stamp(messages[-1]) if messages else -1.0


def _until(messages: list[Any], end_s: float, stamp: Callable[[Any], float]) -> list[Any]:
    """Returns one message per stamp, in the order of the stamps."""
    by_stamp = {stamp(message): message for message in messages}
    return [message for time_s, message in sorted(by_stamp.items()) if time_s <= end_s]


def _wait(spin: Callable[[], None], done: Callable[[], bool], most_s: float = DEADLINE_S) -> None:
    """Spins until `done()` is true, for at most `most_s`."""
    end = time.monotonic() + most_s
    while not done() and time.monotonic() < end:
        spin()


@contextmanager
def _running(parameters: Mapping[str, Any]) -> Iterator[tuple[Node, Callable[[], None]]]:
    """Runs a server and a node; yields the node and a function that spins it once."""
    context = rclpy.Context()
    rclpy.init(context=context)
    node, executor = Node('pictures', context=context), SingleThreadedExecutor(context=context)
    executor.add_node(node)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'parameters.yaml'
        file.write_text(yaml.safe_dump({'/**': {'ros__parameters': dict(parameters)}}))
        command = [sys.executable, '-m', 'mujoco_ros_py', '--ros-args', '--params-file', str(file)]
        process = subprocess.Popen(command)
        try:
            yield node, lambda: executor.spin_once(timeout_sec=0.1)
        finally:
            process.terminate()
            process.wait()
            executor.shutdown()
            node.destroy_node()
            rclpy.try_shutdown(context=context)
