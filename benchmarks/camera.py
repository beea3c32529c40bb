"""The cost of images, for themselves and for the physics, over bare MuJoCo, in software."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import mujoco
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image

from .loop import bare_s
from .processes import FOLDER, Asked, plugins, running, server_command
from .rounds import LeftOutError, Rounds

_MODEL = FOLDER / 'humanoid.xml'
_CAMERA = 'side'
_TOPIC = f'/cameras/{_CAMERA}/rgb'
_WINDOW_S = 0.7
_RATE_HZ = 30.0
_LEAST_RATE_HZ = 28.0
"""The minimum rate of images, below which the physics would have it too easy and the row is
missed."""
_TRIES = 10
"""The number of windows in which images must begin to arrive."""
_ONE_THREAD = {'LP_NUM_THREADS': '0', 'MUJOCO_GL': 'egl'}
"""The environment in which llvmpipe draws in the calling thread, and starts no others."""


def measure_images() -> Rounds:
    """Compares seconds per 640x480 image that arrives with those of a loop that renders.

    The thread that draws has a core of its own, on which the loop runs too. Otherwise Linux lets
    the physics, the sender and the subscriber displace it, though another core is idle: an image
    took 19 ms instead of 14.
    """
    core, *others = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, others or [core])
    with _server(1000.0, 640, 480, core, realtime=1.0) as (server, images, renderer):
        while True:
            arrived, _, _ = _run(server, images)
            rendered, seconds = renderer.ask(_WINDOW_S, 0)
            yield (arrived[-1] - arrived[0]) / (len(arrived) - 1), seconds / rendered


def measure_physics() -> Rounds:
    """Compares steps per second of the server with a camera with those of a bare loop.

    The loop runs beside a renderer. The ratio is 0 if the server makes too few images meanwhile.
    """
    model = mujoco.MjModel.from_xml_path(str(_MODEL))
    with _server(_RATE_HZ, 320, 240, realtime=-1.0) as (server, images, renderer):
        while True:
            arrived, steps, seconds = _run(server, images)
            enough = (len(arrived) - 1) / seconds >= _LEAST_RATE_HZ  # the first comes at once
            renderer.tell(1.5 * seconds, len(arrived) / seconds)
            time.sleep(0.1)  # until it renders
            bare = steps / bare_s(model, int(steps))
            renderer.hear()
            yield steps / seconds * enough, bare


@contextmanager
def _server(
    rate_hz: float, width: int, height: int, core: int | None = None, **parameters: Any
) -> Iterator[tuple[Asked, _Images, Asked]]:
    """Starts the server with one camera, its subscriber, and a process that renders without it."""
    runner = {'type': 'benchmarks/Runner', 'topics': [_TOPIC]}
    bare = ['-m', 'benchmarks.bare_renderer', str(_MODEL), _CAMERA, str(width), str(height)]
    if core is not None:
        runner['pinned'] = {'render': core}
        bare.append(str(core))
    given = {
        'modelfile': str(_MODEL), 'unpause': False,
        f'cam_config.{_CAMERA}': {'frequency': rate_hz, 'width': width, 'height': height},
        **plugins(runner=runner), **parameters,
    }  # fmt: skip
    with (
        running(server_command(given), **_ONE_THREAD) as server,
        running([sys.executable, *bare], **_ONE_THREAD) as renderer,
    ):
        try:
            renderer.ask(0.2, 0)
        except ChildProcessError as error:
            raise LeftOutError(f'mujoco.Renderer fails, does EGL work here? {error}') from error
        images = _Images()
        if not any(len(_run(server, images)[0]) > 1 for _ in range(_TRIES)):
            raise LeftOutError('the server sends no images')
        yield server, images, renderer


def _run(server: Asked, images: _Images) -> tuple[list[float], float, float]:
    """Runs the server; returns when images arrived in s, the steps, and their seconds."""
    images.arrived.clear()
    server.tell(_WINDOW_S)
    images.spin(_WINDOW_S)
    steps, seconds, _ = server.hear()
    return images.arrived[:], steps, seconds


class _Images:
    """A subscriber to the images, which takes them as bytes and does not decode them."""

    def __init__(self) -> None:
        self.arrived: list[float] = []
        rclpy.init()
        self._node = Node('images')
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._node.create_subscription(
            Image, _TOPIC, lambda _: self.arrived.append(time.perf_counter()),
            qos_profile_sensor_data, raw=True,
        )  # fmt: skip

    def spin(self, duration_s: float) -> None:
        """Takes images for a while."""
        end = time.monotonic() + duration_s
        while (left := end - time.monotonic()) > 0:
            self._executor.spin_once(left)
