"""Controllers: plugins that drive joints, and the layer that turns commands into controls."""

from .drive.claims import Claims, check_free
from .drive.commands import (
    note_command,
    set_command,
    take_commands,
    withdraw_command,
    withdraw_commands,
)
from .drive.config import DriveConfig, Gains, Interface, JointLimits
from .drive.driven_joints import advance_joints, drive_joints
from .drive.joint_drive import JointDrive
from .drive.joint_plugin import JointPlugin

__all__ = [
    'Claims',
    'DriveConfig',
    'Gains',
    'Interface',
    'JointDrive',
    'JointLimits',
    'JointPlugin',
    'advance_joints',
    'check_free',
    'drive_joints',
    'note_command',
    'set_command',
    'take_commands',
    'withdraw_command',
    'withdraw_commands',
]
