"""mujoco_ros_py/Shadow: follows a running robot, and reports where it leaves the model."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ...config import unknown
from ...errors import ConfigError, EndedError, PluginError
from ...plugins import (
    Adaptable,
    Commandable,
    Diagnosable,
    MujocoPlugin,
    Reconfigurable,
    Savable,
    State,
    compiled,
    ros_type,
)
from ...plugins.topic_qos import STATES
from ...simulation import ModelChange
from .known_uncertainty import Uncertainty, uncertainty_of
from .measurements import Measured, Measurements
from .model_numbers import scalar_joints
from .predictions import Predictor
from .reasons import Reasons
from .recorded_steps import RecordedSteps, record_step
from .shadow_config import ShadowConfig
from .shadow_status import status_array
from .watch import Verdict, Watch

JointState = ros_type('sensor_msgs/msg/JointState')
DiagnosticArray = ros_type('diagnostic_msgs/msg/DiagnosticArray')

_log = logging.getLogger(__name__)
_PERIOD_S = 0.5
_QUEUE = 200
OnPhysics = Callable[[Callable[[mujoco.MjModel, mujoco.MjData], Any]], Any]
"""Calls a function on the physics thread, and returns its result."""


class Shadow(
    MujocoPlugin[ShadowConfig],
    Adaptable,
    Commandable,
    Diagnosable,
    Reconfigurable,
    Savable,
):
    """Follows a robot by its joint states, predicts them, and reports unexpected residuals.

    Each prediction begins at a measured state and uses the controls of the simulation until a
    later one, so errors do not grow from one prediction to the next.
    """

    verdict: Verdict | None = None
    """The judgement of the last prediction."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the joints, reads the uncertainty of the model, and creates the topics."""
        self._measurements = Measurements(
            self.config.horizon, self.config.delay, self.config.timing + model.opt.timestep
        )
        self._heard = self._judged = time.monotonic()
        self._stamp = -1.0
        self._epoch, self._arrival = -1, (-1.0, 0.0)
        self._prepare(model, data)
        self._residuals, self._bounds = (
            self.ros.create_publisher(JointState, f'~/{name}', STATES)
            for name in ('residuals', 'bounds')
        )
        self._status = None
        if DiagnosticArray:
            self._status = self.ros.create_publisher(DiagnosticArray, '/diagnostics', STATES)
            self.ros.create_timer(_PERIOD_S, self.tell)
        self.ros.create_subscription(JointState, self.config.states, self.take, _QUEUE)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Continues with another model; begins with new predictions."""
        self._prepare(model, data)

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Predicts with the changed model."""
        self._prepare(model, data)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Forgets the past."""
        self._steps.clear()

    def configure(self, config: ShadowConfig) -> None:
        """Accepts other bounds, which count from the next prediction."""

    def save(self) -> Any:
        """Returns nothing: the robot's past is not part of a state."""

    def restore(self, saved: Any) -> None:
        """Forgets the past."""
        self._steps.clear()

    def take_command(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        /,
        *,
        name: Sequence[str],
        position: Sequence[float],
        velocity: Sequence[float] = (),
        stamp: float | None = None,
    ) -> None:
        """Takes joint states, like a message; `stamp` is the robot's time in s."""
        arrival = data.time
        moment = arrival if stamp is None else stamp
        self._take(name, position, velocity, moment, arrival, lambda run: run(model, data))

    def take(self, message: Any) -> None:
        """Takes a message with joint states; runs on the thread of the plugin."""
        arrival, stamp = self.environment.simulation.time, message.header.stamp
        moment = stamp.sec + 1e-9 * stamp.nanosec or arrival
        arrays = list(message.name), list(message.position), list(message.velocity)
        try:
            self._take(*arrays, moment, arrival, lambda run: self.environment.submit(run).result())
        except (EndedError, PluginError):
            return  # the plugin is being unloaded

    def tell(self) -> None:
        """Publishes the status of the robot."""
        now, timeout = time.monotonic(), self.config.timeout
        problem = ''
        if now - self._heard > timeout:
            problem = f'no new joint states for {now - self._heard:.1f} s'
        elif now - self._judged > timeout + self.config.horizon:
            problem = (
                f'no prediction for {now - self._judged:.1f} s: joints are missing in the states,'
                ' or the simulation is not at real time'
            )
        array = status_array(DiagnosticArray, self.name, self._names, self.verdict, problem)
        array.header.stamp = self.node.get_clock().now().to_msg()
        if self._status is not None:
            self._status.publish(array)

    def diagnostics(self) -> Mapping[str, object]:
        """Returns the alignment of the clocks, and the last judgement."""
        verdict = self.verdict
        return {
            'clock offset (s)': f'{self._measurements.offset:.6f}',
            'outside the bounds': 'unknown' if verdict is None else verdict.outside,
        }

    def _prepare(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        config, prefix = self.config, self.environment.prefix
        known = scalar_joints(model, prefix)
        for name in config.joints:
            if name not in known:
                raise ConfigError(f'joints: {unknown("hinge or slide joint", name, known)}')
        self._names = list(config.joints or known)
        if not self._names:
            raise ConfigError('joints: the model has no hinge or slide joint')
        joints = {name: known[name] for name in self._names}
        ids = list(joints.values())
        self._places = np.concatenate([model.jnt_qposadr[ids], model.nq + model.jnt_dofadr[ids]])
        self._steps = RecordedSteps(model)
        self.state = self._steps.state
        fitted = uncertainty_of(config.result, model, prefix) if config.result else Uncertainty()
        if fitted.left_out:
            _log.info('%s: the bounds leave out %s', self.name, ', '.join(fitted.left_out))
        predictor = Predictor(model, data, ids, self._names, config.noise, fitted, config.timing)
        reasons = Reasons(config.hypotheses, model, prefix, joints, config.memory)
        self._watch = Watch(predictor, reasons)

    def _take(
        self,
        names: Sequence[str],
        positions: Sequence[float],
        velocities: Sequence[float],
        stamp: float,
        arrival: float,
        on_physics: OnPhysics,
    ) -> None:
        if stamp == self._stamp:  # a paused simulation repeats its states
            return
        self._stamp, self._heard = stamp, time.monotonic()
        self._forget_old_epoch(on_physics)
        if self._stands_still(stamp, arrival):
            return
        order = {name: index for index, name in enumerate(names)}
        if any(each not in order for each in self._names):
            return
        chosen = [order[name] for name in self._names]
        if len(positions) <= max(chosen):
            return
        moving = len(velocities) > max(chosen)
        places = np.array(positions, dtype=float)[chosen]
        speeds = np.array(velocities, dtype=float)[chosen] if moving else None
        if not np.all(np.isfinite(places)) or not (speeds is None or np.all(np.isfinite(speeds))):
            return
        measured = self._measurements.add(stamp, arrival, places, speeds)
        if measured is not None:
            self._follow(measured, on_physics)

    def _stands_still(self, stamp: float, arrival: float) -> bool:
        """Returns whether the simulation stays paused; the clocks are then aligned anew."""
        if arrival != self._arrival[0]:
            self._arrival = arrival, stamp
        since = stamp - self._arrival[1]
        stands = self.environment.simulation.paused and since > self.config.horizon
        if stands:
            self._measurements.clear()
        return stands

    def _forget_old_epoch(self, on_physics: OnPhysics) -> None:
        """Forgets the past after a jump of the simulated time."""
        epoch = self.environment.simulation.epoch
        if epoch != self._epoch:
            self._epoch = epoch
            self._measurements.clear()
            self._watch.clear()
            on_physics(lambda model, data: self._steps.clear())

    def _follow(self, measured: Measured, on_physics: OnPhysics) -> None:
        """Corrects the simulation, and judges the prediction that ends with this state."""
        values = np.concatenate([measured.positions, measured.velocities])
        gain, steps = self.config.gain, self._steps
        window = self._measurements.window(measured)

        def correct(model: mujoco.MjModel, data: mujoco.MjData) -> Any:
            if steps is not self._steps:  # the model has been replaced since
                return None
            found = None if window is None else steps.between(window[0].time, window[1].time)
            steps.correct(data, measured.time, self._places, values, gain)
            return found

        recorded = on_physics(correct)
        if window is None or recorded is None:
            return
        verdict = self._watch.judge(
            *window, recorded, sigmas=self.config.sigmas, windows=self.config.windows
        )
        if verdict is None:
            return
        self.verdict, self._judged = verdict, time.monotonic()
        self._publish(self._residuals, verdict, verdict.residuals)
        self._publish(self._bounds, verdict, verdict.bounds)

    def _publish(self, publisher: Any, verdict: Verdict, values: Any) -> None:
        positions, velocities = np.split(values, [len(self._names)])
        message = JointState(
            name=self._names, position=positions.tolist(), velocity=velocities.tolist()
        )
        message.header.stamp.sec = int(verdict.stamp // 1.0)
        message.header.stamp.nanosec = min(int(verdict.stamp % 1.0 * 1e9), 999_999_999)
        publisher.publish(message)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Records the step."""
        record_step(state, data)
