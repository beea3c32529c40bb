"""mujoco_ros_py/ParallelGripperController: moves a gripper with one driven joint."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass

import mujoco

from ....errors import ConfigError
from ....plugins import State, compiled
from ...joints.joint_effort import joint_effort
from ..drive.actuator_laws import Law
from ..drive.command_following import advance_joints, drive_joints
from ..drive.drive_config import DriveConfig
from ..drive.joint_commands import note_command, withdraw_commands
from ..drive.joint_drive import JointDrive
from ..drive.joint_plugin import JointPlugin
from .gripper_messages import Asked
from .gripper_motion import forget_goal, judge_goal
from .gripper_plugin import GripperConfig, GripperPlugin

_log = logging.getLogger(__name__)
_LIMITED = {int(Law.AFFINE), int(Law.DIRECT)}


@dataclass(frozen=True, kw_only=True)
class ParallelGripperControllerConfig(GripperConfig, DriveConfig):
    """The configuration of the ParallelGripperController plugin."""

    joint: str
    """The driven joint; other joints can follow it by equality constraints."""

    def __post_init__(self) -> None:
        if self.command_timeout:
            raise ConfigError(
                'command_timeout must be 0, because a gripper holds its last goal, got'
                f' {self.command_timeout:g}'
            )


class ParallelGripperController(
    GripperPlugin[ParallelGripperControllerConfig], JointPlugin[ParallelGripperControllerConfig]
):
    """Moves a joint to one position at a time, like its namesake in ros2_controllers.

    The limits of a goal apply on top of the drive's limits.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Claims the joint, and offers the action if ROS is available."""
        joint = self.config.joint
        self.drive = JointDrive(self, model, data, [joint], 'position')
        self.state = self.drive.new_state(
            **self.motion_fields(), asked_velocity=math.inf, asked_effort=math.inf
        )
        self._note_limits()
        self._said = False
        self.begin_goals(joint)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; keeps the goal, the grip and the limits."""
        self.drive.adapt(model, data)
        state = self.state
        self._note_limits()
        self._limit(float(state.asked_velocity), float(state.asked_effort))

    def goes_with(self, model: mujoco.MjModel) -> bool:
        """Returns whether the record's addresses belong to this model."""
        return self.drive.goes_with(model)

    def measured_by(self, state: State, data: mujoco.MjData) -> tuple[float, float, float]:
        """Returns the position and velocity of the joint, and the effort on it."""
        row = state.drive[0]
        position, velocity = data.qpos[row['qpos']], data.qvel[row['dof']]
        effort = joint_effort(data, row['dof'])
        return float(position), float(velocity), float(effort)

    def command(self, data: mujoco.MjData, asked: Asked) -> None:
        """Makes the drive move the joint, within the limits of the goal."""
        self._limit(asked.max_velocity, asked.max_effort)
        state = self.state
        state.position_command[0] = asked.position
        note_command(state, data)

    def hold(self) -> None:
        """Makes the joint hold its position, within the limits of the configuration."""
        config = self.config
        self._limit(config.max_velocity or math.inf, config.max_effort or math.inf)
        withdraw_commands(self.state)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ends the goal and removes its limits; the joint holds its initial position."""
        super().reset(model, data)
        self.hold()

    def configure(self, config: ParallelGripperControllerConfig) -> None:
        """Applies the live values; keeps the limits of the goal."""
        super().configure(config)
        state = self.state
        self._note_limits()
        self._limit(float(state.asked_velocity), float(state.asked_effort))

    def _note_limits(self) -> None:
        """Stores the drive's own limits, from its configuration and the model."""
        row = self.state.drive[0]
        self._efforts = float(row['effort_low']), float(row['effort_high'])
        self._velocity, self._limits_servo = float(row['max_velocity']), bool(row['limits_servo'])

    def _limit(self, velocity: float, effort: float) -> None:
        """Narrows the drive's limits to the velocity and effort limits of a goal."""
        state = self.state
        state.asked_velocity, state.asked_effort = velocity, effort
        row = state.drive[0]
        row['max_velocity'] = min(self._velocity, velocity)
        row['ramps'] = min(row['max_velocity'], row['max_acceleration']) < math.inf
        low, high = self._efforts
        row['effort_low'], row['effort_high'] = max(low, -effort), min(high, effort)
        row['limits_servo'] = self._limits_servo or effort < math.inf
        if effort < math.inf and row['law'] not in _LIMITED and not self._said:
            self._said = True
            _log.warning(
                '%s: the effort of joint %s cannot be limited, because its actuator has an'
                ' activation or a regulator of its own',
                self.name,
                self.config.joint,
            )

    @staticmethod
    @compiled
    def control_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Drives the joint to its goal."""
        drive_joints(state, model, data)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Advances the drive by one step, and ends a goal that is reached or has stalled."""
        advance_joints(state, model, data)
        if math.isnan(state.position_command[0]):
            forget_goal(state)
        dof = state.dof_address[0]
        effort = joint_effort(data, dof)
        judge_goal(state, data.time, data.qpos[state.qpos_address[0]], data.qvel[dof], effort)
