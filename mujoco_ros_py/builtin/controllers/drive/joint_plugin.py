"""The base class of plugins that drive joints."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, TypeVar

import mujoco

from ....plugins import (
    Adaptable,
    Commandable,
    MujocoPlugin,
    Reconfigurable,
    Savable,
    State,
    Stoppable,
    compiled,
)
from .claims import Claims
from .command_following import advance_joints
from .drive_config import DriveConfig
from .drive_record import PLACES
from .joint_drive import JointDrive

Config = TypeVar('Config')


class JointPlugin(
    MujocoPlugin[Config], Reconfigurable, Adaptable, Savable, Stoppable, Commandable
):
    """Base class of plugins that drive joints; subclasses create the drive and state in `load`.

    The configuration is usually a dataclass that derives from `DriveConfig`. The
    `control_callback` writes commands and calls `drive_joints`::

        def load(self, model, data):
            self.drive = JointDrive(self, model, data, self.config.joints, 'position')
            self.state = self.drive.new_state()

        @staticmethod
        @compiled
        def control_callback(state, model, data):
            state.position_command[0] = math.sin(data.time)
            drive_joints(state, model, data)
    """

    drive: JointDrive
    """The drive of the plugin's joints."""
    places: ClassVar[Sequence[str]] = (
        'qpos_address',
        'dof_address',
        'drive_others',
        *(f'drive_other.{name}' for name in PLACES),
        *(f'drive.{name}' for name in (*PLACES, 'interface', 'windup')),
    )
    """The state fields that hold MuJoCo addresses and ids; subclasses append their own fields."""

    @property
    def claims(self) -> Claims:
        """The joints and actuators that the plugin drives; no other plugin can drive them."""
        return self.drive.claims

    @property
    def driven_actuators(self) -> Collection[str]:
        """The actuators that the plugin drives."""
        return self.claims.actuators

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Discards all commands; the joints hold their positions after the reset."""
        self.drive.reset(data)

    def configure(self, config: Config) -> None:
        """Applies the live values of a `DriveConfig`; ignores other configurations."""
        if isinstance(config, DriveConfig):
            self.drive.configure(config)

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Makes the joints hold their positions from the next step on, until the stop ends.

        Controllers that pursue goals override this to abort the goal.
        """
        self.drive.emergency_stop(stopped)

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Leaves position servos holding their joints, and stops driving all other joints."""
        self.drive.withdraw(model, data)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Advances the drive by one step."""
        advance_joints(state, model, data)
