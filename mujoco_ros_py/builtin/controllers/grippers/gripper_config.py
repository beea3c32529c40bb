"""The configuration that all grippers have: their action, and the conditions that end a goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ....config import ranged

ActionType = Literal['ParallelGripperCommand', 'GripperCommand']
"""The actions of control_msgs by which grippers are moved."""


@dataclass(frozen=True, kw_only=True)
class GripperConfig:
    """The configuration of a gripper's action."""

    action_type: ActionType = 'ParallelGripperCommand'
    """The type of the action `~/gripper_cmd`, of control_msgs; GripperCommand is the older one."""
    action_monitor_rate: float = ranged(20.0, minimum=0.1, unit='Hz')
    """How often feedback is published and the end of a goal is told, in simulated time."""
    goal_tolerance: float = ranged(0.01, minimum=0.0, unit='rad or m', live=True)
    """The distance from the goal below which the gripper has reached it."""
    allow_stalling: bool = ranged(False, live=True)
    """Whether a goal succeeds if the gripper stalls, at an object for example."""
    stall_velocity_threshold: float = ranged(0.001, minimum=0.0, unit='rad/s or m/s', live=True)
    """The velocity up to which the gripper counts as standing still."""
    stall_timeout: float = ranged(1.0, minimum=0.0, unit='s', live=True)
    """How long the gripper must stand still until it has stalled, in simulated time."""
    max_velocity: float = ranged(0.0, minimum=0.0, unit='rad/s or m/s')
    """The largest velocity if a goal names none; 0: the limits of the drive alone."""
    max_effort: float = ranged(0.0, minimum=0.0, unit='N m or N')
    """The largest effort if a goal names none; 0: the limits of the drive alone."""
    max_velocity_interface: str = ''
    """Taken so that files of ros2_controllers fit, and not used: the velocity of every gripper
    can be limited."""
    max_effort_interface: str = ''
    """Taken so that files of ros2_controllers fit, and not used: the effort of every gripper can
    be limited."""

    @property
    def judgement(self) -> dict[str, Any]:
        """The fields of the record by which compiled code judges a goal."""
        return {
            'goal_tolerance': self.goal_tolerance,
            'allow_stalling': self.allow_stalling,
            'stall_velocity': self.stall_velocity_threshold,
            'stall_timeout': self.stall_timeout,
        }
