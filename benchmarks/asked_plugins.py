"""Plugins that run inside the measured server and answer the requests of a row."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable
from typing import Any

import mujoco
import numpy as np

from mujoco_ros_py.engine.compiled.system import monotonic_ns
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state

from .processes import answer

_KEPT = 10_000


class Runner(MujocoPlugin):
    """Runs a paused server for the requested number of seconds.

    Answers with the number of steps, the seconds, and the 99th percentile of the steps' lateness
    in s. First waits until all `topics` of the configuration have a subscriber. `pinned` maps
    thread names to cores.
    """

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Starts a thread that answers requests."""
        threading.Thread(target=answer, args=(self.answer,), daemon=True).start()

    def answer(self, seconds: float) -> Iterable[float]:
        """Resets the server, and runs it for `seconds`."""
        while not all(map(self.node.count_subscribers, self.config.get('topics', ()))):
            time.sleep(0.05)
        cores = self.config.get('pinned', {})
        for thread in threading.enumerate():
            if thread.name in cores:
                os.sched_setaffinity(thread.native_id or 0, {cores[thread.name]})
        simulation = self.environment.simulation
        simulation.reset().result()
        meter = simulation.lateness_meter()
        simulation.set_paused(False).result()
        begin, before = time.perf_counter(), simulation.status().steps
        self.run(seconds)
        simulation.set_paused(True).result()
        spent, steps = time.perf_counter() - begin, simulation.status().steps - before
        late = meter.measure()
        return steps, spent, late.p99_us / 1e6 if late else 0.0

    def run(self, seconds: float) -> None:
        """Waits while the server runs."""
        time.sleep(seconds)


class Burner(Runner):
    """Keeps a Python thread busy while the server runs."""

    def run(self, seconds: float) -> None:
        """Computes in Python, and so competes for the GIL."""
        burn(seconds)


def burn(seconds: float) -> None:
    """Computes in Python for `seconds`."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


class Echo(MujocoPlugin):
    """Publishes the joint `rate` times per second, and applies the commands of a controller.

    Each message contains the time at which it was filled; the controller copies this time into its
    command.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Creates the topics."""
        from sensor_msgs.msg import JointState

        self.state = new_state(force=0.0, spent=np.zeros(_KEPT), count=0)
        self.ros.create_compiled_publisher(
            JointState,
            '~/states',
            self.fill,
            rate_hz=self.config['rate'],
            template=JointState(name=['hinge'], position=[0.0], velocity=[0.0], effort=[0.0]),
            state=self.state,
            copy_state=False,
        )
        self.ros.create_compiled_subscription(
            JointState, '~/commands', self.take, state=self.state
        )

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Clears the measurements."""
        state: Any = self.state
        state.count = 0

    def spent_s(self) -> float:
        """Returns the median time from a state to the step that applies its command."""
        state: Any = self.state
        return float(np.median(state.spent[: state.count])) / 1e9

    @staticmethod
    @compiled
    def fill(state: Any, model: Any, data: Any, message: Any) -> None:
        """Writes the state of the joint and the current time."""
        message.position[0] = data.qpos[0]
        message.velocity[0] = data.qvel[0]
        message.effort[0] = monotonic_ns()

    @staticmethod
    @compiled
    def take(state: Any, model: Any, data: Any, message: Any) -> None:
        """Stores the force at the start of the step that applies it, and measures the delay."""
        state.force = -message.position[0]
        state.spent[state.count % _KEPT] = monotonic_ns() - message.effort[0]
        state.count += 1

    @staticmethod
    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Applies the force."""
        data.ctrl[0] = state.force


class EchoTimer(Runner):
    """Runs the server, and answers with the median delay measured by the plugin `echo`."""

    def answer(self, seconds: float) -> Iterable[float]:
        """Returns the seconds from a state to the step that applies its command."""
        super().answer(seconds)
        return (self.environment.plugin('echo').spent_s(),)


class ManagerInside(Runner):
    """Updates within steps, like a controller manager that is embedded in a simulator.

    Answers with the mean simulated time from the state that an update reads to the first state
    that shows the commanded effort.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Creates the state."""
        period_s = (1.0 - 1e-9) / self.config['update_rate']
        self.state = new_state(
            period=period_s, next=0.0, read=0.0, effort=0.0, awaited=0, delay=0.0, count=0
        )

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Clears the measurements."""
        state: Any = self.state
        state.next, state.awaited, state.delay, state.count = 0.0, 0, 0.0, 0

    def answer(self, seconds: float) -> Iterable[float]:
        """Returns the mean delay in s."""
        super().answer(seconds)
        state: Any = self.state
        return (state.delay / state.count,)

    @staticmethod
    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Runs an update if one is due."""
        if data.time >= state.next:
            state.next, state.read = data.time + state.period, data.time
            state.effort += 1.0
            state.awaited = 1
        data.ctrl[0] = state.effort

    @staticmethod
    @compiled
    def last_stage_callback(state: Any, model: Any, data: Any) -> None:
        """Measures the delay once the new state shows the commanded effort."""
        if state.awaited != 0 and data.qfrc_actuator[0] == state.effort:
            state.awaited = 0
            state.delay += data.time - state.read
            state.count += 1


class Counter(Runner):
    """Counts messages that another server publishes at 1 kHz of simulated time.

    Answers with the number of received and of published messages.
    """

    def count_on(self, kind: Any, topics: Iterable[str], function: Any) -> None:
        """Subscribes to topics, with queues that hold one second of messages."""
        from rclpy.qos import QoSProfile, ReliabilityPolicy

        qos = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)
        self.states = []
        for topic in topics:
            self.states.append(new_state(count=0, first=-1, last=-1))
            self.ros.create_compiled_subscription(
                kind, topic, function, qos, state=self.states[-1]
            )

    def answer(self, seconds: float) -> Iterable[float]:
        """Counts for `seconds`. Reads the counts between steps, when no message is received."""
        self.environment.submit(self._forget).result()
        time.sleep(seconds)
        return self.environment.submit(self._counted).result()

    def _forget(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        for state in self.states:
            state.count, state.first, state.last = 0, -1, -1

    def _counted(self, model: mujoco.MjModel, data: mujoco.MjData) -> tuple[int, int]:
        published = sum(int(state.last - state.first) + 1 for state in self.states)
        return sum(int(state.count) for state in self.states), published


class ClockCounter(Counter):
    """Counts the messages on /clock_of_the_other."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Subscribes like rclpy's time source, but with a longer queue."""
        from rosgraph_msgs.msg import Clock

        self.count_on(Clock, ['/clock_of_the_other'], self.count)

    @staticmethod
    @compiled
    def count(state: Any, model: Any, data: Any, message: Any) -> None:
        """Counts a message if its time is new."""
        stamp = message.clock
        now = stamp.sec * 1000 + (stamp.nanosec + 500_000) // 1_000_000
        if now > state.last:
            state.count += 1
            state.last = now
            if state.first < 0:
                state.first = now


