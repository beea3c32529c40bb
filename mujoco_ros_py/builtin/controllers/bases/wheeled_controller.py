"""The base class of controllers for robots with wheels."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar

import mujoco

from ....plugins import State, compiled
from ..drive.drive_record import record_rows
from .base_config import BaseConfig
from .base_controller import BaseController
from .base_motion import advance_wheels, drive_wheels, forget_wheels
from .wheel_kinematics import Matrix, inverse

Config = TypeVar('Config', bound=BaseConfig)


class WheeledController(BaseController[Config]):
    """Drives a base by its wheels; a subclass returns the wheel kinematics from `turns`."""

    @abstractmethod
    def turns(self) -> Matrix:
        """Returns the matrix from the base velocity to the wheel velocities.

        `wheel_kinematics` has functions for common kinds of wheels.
        """

    def _fields(self) -> dict[str, Any]:
        turns = self.turns()
        moves = inverse(turns)
        rows = [
            {'turns': turn, 'moves': move, 'position': 0.0}
            for turn, move in zip(turns, moves, strict=True)
        ]
        return {'wheels': record_rows(rows)}

    def _forget(self, data: mujoco.MjData) -> None:
        forget_wheels(self.state, data)

    @staticmethod
    @compiled
    def control_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Drives the wheels to give the base its velocity."""
        drive_wheels(state, model, data)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Advances the velocity by one step, and updates the odometry."""
        advance_wheels(state, model, data)
