"""mujoco_ros_py/MocapPose: moves a mocap body to poses from a topic."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np

from ...config import ranged, unknown
from ...errors import ConfigError, PluginError
from ...plugins import (
    Adaptable,
    Commandable,
    MujocoPlugin,
    Savable,
    State,
    Stoppable,
    compiled,
    new_state,
    ros_type,
)
from ...plugins.topic_qos import COMMANDS
from ...simulation import given_name
from .frame_table import PLACE, FrameTable
from .mocap_motion import advance_pose, take_pose
from .refusals import Refusals, refusal_fields

_log = logging.getLogger(__name__)
_BODY = mujoco.mjtObj.mjOBJ_BODY
_FAULTS = (
    'a position or an orientation is not finite',
    'an orientation is zero, which is not a rotation',
)


@dataclass(frozen=True, kw_only=True, slots=True)
class MocapPoseConfig:
    """The configuration of the MocapPose plugin."""

    body: str
    """Name of the mocap body."""
    topic: str = '~/pose'
    """Topic of the poses (geometry_msgs/PoseStamped)."""
    max_linear_velocity: float = ranged(math.inf, above=0.0, special=math.inf, unit='m/s')
    """Largest velocity of the body on its way to a new position."""
    max_angular_velocity: float = ranged(math.inf, above=0.0, special=math.inf, unit='rad/s')
    """Largest angular velocity of the body on its way to a new orientation."""
    in_eval_mode: bool = False
    """Subscribe in eval_mode too, although every publisher can then move the body."""


class MocapPose(MujocoPlugin[MocapPoseConfig], Adaptable, Savable, Stoppable, Commandable):
    """Moves a mocap body to the newest pose of a topic, within velocity limits.

    A pose is relative to its message's frame at the moment when the message arrives.
    """

    places = ('mocap',)

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the body, and subscribes to the topic if ROS is available."""
        config, frames = self.config, FrameTable(self, model)
        mocap = _mocap_of(model, self.body)
        self._check_free()
        self.state = new_state(
            frames=frames.memory,
            mocap=mocap,
            named=np.zeros(1, PLACE),
            max_linear_velocity=config.max_linear_velocity,
            max_angular_velocity=config.max_angular_velocity,
            target_position=np.zeros(3),
            target_quat=np.zeros(4),
            moves=False,
            stopped=False,
            time=data.time,
            **refusal_fields(1 + len(_FAULTS)),
        )
        self._model, self._data, self._frames = model, data, frames
        self._refusals = Refusals(self, frames, _FAULTS)
        self._subscribe()

    @property
    def body(self) -> str:
        """The name of the body in the model."""
        return f'{self.environment.prefix}{self.config.body}'

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; keeps the target."""
        state = self.state
        state.mocap, frames = _mocap_of(model, self.body), FrameTable(self, model)
        state.frames = frames.memory.address
        self._model, self._data = model, data
        self._frames = self._refusals.frames = frames

    def take_command(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        /,
        *,
        position: Sequence[float],
        orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
        frame_id: str = '',
    ) -> None:
        """Sets the pose from a geometry_msgs/PoseStamped: x y z in m, quaternion w x y z."""
        self.set_pose(position, orientation, frame_id)

    def set_pose(
        self, position: Sequence[float], quat: Sequence[float] = (1, 0, 0, 0), frame: str = ''
    ) -> None:
        """Sets a pose as a message would: a position in m, and a quaternion with w first.

        Call this on the physics thread. Raises ConfigError, and keeps the current target, if a
        message with these values would be refused.
        """
        name = np.frombuffer(frame.encode(), np.uint8)
        place = SimpleNamespace(**dict(zip('xyz', map(float, position), strict=True)))
        turn = SimpleNamespace(**dict(zip('wxyz', map(float, quat), strict=True)))
        given = self.state, self._model, self._data, name, place, turn
        if reason := self._refusals.after(lambda: take_pose(*given)):
            raise ConfigError(reason)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Discards the target; the reset has already moved the body to its pose in the model."""
        state = self.state
        state.moves, state.time = False, data.time

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Stops the body where it is, and drops poses until the stop ends."""
        state = self.state
        if stopped != state.stopped:
            state.moves, state.stopped = False, stopped

    def _check_free(self) -> None:
        for owner in self.environment.plugins.values():
            if isinstance(owner, MocapPose) and owner.body == self.body:
                raise PluginError(f'body {self.config.body} already belongs to {owner.name}')

    def _subscribe(self) -> None:
        if self.environment.protected and not self.config.in_eval_mode:
            _log.info('%s: the topic is not subscribed to in eval_mode', self.name)
            return
        kind, topic = ros_type('geometry_msgs/msg/PoseStamped'), self.config.topic
        taken = self.ros.create_compiled_subscription(
            kind, topic, self.take, COMMANDS, state=self.state
        )
        if self.ros:
            _log.info('%s: subscribed to poses on %s', self.name, taken.topic_name)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Moves the body one step towards its target."""
        advance_pose(state, data, model.opt.timestep)

    @staticmethod
    @compiled
    def take(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Sets the target from a message."""
        pose = message.pose
        take_pose(state, model, data, message.header.frame_id, pose.position, pose.orientation)


def _mocap_of(model: mujoco.MjModel, name: str) -> int:
    """Returns the mocap id of a body. Raises PluginError if no mocap body has this name."""
    body = mujoco.mj_name2id(model, _BODY, name)
    if body >= 0 and model.body_mocapid[body] >= 0:
        return int(model.body_mocapid[body])
    known = np.flatnonzero(model.body_mocapid >= 0).tolist()
    names = filter(None, (given_name(model, _BODY, each) for each in known))
    raise PluginError(unknown('mocap body', name, names))
