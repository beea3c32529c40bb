"""Plugins that measure what a controller process in Python takes to answer."""

from __future__ import annotations

import threading
from typing import Any

import mujoco
import numpy as np

from mujoco_ros_py.engine.compiled.system import monotonic_ns
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state

_KEPT = 2000
_WARM_UP = 200


class TimedEcho(MujocoPlugin):
    """Publishes the joint `rate` times per second, and is driven by the answers.

    Each message has the time at which it was filled, and so has its answer. At the unload the
    median of the times to the step that has the answer is printed in us: `ECHO 412.5`.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Makes the topics."""
        from sensor_msgs.msg import JointState

        self.state = new_state(force=0.0, spent=np.zeros(_KEPT), count=0)
        self.ros.publish(
            JointState,
            '~/states',
            fill=self.fill,
            rate_hz=self.config['rate'],
            template=JointState(name=['hinge'], position=[0.0], velocity=[0.0], effort=[0.0]),
            state=self.state,
            copy_state=False,
        )
        self.ros.subscribe(JointState, '~/commands', self.take, state=self.state)

    @compiled
    def fill(state: Any, model: Any, data: Any, message: Any) -> None:
        """Writes the state of the joint, and the present time."""
        message.position[0] = data.qpos[0]
        message.velocity[0] = data.qvel[0]
        message.effort[0] = monotonic_ns()

    @compiled
    def take(state: Any, model: Any, data: Any, message: Any) -> None:
        """Takes the force, at the head of the step that applies it."""
        state.force = -message.position[0]
        state.spent[state.count % _KEPT] = monotonic_ns() - message.effort[0]
        state.count += 1

    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Applies the force."""
        data.ctrl[0] = state.force

    def unload(self) -> None:
        """Prints the median."""
        state: Any = self.state
        last = np.sort(state.spent[min(_WARM_UP, state.count) : state.count])
        print('ECHO', np.median(last) / 1e3 if len(last) else 0.0, state.count, flush=True)


class Burner(MujocoPlugin):
    """Computes in Python all the time, and tells how late the steps were: `LATE 812.0`, in us."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Starts the thread and the measurement."""
        self._going = True
        self._meter = self.environment.simulation.lateness_meter()
        threading.Thread(target=self._burn, daemon=True).start()

    def _burn(self) -> None:
        number = 0
        while self._going:
            number += 1

    def unload(self) -> None:
        """Prints the 99th percentile of the lateness."""
        self._going = False
        late = self._meter.measure()
        print('LATE', late.p99_us if late else 0.0, flush=True)
