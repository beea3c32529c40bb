"""The cost of images, for themselves and for the physics, over bare MuJoCo, in software."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import mujoco
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image
from std_srvs.srv import SetBool, Trigger

from .loop import Times
from .processes import FOLDER, Client, client, environment, folder, running, server_command
from .result import LeftOutError, Result

_MODEL = FOLDER / 'humanoid.xml'
_CAMERA = 'side'
_ROUNDS = 21
_WINDOW_S = 0.7
_RATE_HZ = 30.0
_LEAST_RATE_HZ = 28.0
"""The minimum rate of images, below which the physics would have it too easy and the row is
missed."""
_IMAGE_S = 30.0
"""The maximum time in s until an image arrives; the server's log tells why there is none."""
_ONE_THREAD = {'LP_NUM_THREADS': '0', 'MUJOCO_GL': 'egl'}
"""The environment in which llvmpipe draws in the calling thread, and starts no others."""


def measure_images(name: str, limit: float) -> Result:
    """Returns seconds per 640x480 image that arrives, over those of a loop that renders."""
    with _server(1000.0, 640, 480, realtime=1.0) as (caller, renderer):
        images = _Images()
        _server_images(caller, images)
        rounds = [
            (_server_images(caller, images), _ask(renderer, _WINDOW_S, 0)) for _ in range(_ROUNDS)
        ]
    ratio = statistics.median(server / (took / images) for server, (images, took) in rounds)
    server = statistics.median(server for server, _ in rounds) * 1e3
    bare = statistics.median(took / images for _, (images, took) in rounds) * 1e3
    measured = f'{server:.2f} ms an image against {bare:.2f}'
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def measure_physics(name: str, limit: float) -> Result:
    """Returns steps per second of the server with a camera, over those of a bare loop.

    The loop runs beside a renderer. The ratio is 0 if the server makes too few images meanwhile.
    """
    with _server(_RATE_HZ, 320, 240, realtime=-1.0) as (caller, renderer):
        images = _Images()
        model = mujoco.MjModel.from_xml_path(str(_MODEL))
        _round(caller, images, renderer, model)
        rounds = [_round(caller, images, renderer, model) for _ in range(_ROUNDS)]
    rate = statistics.median(r[3] for r in rounds)
    ratio = statistics.median(bare / server for server, bare, _, _ in rounds)
    ratio = ratio if rate >= _LEAST_RATE_HZ else 0.0
    server, bare = (statistics.median(r[k] / r[2] for r in rounds) * 1e6 for k in (0, 1))
    measured = f'{server:.2f} us a step against {bare:.2f}, {rate:.1f} images a second'
    return Result(name=name, ratio=ratio, rule='at least', limit=limit, measured=measured)


@contextmanager
def _server(
    rate_hz: float, width: int, height: int, **parameters: Any
) -> Iterator[tuple[Client, subprocess.Popen[str]]]:
    """Starts the server with one camera, paused, and the process that renders without it."""
    given: Mapping[str, Any] = {
        'modelfile': str(_MODEL),
        'unpause': False,
        'MujocoPlugins': '[]',
        f'cam_config.{_CAMERA}': {'frequency': rate_hz, 'width': width, 'height': height},
        **parameters,
    }
    size = [str(width), str(height)]
    bare = [sys.executable, '-m', 'benchmarks.bare_renderer', str(_MODEL), _CAMERA, *size]
    with folder() as prefix, client() as caller:
        env = {**environment(prefix), **_ONE_THREAD}
        pipes = {'stdin': subprocess.PIPE, 'stdout': subprocess.PIPE}
        with (
            running(server_command(prefix, given), env),
            subprocess.Popen(bare, env=env, text=True, **pipes) as renderer,
        ):
            caller.wait_until_loaded()
            _ask(renderer, 0.2, 0)
            yield caller, renderer
            assert renderer.stdin is not None
            renderer.stdin.close()


