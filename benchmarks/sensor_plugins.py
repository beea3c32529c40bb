"""Plugins that count and time the messages of sensors for the benchmarks."""

from __future__ import annotations

import math
import statistics
import threading
import time
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from mujoco_ros_py.builtin.sensors.rays.lidar import Lidar
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state

_WINDOW_S = 0.25
"""The seconds of a window in which steps are counted."""
_BARE_S = 0.5
"""The seconds of bare scans; the server waits not much longer for the end of its plugins."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SensorCounterConfig:
    """The configuration of the plugin."""

    topics: tuple[str, ...]
    """The topics of mujoco_ros_msgs/ScalarStamped whose messages are counted."""


class SensorCounter(MujocoPlugin[SensorCounterConfig]):
    """Counts what comes on topics of scalars.

    It prints `SENSORS`, the number of messages, and the number of those that were sent meanwhile
    if one is sent on each topic each millisecond of simulated time.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Subscribes, with a queue for a second."""
        from mujoco_ros_msgs.msg import ScalarStamped
        from rclpy.qos import QoSProfile, ReliabilityPolicy

        qos = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)
        self.states = []
        for topic in self.config.topics:
            state = new_state(count=0, first=-1, last=-1)
            self.states.append(state)
            self.ros.subscribe(ScalarStamped, topic, self.count, qos, state=state)

    @compiled
    def count(state: Any, model: Any, data: Any, message: Any) -> None:
        """Counts the stamps that are new."""
        stamp = message.header.stamp
        now = stamp.sec * 1000 + (stamp.nanosec + 500_000) // 1_000_000
        if now > state.last:
            state.count += 1
            state.last = now
            if state.first < 0:
                state.first = now

    def unload(self) -> None:
        """Prints what has come."""
        came = sum(int(state.count) for state in self.states)
        sent = sum(int(state.last - state.first) + 1 for state in self.states)
        print('SENSORS', came, sent, flush=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class RunnerConfig:
    """The configuration of the plugin."""

    topics: tuple[str, ...] = ()
    """The topics that must have a subscriber before the first step."""


class Runner(MujocoPlugin[RunnerConfig]):
    """Sets a paused server running once its topics are heard; prints `RUN` and seconds per step.

    These are the seconds of the fastest window: the one that other machines on the same host
    disturbed least. A window is long enough for several messages of all topics.
    """

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Waits on a thread, as the physics thread must go on."""
        self._timestep, self._windows, self._ended = model.opt.timestep, [], threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def unload(self) -> None:
        """Prints how long a step took in the fastest window."""
        self._ended.set()
        self._thread.join()
        print('RUN', min(self._windows, default=math.nan), flush=True)

    def _run(self) -> None:
        while not all(map(self.node.count_subscribers, self.config.topics)):
            if self._ended.wait(0.05):
                return
        self._ended.wait(1.0)  # until the subscribers have been told of the publishers
        simulation = self.environment.simulation
        simulation.set_paused(False).result()
        begin = (time.perf_counter(), simulation.time)
        while not self._ended.wait(_WINDOW_S):
            end = (time.perf_counter(), simulation.time)
            if not simulation.paused and end[1] > begin[1]:
                steps = (end[1] - begin[1]) / self._timestep
                self._windows.append((end[0] - begin[0]) / steps)
            begin = end


class TimedLidar(Lidar):
    """A lidar that compares itself with bare MuJoCo.

    It prints `LIDAR`, the mean time that a scan takes in ns, and the mean of `mj_multiRay` alone
    for the same rays at the same rate: without a rest between them, scans find the processor's
    caches filled, and take an eighth less.
    """

    def unload(self) -> None:
        """Measures bare scans of the same world, and prints the times."""
        from mujoco_ros_py.builtin.sensors.rays.lidar import ray_directions

        directions, _ = ray_directions(self.config)
        count, site = len(directions), self.world.site
        rays = (directions @ self._data.site_xmat[site].reshape(3, 3).T).ravel()
        hits, ranges, spent = np.empty(count, np.int32), np.empty(count), []
        begin = time.perf_counter()
        while time.perf_counter() - begin < _BARE_S:
            time.sleep(1.0 / self.config.update_rate)
            start = time.perf_counter()
            mujoco.mj_multiRay(
                self._model, self._data, self._data.site_xpos[site], rays, None, True, -1, hits,
                ranges, None, count, self.config.range.max,
            )  # fmt: skip
            spent.append(time.perf_counter() - start)
        bare_ns = statistics.fmean(spent) * 1e9
        print('LIDAR', self.topic.publishers[0].cost_ns, bare_ns, flush=True)
        super().unload()

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Keeps the model and the data for the comparison."""
        self._model, self._data = model, data
        super().load(model, data)
