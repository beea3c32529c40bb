"""Controllers: plugins that drive joints, and the layer that converts commands to controls."""

from .drive.claims import Claims, check_free
from .drive.command_following import advance_joints, drive_joints
from .drive.drive_config import DriveConfig, Gains, Interface, JointLimits
from .drive.joint_commands import (
    note_command,
    set_command,
    take_commands,
    withdraw_command,
    withdraw_commands,
)
from .drive.joint_drive import JointDrive
from .drive.joint_plugin import JointPlugin
from .goals.goal_action import GoalAction
from .goals.goal_record import SUCCEEDED, end_goal, pursues_goal
from .goals.goals import Goals, PursuesGoals, Pursuit, goal_fields

__all__ = [
    'SUCCEEDED',
    'Claims',
    'DriveConfig',
    'Gains',
    'GoalAction',
    'Goals',
    'Interface',
    'JointDrive',
    'JointLimits',
    'JointPlugin',
    'PursuesGoals',
    'Pursuit',
    'advance_joints',
    'check_free',
    'drive_joints',
    'end_goal',
    'goal_fields',
    'note_command',
    'pursues_goal',
    'set_command',
    'take_commands',
    'withdraw_command',
    'withdraw_commands',
]
