"""mujoco_ros_py/JointTrajectoryController: follows joint trajectories, for example of MoveIt."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ....plugins import State, compiled
from ....simulation import check_alike, check_places
from ..drive.command_following import advance_joints, drive_joints
from ..drive.command_report import CommandReport, Count
from ..drive.joint_commands import withdraw_commands
from ..drive.joint_drive import JointDrive
from ..drive.joint_plugin import JointPlugin
from ..goals.goals import REPLACED, Goals, PursuesGoals, Pursuit, goal_fields
from .following import (
    IDLE,
    MOVING,
    NOT_REACHED,
    OFF_PATH,
    follow_trajectory,
    watch_trajectory,
)
from .trajectory import Trajectory, trajectory_record, use
from .trajectory_config import JointTrajectoryControllerConfig, Tolerances, default_tolerances
from .trajectory_ends import CODES, INVALID, REASONS, ClampedValues, Result, check_failure
from .trajectory_messages import Reader, trajectory_of
from .trajectory_topics import TrajectoryTopics

_log = logging.getLogger(__name__)


class JointTrajectoryController(
    PursuesGoals[JointTrajectoryControllerConfig], JointPlugin[JointTrajectoryControllerConfig]
):
    """Makes joints follow trajectories, like the controller of this name in ros2_controllers.

    Trajectories arrive as action goals, with a result at the end, or on a topic. A new trajectory
    replaces the current one. Compiled code follows the trajectory, and checks its tolerances, in
    each step.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Claims the joints; offers the action, the topics and the service if ROS is available."""
        config = self.config
        interface = config.interface
        self.drive = JointDrive(self, model, data, config.joints, interface, config.drive)
        count = len(config.joints)
        self.state = self.drive.new_state(**goal_fields(), **trajectory_record(count))
        self.state.by_velocity = interface == 'velocity'
        self.state.judges_speed = not {'velocity', 'effort'}.isdisjoint(config.command_interfaces)
        self._endless = self.drive.endless(model)
        self._clamped = ClampedValues(self, interface)
        self.configure(config)
        self._trajectory: Trajectory | None = None
        self._result: Any = Result
        self.goals = Goals(
            self,
            rate_hz=config.action_monitor_rate,
            result=self._outcome,
            cancelled=self._hold,
            reasons=REASONS,
        )
        CommandReport(self, self._counts)
        topics = TrajectoryTopics(self)
        if self.ros and topics.result:
            self._result = topics.result

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; keeps the trajectory, the goal and the tolerances."""
        self.drive.adapt(model, data)
        self._endless = self.drive.endless(model)
        self.configure(self.config)

    def configure(self, config: JointTrajectoryControllerConfig) -> None:
        """Applies new gains at once, and new tolerances and rules to future trajectories.

        Raises ConfigError, and changes nothing, if gains or tolerances do not fit the joints.
        """
        tolerances = default_tolerances(config.constraints, config.joints)
        self.drive.configure(config.drive)
        self.state.position_gain = config.position_gain
        self.state.fed_inertia = self._fed_inertia(config)
        self.state.drive['wraps'] = False  # the trajectory determines which way a joint turns
        self._tolerances = tolerances
        self.reader = Reader(
            config.joints,
            partial=config.allow_partial_joints_goal,
            moving_end=config.allow_nonzero_velocity_at_trajectory_end,
        )

    @property
    def tolerances(self) -> Tolerances:
        """The default tolerances, from the configuration."""
        return self._tolerances

    @property
    def trajectory(self) -> Trajectory | None:
        """The trajectory being followed, or held at its last point; None without a trajectory."""
        followed = self.state is not None and self.state.phase != IDLE
        return self._trajectory if followed else None

    def take_command(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        /,
        *,
        points: Sequence[Mapping[str, Any]],
        joint_names: Sequence[str] | None = None,
    ) -> None:
        """Follows a trajectory_msgs/JointTrajectory with `time_from_start` in s.

        `joint_names` defaults to all joints, in the order of the configuration.
        """
        names = self.config.joints if joint_names is None else joint_names
        self.begin(self.reader.read(trajectory_of(names, points), data.time), data)

    def begin(self, trajectory: Trajectory, data: mujoco.MjData) -> None:
        """Starts following a trajectory; call this on the physics thread.

        A pursued goal continues with the new trajectory. During an emergency stop, the call has no
        effect.
        """
        state = self.state
        if state.stopped:
            return
        position, velocity = data.qpos[state.qpos_address], data.qvel[state.dof_address]
        acceleration: Any = 0.0
        before = self.trajectory
        if before is not None and self.config.interpolate_from_desired_state:
            wanted = before.sample(data.time)
            position, velocity = wanted.position, wanted.velocity
            acceleration = wanted.acceleration
        trajectory.begin(data.time, position, velocity, self._endless, acceleration)
        if self.goals.present is None:
            self._tolerances.write(state)
            self._clamped.forget()
        use(state, trajectory)
        state.phase, self._trajectory = MOVING, trajectory

    def pursue(
        self, trajectory: Trajectory, data: mujoco.MjData, tolerances: Tolerances | None = None
    ) -> Pursuit:
        """Follows a trajectory as a goal; call this on the physics thread.

        Works like a goal of the action. In a session without ROS, the returned goal ends with a
        `Result`.
        """
        self.goals.end(REPLACED)  # before `forget`: the result needs the clamped values
        self._clamped.forget()
        pursuit = self.goals.begin()
        if not pursuit.ended:
            (tolerances or self._tolerances).write(self.state)
            self.begin(trajectory, data)
        return pursuit

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ends the goal, and makes the joints hold their positions after the reset."""
        super().reset(model, data)
        self._forget()

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Ends the goal and the trajectory; during a stop, the joints hold their positions."""
        if stopped != self.state.stopped:
            self._forget()
        super().emergency_stop(model, data, stopped)

    def save(self) -> Any:
        """Returns the plugin's record, and the parts of the current trajectory."""
        state, trajectory = super().save(), self.trajectory
        state.times_address = state.coefficients_address = 0
        return state, None if trajectory is None else trajectory.parts()

    def check_saved(self, saved: Any) -> None:
        """Raises ConfigError if the saved state or its trajectory does not fit this plugin."""
        state, parts = saved if isinstance(saved, tuple) and len(saved) == 2 else (None, None)
        now: Any = super().save()
        check_alike(saved, (now, parts))
        check_places(state, now, self.places)
        check_failure(state, len(self.config.joints))
        if parts is not None:
            Trajectory.of_parts(parts, len(self.config.joints))

    def restore(self, saved: Any) -> None:
        """Restores a saved state, and continues its trajectory; goals are not saved."""
        state, parts = saved
        joints = len(self.config.joints)
        self._trajectory = None if parts is None else Trajectory.of_parts(parts, joints)
        super().restore(state)
        if self._trajectory is None:
            self._forget()
        else:
            use(self.state, self._trajectory)

    def _hold(self) -> None:
        """Stops following the trajectory, and makes all joints hold their positions."""
        self._forget()
        withdraw_commands(self.state)

    def _forget(self) -> None:
        """Stops following the trajectory."""
        self.state.phase, self._trajectory = IDLE, None

    def _outcome(self, end: int) -> Any:
        """Returns the result of an ended goal, with the action's error code."""
        text = self.goals.reason(end)
        if end in (OFF_PATH, NOT_REACHED):
            text = f'{text}: {self._violation()}'
        if clamped := str(self._clamped):
            text = f'{text}; clamped to the limits: {clamped}'
        return self._result(error_code=CODES.get(end, INVALID), error_string=text)

    def _violation(self) -> str:
        """Returns the message that names the joint outside its tolerance, and its error."""
        state = self.state
        what = 'velocity' if state.violation_is_speed else 'position'
        joint = self.drive.joints[int(state.violator)]
        return f'the {what} of joint {joint} is {abs(float(state.violation)):.4g} off'

    def _counts(self) -> Iterator[Count]:
        state = self.state
        yield Count(
            reason='tolerance', place=0, number=int(state.failures), sentence=self._failure
        )

    def _failure(self) -> str:
        reason = REASONS[int(self.state.failure)]
        return f'{reason}: {self._violation()}; the joints hold where they are'

    def _fed_inertia(self, config: JointTrajectoryControllerConfig) -> Any:
        """Returns the inertia of each joint for the acceleration feedforward; 0 to disable it.

        The feedforward is disabled for servos of the model (they use their own control law), for
        joints with configured gains, and for joints with velocity or acceleration limits (their
        drive computes the feedforward of the limited reference).
        """
        rows, gains = self.state.drive, config.gains
        given = [joint in gains and gains[joint].given for joint in config.joints]
        alone = rows['servoes_position'].astype(bool) | rows['ramps'].astype(bool) | given
        by_effort = rows['interface'] == 0
        return np.where(by_effort & ~alone, rows['inertia'], 0.0)

    @staticmethod
    @compiled
    def control_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Drives the joints along the trajectory."""
        follow_trajectory(state, data)
        drive_joints(state, model, data)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Advances the drive, and checks the tolerances."""
        advance_joints(state, model, data)
        watch_trajectory(state, data)
