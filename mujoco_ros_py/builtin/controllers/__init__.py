"""Controllers: plugins that drive joints, and the layer that turns commands into controls."""

from .drive_commands import (
    note_command,
    set_command,
    take_commands,
    withdraw_command,
    withdraw_commands,
)
from .drive_config import DriveConfig, Gains, Interface, JointLimits
from .driven_joints import advance_joints, drive_joints
from .joint_claims import Claims, check_free
from .joint_drive import JointDrive
from .joint_plugin import JointPlugin

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
