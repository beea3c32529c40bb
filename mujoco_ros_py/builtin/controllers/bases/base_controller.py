"""The base class of controllers that follow velocity commands for a robot's base."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import mujoco
import numpy as np

from ....errors import ConfigError
from ....plugins import State, compiled
from ..drive.command_report import CommandReport, Count, clamping
from ..drive.drive_record import record_rows
from ..drive.joint_drive import JointDrive
from ..drive.joint_plugin import JointPlugin
from .base_config import AxisLimits, BaseConfig
from .base_topics import open_topics
from .planar_odometry import fill_odometry, fill_transform
from .twist_commands import halt_twist, take_message, take_twist

Config = TypeVar('Config', bound=BaseConfig)
NO_LIMITS = AxisLimits()
AXES = ('linear.x', 'linear.y', 'angular.z')


@dataclass(frozen=True, kw_only=True, slots=True)
class BaseOdometry:
    """The pose of a base in the odometry frame, and its velocity in the base frame.

    Lengths are in m, angles in rad, times in s.
    """

    x: float
    y: float
    yaw: float
    linear_x: float
    linear_y: float
    angular_z: float


class BaseController(JointPlugin[Config]):
    """Receives velocity commands for a base, limits them, and publishes the odometry.

    A subclass provides the joints, the limits of each axis, and the callbacks that convert the
    base velocity to joint velocities.
    """

    odometry_topics: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """Maps the odometry topic to the odometry frame and the base frame.

    No other plugin can publish on this topic.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Claims the joints, and opens the topics."""
        self._check(model, data)
        self.drive = JointDrive(self, model, data, self._joints(), 'velocity')
        self.state = self.drive.new_state(**self._common_fields(), **self._fields())
        self._forget(data)
        CommandReport(self, BaseCounts(self.state))
        open_topics(self)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; keeps the velocity and the odometry."""
        self._check(model, data)
        self.drive.adapt(model, data)

    @abstractmethod
    def _check(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Raises PluginError if the model does not fit the configuration."""

    @abstractmethod
    def _joints(self) -> Sequence[str]:
        """Returns the joint names, in the order of the joint numbers in compiled code."""

    @abstractmethod
    def _axes(self) -> Sequence[AxisLimits | None]:
        """Returns the limits along x, along y and about z; None where the base cannot move."""

    @abstractmethod
    def _fields(self) -> dict[str, Any]:
        """Returns the record fields that only this kind of base needs."""

    @abstractmethod
    def _forget(self, data: mujoco.MjData) -> None:
        """Discards all commands, and restarts the odometry at the current pose of the base."""

    @property
    def tf_parents(self) -> dict[str, str]:
        """The frame that the plugin publishes on /tf, mapped to its parent; empty if disabled."""
        if not (self.ros and self.config.enable_odom_tf):
            return {}
        odom, base = self.frames
        return {base: odom}

    @property
    def frames(self) -> tuple[str, str]:
        """The odometry frame and the base frame, with the server's prefix."""
        name = self.environment.frame
        return name(self.config.odom_frame_id), name(self.config.base_frame_id)

    @property
    def odometry(self) -> BaseOdometry:
        """The odometry after the last step; read it on the physics thread."""
        x, y, yaw = map(float, self.state.pose)
        linear_x, linear_y, angular_z = map(float, self.state.twist)
        return BaseOdometry(
            x=x, y=y, yaw=yaw, linear_x=linear_x, linear_y=linear_y, angular_z=angular_z
        )

    def take_command(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        /,
        *,
        linear_x: float = 0.0,
        linear_y: float = 0.0,
        angular_z: float = 0.0,
    ) -> None:
        """Sets the velocity command from a geometry_msgs/Twist, in m/s and rad/s."""
        self.set_twist(linear_x=linear_x, linear_y=linear_y, angular_z=angular_z)

    def set_twist(
        self, *, linear_x: float = 0.0, linear_y: float = 0.0, angular_z: float = 0.0
    ) -> None:
        """Sets the velocity command in m/s and rad/s; call this on the physics thread.

        Works like a message without a stamp: `cmd_vel_timeout` counts from now. Raises ConfigError
        if a number is not finite.
        """
        if not all(map(math.isfinite, (linear_x, linear_y, angular_z))):
            raise ConfigError(
                f'a velocity must have finite numbers, got {linear_x}, {linear_y}, {angular_z}'
            )
        take_twist(self.state, self.drive.data, linear_x, linear_y, angular_z, 0.0)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Discards all commands, and restarts the odometry at the current pose."""
        super().reset(model, data)
        self._forget(data)

    def configure(self, config: Config) -> None:
        """Applies the live values, such as gains and `cmd_vel_timeout`."""
        super().configure(config)
        self.state.timeout = config.cmd_vel_timeout

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Discards the velocity command; during a stop, the joints hold their positions."""
        if stopped != self.state.stopped:
            halt_twist(self.state)
        super().emergency_stop(model, data, stopped)

    def _common_fields(self) -> dict[str, Any]:
        """Returns the record fields that all kinds of bases need."""
        config = self.config
        return {
            'axes': record_rows([_axis(limits) for limits in self._axes()]),
            'pose': np.zeros(3),
            'twist': np.zeros(3),
            'commanded': False,
            'late': False,
            'timeout': config.cmd_vel_timeout,
            'command_time': 0.0,
            'base_time': 0.0,
            'open_loop': config.open_loop,
            'position_feedback': config.position_feedback,
            **dict.fromkeys(('refusals', 'stales', 'aheads', 'lates'), 0),
            **dict.fromkeys(('stale_age', 'ahead_by'), 0.0),
        }

    @staticmethod
    @compiled
    def take_velocity(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any
    ) -> None:
        """Sets the velocity command from a geometry_msgs/Twist."""
        take_message(state, data, message, 0.0)

    @staticmethod
    @compiled
    def take_stamped_velocity(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
    ) -> None:
        """Sets the velocity command from a geometry_msgs/TwistStamped."""
        stamp = message.header.stamp
        stamp_s = stamp.sec + stamp.nanosec * 1e-9
        take_message(state, data, message.twist, ros_time - stamp_s if stamp_s != 0.0 else 0.0)

    @staticmethod
    @compiled
    def fill_odom(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the pose and twist of the base into a nav_msgs/Odometry."""
        fill_odometry(state, message)

    @staticmethod
    @compiled
    def fill_tf(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
    ) -> None:
        """Writes the pose of the base into a tf2_msgs/TFMessage."""
        fill_transform(state, ros_time, message)


def _axis(limits: AxisLimits | None) -> dict[str, Any]:
    """Returns the record row of an axis; `limits` is None if the base cannot move along it."""
    row = (limits or NO_LIMITS).row
    changing = ('command', 'velocity', 'acceleration', 'next_velocity', 'next_acceleration')
    return {
        'moves': 0.0 if limits is None else 1.0,
        'has_jerk': math.isfinite(row['max_jerk']) or math.isfinite(row['min_jerk']),
        **row,
        **dict.fromkeys(changing, 0.0),
        'clamped': math.nan,
        'clamps': 0,
    }


class BaseCounts:
    """Reads the counters of refused, late and clamped velocities from a base's record."""

    def __init__(self, state: State) -> None:
        self._state = state

    def __call__(self) -> Iterator[Count]:
        """Yields all counters with their current values; any thread can call this."""
        state = self._state
        told = (
            ('not finite', state.refusals, self._refused),
            ('stale', state.stales, self._stale),
            ('ahead', state.aheads, self._ahead),
            ('late', state.lates, self._late),
        )
        for reason, number, sentence in told:
            yield Count(reason=reason, place=0, number=int(number), sentence=sentence)
        for k, axis in enumerate(AXES):
            number, sentence = int(state.axes[k]['clamps']), partial(self._clamped, k, axis)
            yield Count(reason='clamped', place=k, number=number, sentence=sentence)

    def _refused(self) -> str:
        return 'a message was refused: a velocity must have finite numbers'

    def _stale(self) -> str:
        age, timeout = float(self._state.stale_age), float(self._state.timeout)
        return (
            f'a velocity was refused: its stamp is {age:g} s old, and cmd_vel_timeout is'
            f' {timeout:g} s'
        )

    def _ahead(self) -> str:
        return (
            f'the stamp of a velocity is {float(self._state.ahead_by):g} s ahead of the clock;'
            ' the current time was used instead. The sender may lack use_sim_time'
        )

    def _late(self) -> str:
        return f'no velocity received for {float(self._state.timeout):g} s: the base brakes'

    def _clamped(self, k: int, axis: str) -> str:
        row = self._state.axes[k]
        return clamping(f'{axis} of a velocity', row['clamped'], row['min_velocity'],
                        row['max_velocity'])  # fmt: skip
