"""The base of controllers whose robots have wheels."""

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
    """Drives a base by its wheels; a subclass returns the kinematics of the wheels in `turns`."""

    @abstractmethod
    def turns(self) -> Matrix:
        """Returns the matrix from the velocity of the base to those of the wheels.

        `wheel_kinematics` has functions for the usual kinds of wheels.
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
        """Drives the wheels by the velocity of the base."""
        drive_wheels(state, model, data)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Advances the velocity by a step, and computes the odometry."""
        advance_wheels(state, model, data)
