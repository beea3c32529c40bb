"""Plugins that the benchmarks load into the server."""

from __future__ import annotations

import time
from typing import Any

import mujoco

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state

_WARM_UP = 300
"""The number of steps of an echo before its time is taken."""


class Observer(MujocoPlugin):
    """A plugin with all three compiled callbacks, which read and write but change no result."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Makes the state."""
        self.state = new_state(command=0.0, force=0.0, travelled=0.0)

    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Sets a control."""
        data.ctrl[0] = state.command

    @compiled
    def passive_callback(state: Any, model: Any, data: Any) -> None:
        """Adds a force."""
        data.qfrc_passive[0] += state.force

    @compiled
    def last_stage_callback(state: Any, model: Any, data: Any) -> None:
        """Adds up a velocity."""
        state.travelled += abs(data.qvel[0]) * model.opt.timestep


class Damper(MujocoPlugin):
    """The smallest compiled controller."""

    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Brakes the first joint."""
        data.ctrl[0] = -0.1 * data.qvel[0]


class Brake(MujocoPlugin):
    """A compiled controller of all motors, which brakes each by its velocity."""

    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Sets the controls."""
        for motor in range(model.nu):
            data.ctrl[motor] = -0.2 * data.actuator_velocity[motor]


class FirstStep(Damper):
    """Prints when the first step was made: `FIRST` and the time since the epoch in seconds."""

    _said = False

    def last_stage_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Prints the time at the first call."""
        if not self._said:
            self._said = True
            print('FIRST', time.time(), flush=True)


class ClockCounter(MujocoPlugin):
    """Counts what comes on /clock, and prints `CLOCK`, the count and the number of steps told."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Subscribes as rclpy's time source does, but keeps more messages."""
        from rclpy.qos import QoSProfile, ReliabilityPolicy
        from rosgraph_msgs.msg import Clock

        self.state = new_state(count=0, first=-1, last=-1)
        qos = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)
        self.ros.subscribe(Clock, '/clock_of_the_other', self.count, qos, state=self.state)

    @compiled
    def count(state: Any, model: Any, data: Any, message: Any) -> None:
        """Counts the times that are new."""
        stamp = message.clock
        now = stamp.sec * 1000 + (stamp.nanosec + 500_000) // 1_000_000
        if now > state.last:
            state.count += 1
            state.last = now
            if state.first < 0:
                state.first = now

    def unload(self) -> None:
        """Prints what has come."""
        state = self.state
        assert state is not None
        print('CLOCK', state.count, state.last - state.first + 1, flush=True)


class Echo(MujocoPlugin):
    """Publishes the joint in each step, and is driven by the answers; prints steps per second."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Makes the topics."""
        from sensor_msgs.msg import JointState

        self.state = new_state(force=0.0)
        self.ros.publish(
            JointState,
            '~/states',
            fill=self.fill,
            rate_hz=1.0 / model.opt.timestep,
            template=JointState(name=['hinge'], position=[0.0], velocity=[0.0], effort=[0.0]),
            state=self.state,
        )
        self.ros.subscribe(JointState, '~/commands', self.take, state=self.state)
        self._steps, self._begun = 0, 0.0

    @compiled
    def fill(state: Any, model: Any, data: Any, message: Any) -> None:
        """Writes the state of the joint."""
        message.position[0] = data.qpos[0]
        message.velocity[0] = data.qvel[0]

    @compiled
    def take(state: Any, model: Any, data: Any, message: Any) -> None:
        """Takes the force."""
        state.force = message.effort[0]

    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Applies the force."""
        data.ctrl[0] = state.force

    def last_stage_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Takes the time once the processes know each other."""
        self._steps += 1
        if self._steps == _WARM_UP:
            self._begun = time.perf_counter()

    def unload(self) -> None:
        """Prints how fast the steps were."""
        spent_s = time.perf_counter() - self._begun
        print('ECHO', (self._steps - _WARM_UP) / spent_s, flush=True)
