"""Processes to measure: the server, its counterparts, and a client for both."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from std_srvs.srv import Trigger

FOLDER = Path(__file__).parent
PLUGINS = {
    'plugins': ('Observer', 'Damper', 'FirstStep', 'ClockCounter', 'Echo'),
    'echo_plugins': ('TimedEcho', 'Burner'),
    'sensor_plugins': ('SensorCounter', 'TimedLidar', 'Runner'),
}
"""The plugins of the benchmarks, by module."""
_TIMEOUT_S = 60.0
_END_S = 5.0


@contextmanager
def folder() -> Iterator[Path]:
    """Makes a folder with an ament index in which the server finds the benchmarks' plugins."""
    with tempfile.TemporaryDirectory() as name:
        prefix = Path(name)
        index = prefix / 'share/ament_index/resource_index/mujoco_ros_py__pluginlib__plugin'
        index.mkdir(parents=True)
        (index / 'benchmarks').write_text('plugins.xml\n')
        base = 'base_class_type="mujoco_ros_py::MujocoPlugin"'
        classes = ''.join(
            f'<class name="benchmarks/{plugin}" type="benchmarks.{module}:{plugin}" {base}/>'
            for module, plugins in PLUGINS.items()
            for plugin in plugins
        )
        (prefix / 'plugins.xml').write_text(
            f'<library path="benchmarks.plugins">{classes}</library>'
        )
        yield prefix


def server_command(prefix: Path, parameters: Mapping[str, Any]) -> list[str]:
    """Returns the command that starts the server with these parameters."""
    file = prefix / f'{len(list(prefix.iterdir()))}.yaml'
    file.write_text(json.dumps({'/**': {'ros__parameters': parameters}}))  # JSON is YAML
    return [sys.executable, '-m', 'mujoco_ros_py', '--ros-args', '--params-file', str(file)]


def environment(prefix: Path) -> dict[str, str]:
    """Returns the processes' environment, in which index and repository are found.

    Python may keep the bytecode of what it imports, as it does unless it is told not to: without
    it, each start would compile our modules, and not those that pip has compiled.
    """
    ament = f'{prefix}{os.pathsep}{os.environ.get("AMENT_PREFIX_PATH", "")}'
    path = f'{FOLDER.parent}{os.pathsep}{os.environ.get("PYTHONPATH", "")}'
    own = {name: value for name, value in os.environ.items() if name != 'PYTHONDONTWRITEBYTECODE'}
    return {**own, 'AMENT_PREFIX_PATH': ament, 'PYTHONPATH': path}


@contextmanager
def running(command: list[str], env: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Runs a process in the background inside the context."""
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, text=True)
    try:
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):  # a bare node may not notice the signal
            process.wait(_END_S)
        process.kill()
        process.wait()


class Client:
    """A client that calls services; the caller spins it, as a controller's script would."""

    def __init__(self) -> None:
        rclpy.init()
        self.node = Node('benchmark')
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._clients: dict[str, Any] = {}

    def call(self, kind: Any, name: str, **fields: Any) -> Any:
        """Calls a service, and returns the answer."""
        if name not in self._clients:
            self._clients[name] = self.node.create_client(kind, name)
            if not self._clients[name].wait_for_service(_TIMEOUT_S):
                raise TimeoutError(f'{name} does not appear')
        future = self._clients[name].call_async(kind.Request(**fields))
        self._executor.spin_until_future_complete(future, _TIMEOUT_S)
        return future.result()

    def spin(self, duration_s: float) -> None:
        """Takes messages for a while."""
        end = time.monotonic() + duration_s
        while (left := end - time.monotonic()) > 0:
            self._executor.spin_once(left)

    def wait_until_loaded(self, node: str = 'mujoco_server') -> None:
        """Waits until the server has loaded its model."""
        while not self.call(Trigger, f'/{node}/reset').success:
            self.spin(0.05)

    def close(self) -> None:
        """Destroys the node."""
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown()


@contextmanager
def client() -> Iterator[Client]:
    """Makes a client inside the context."""
    made = Client()
    try:
        yield made
    finally:
        made.close()


def burn_the_gil() -> None:
    """Starts a thread that never stops computing in Python."""

    def burn() -> None:
        number = 0
        while True:
            number += 1

    threading.Thread(target=burn, daemon=True).start()
