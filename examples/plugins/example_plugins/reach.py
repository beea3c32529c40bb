import math
from dataclasses import dataclass

from control_msgs.action import SingleJointPosition

from mujoco_ros_py.builtin.controllers import (
    SUCCEEDED,
    DriveConfig,
    GoalAction,
    Goals,
    JointDrive,
    JointPlugin,
    PursuesGoals,
    advance_joints,
    drive_joints,
    end_goal,
    goal_fields,
    pursues_goal,
    withdraw_commands,
)
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.plugins import compiled, ranged

FORGOTTEN = 2


@dataclass(frozen=True, kw_only=True)
class Config(DriveConfig):
    """The configuration of the controller."""

    joint: str
    """Joint to move."""
    tolerance: float = ranged(0.01, above=0.0, unit='rad or m')
    """Distance from the goal within which it counts as reached."""


class Reach(PursuesGoals[Config], JointPlugin[Config]):
    """Moves a joint to the position requested by an action goal."""

    def load(self, model, data):
        self.drive = JointDrive(self, model, data, [self.config.joint], 'position')
        self.state = self.drive.new_state(tolerance=self.config.tolerance, **goal_fields())
        self.goals = Goals(
            self, rate_hz=20.0, result=lambda end: SingleJointPosition.Result(),
            cancelled=self.hold, reasons={FORGOTTEN: 'the time has jumped back'},
        )  # fmt: skip
        GoalAction(
            self, self.goals, SingleJointPosition, '~/reach', read=self.read,
            begin=self.begin, feedback=self.feedback,
        )  # fmt: skip

    def read(self, goal):
        """Returns the position for `begin`, or rejects the goal; runs on the plugin's thread."""
        if not math.isfinite(goal.position):
            raise ConfigError('its position is not finite')
        return goal.position

    def begin(self, position, data):
        """Starts a goal, replacing the current goal; runs on the physics thread."""
        pursuit = self.goals.begin()
        self.state.position_command[0] = position
        return pursuit

    def hold(self):
        """Holds the joint in place after a goal is cancelled; runs on the physics thread."""
        withdraw_commands(self.state)

    def feedback(self, snapshot):
        """Returns the position of the joint; runs off the physics thread."""
        place = self.state.qpos_address[0]
        return SingleJointPosition.Feedback(position=snapshot.data.qpos[place])

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        drive_joints(state, model, data)

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        advance_joints(state, model, data)
        if pursues_goal(state):
            away = abs(state.position_command[0] - data.qpos[state.qpos_address[0]])
            if math.isnan(away):
                end_goal(state, FORGOTTEN)
            elif away < state.tolerance:
                end_goal(state, SUCCEEDED)
