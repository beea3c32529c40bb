"""The time per image, and the cost of images for the physics, relative to bare MuJoCo.

All rendering is in software.
"""

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
"""The minimum image rate. With fewer images the physics would have less competition, so the row
counts as missed."""
_TRIES = 10
"""The maximum number of measurements to wait for the first images."""
_ONE_THREAD = {'LP_NUM_THREADS': '0', 'MUJOCO_GL': 'egl'}
"""Environment variables that make llvmpipe render in the calling thread."""


def measure_images() -> Rounds:
    """Compares the time per received 640x480 image with the time per image of a render loop.

    The render thread is pinned to its own core, which the loop uses too. Without pinning, Linux
    lets the physics, the sender and the subscriber displace the render thread although another
    core is idle: an image took 19 ms instead of 14.
    """
    core, *others = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, others or [core])
    with _server(1000.0, 640, 480, core, realtime=1.0) as (server, images, renderer):
        while True:
            arrived, _, _ = _run(server, images)
            rendered, seconds = renderer.ask(_WINDOW_S, 0)
            yield (arrived[-1] - arrived[0]) / (len(arrived) - 1), seconds / rendered


def measure_physics() -> Rounds:
    """Compares steps per second of a server with a camera and of a bare loop.

    While the loop runs, another process renders at the same rate. The ratio is 0 if the server
    renders too few images.
    """
    model = mujoco.MjModel.from_xml_path(str(_MODEL))
    with _server(_RATE_HZ, 320, 240, realtime=-1.0) as (server, images, renderer):
        while True:
            arrived, steps, seconds = _run(server, images)
            enough = (len(arrived) - 1) / seconds >= _LEAST_RATE_HZ  # the first is immediate
            renderer.tell(1.5 * seconds, len(arrived) / seconds)
            time.sleep(0.1)  # until the renderer has started
            bare = steps / bare_s(model, int(steps))
            renderer.hear()
            yield steps / seconds * enough, bare


@contextmanager
def _server(
    rate_hz: float, width: int, height: int, core: int | None = None, **parameters: Any
) -> Iterator[tuple[Asked, _Images, Asked]]:
    """Starts a server with one camera, a subscriber, and a process that renders by itself."""
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
            raise LeftOutError(f'mujoco.Renderer failed; does EGL work? {error}') from error
        images = _Images()
        if not any(len(_run(server, images)[0]) > 1 for _ in range(_TRIES)):
            raise LeftOutError('no image arrived from the server')
        yield server, images, renderer


def _run(server: Asked, images: _Images) -> tuple[list[float], float, float]:
    """Runs the server; returns the arrival times of the images, the steps and the duration."""
    images.arrived.clear()
    server.tell(_WINDOW_S)
    images.spin(_WINDOW_S)
    steps, seconds, _ = server.hear()
    return images.arrived[:], steps, seconds


class _Images:
    """Subscribes to the images as bytes, without decoding them."""

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
        """Receives images for `seconds`."""
        end = time.monotonic() + duration_s
        while (left := end - time.monotonic()) > 0:
            self._executor.spin_once(left)