class SensorCounter(Counter):
    """Counts the scalars on the configured `topics`."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Subscribes to all topics."""
        from mujoco_ros_msgs.msg import ScalarStamped

        self.count_on(ScalarStamped, self.config['topics'], self.count)

    @staticmethod
    @compiled
    def count(state: Any, model: Any, data: Any, message: Any) -> None:
        """Counts a message if its stamp is new."""
        stamp = message.header.stamp
        now = stamp.sec * 1000 + (stamp.nanosec + 500_000) // 1_000_000
        if now > state.last:
            state.count += 1
            state.last = now
            if state.first < 0:
                state.first = now


class LidarTimer(Runner):
    """Runs the server, and compares the scans of the plugin `points` with bare MuJoCo.

    Answers with the mean time of a scan in s, and the mean time of `mj_multiRay` for the same rays
    at the same rate. The rate matters: without pauses, the processor's caches stay filled, and
    scans take an eighth less time.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Stores the model and the data for the comparison."""
        self._model, self._data = model, data

    def answer(self, seconds: float) -> Iterable[float]:
        """Measures scans in the running server, and then `mj_multiRay`."""
        from mujoco_ros_py.builtin.sensors.rays.lidar import ray_directions

        super().answer(seconds)
        lidar: Any = self.environment.plugin('points')
        directions, _ = ray_directions(lidar.config)
        count, site = len(directions), lidar.world.site
        rays = (directions @ self._data.site_xmat[site].reshape(3, 3).T).ravel()
        hits, ranges, spent = np.empty(count, np.int32), np.empty(count), []
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            time.sleep(1.0 / lidar.config.update_rate)
            start = time.perf_counter()
            mujoco.mj_multiRay(
                self._model, self._data, self._data.site_xpos[site], rays, None, True, -1, hits,
                ranges, None, count, lidar.config.range.max,
            )  # fmt: skip
            spent.append(time.perf_counter() - start)
        return lidar.topic.publishers[0].cost_ns / 1e9, float(np.mean(spent))