def _server_images(caller: Client, images: _Images) -> float:
    """Returns seconds per image from the first to the last image that arrives in a window."""
    caller.call(SetBool, '/mujoco_server/set_pause', data=False)
    images.wait()
    assert caller.call(Trigger, '/mujoco_server/reset').success
    images.spin(_WINDOW_S)
    caller.call(SetBool, '/mujoco_server/set_pause', data=True)
    return (images.arrived[-1] - images.arrived[0]) / (len(images.arrived) - 1)


class _Images:
    """A subscriber to the images alone, so that other messages wait."""

    def __init__(self) -> None:
        self.arrived: list[float] = []
        self._node = Node('images')
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._node.create_subscription(
            Image, f'/cameras/{_CAMERA}/rgb',
            lambda _: self.arrived.append(time.perf_counter()),
            qos_profile_sensor_data, raw=True,
        )  # fmt: skip

    def spin(self, duration_s: float) -> None:
        """Takes images as bytes, as decoding them is the subscriber's affair."""
        end = time.monotonic() + duration_s
        while (left := end - time.monotonic()) > 0:
            self._executor.spin_once(left)

    def wait(self) -> None:
        """Waits for an image, and forgets it. Raises LeftOutError if none arrives."""
        self.arrived.clear()
        end = time.monotonic() + _IMAGE_S
        while not self.arrived:
            if time.monotonic() > end:
                raise LeftOutError(f'the server sent no image in {_IMAGE_S:g} s')
            self.spin(0.01)
        self.arrived.clear()


def _round(
    caller: Client,
    images: _Images,
    renderer: subprocess.Popen[str],
    model: mujoco.MjModel,
) -> tuple[float, float, int, float]:
    """Returns the seconds of server and bare loop for these steps, and images per second."""
    caller.call(SetBool, '/mujoco_server/set_pause', data=False)
    images.wait()
    assert caller.call(Trigger, '/mujoco_server/reset').success
    start = time.perf_counter()
    images.spin(_WINDOW_S)
    caller.call(SetBool, '/mujoco_server/set_pause', data=True)
    server = time.perf_counter() - start
    count = len(images.arrived)
    steps = round(_standing(caller) / model.opt.timestep)
    data = mujoco.MjData(model)
    _tell(renderer, 2 * server, count / server)
    time.sleep(0.1)  # until it renders
    start = time.perf_counter()
    mujoco.mj_step(model, data, steps)
    bare = time.perf_counter() - start
    _hear(renderer)
    return server, bare, steps, (count - 1) / server  # the first image comes at once


def _standing(caller: Client) -> float:
    """Returns the time at which the server stands; nobody listens to /clock while it runs."""
    times = Times(caller)
    try:
        return times.standing()
    finally:
        times.close()


def _ask(renderer: subprocess.Popen[str], seconds: float, rate: float) -> tuple[int, float]:
    _tell(renderer, seconds, rate)
    return _hear(renderer)


def _tell(renderer: subprocess.Popen[str], seconds: float, rate: float) -> None:
    assert renderer.stdin is not None
    try:
        renderer.stdin.write(f'{seconds} {rate}\n')
        renderer.stdin.flush()
    except BrokenPipeError:
        raise _no_renderer(renderer) from None


def _hear(renderer: subprocess.Popen[str]) -> tuple[int, float]:
    assert renderer.stdout is not None
    answer = renderer.stdout.readline()
    if not answer:
        raise _no_renderer(renderer)
    images, took = answer.split()
    return int(images), float(took)


def _no_renderer(renderer: subprocess.Popen[str]) -> LeftOutError:
    """Returns the reason why the renderer ended, which it prints itself."""
    assert renderer.stdin is not None
    with suppress(BrokenPipeError):  # of images that are still to be written
        renderer.stdin.close()
    code = renderer.wait()
    return LeftOutError(f'mujoco.Renderer ended with exit code {code}, does EGL work here?')
