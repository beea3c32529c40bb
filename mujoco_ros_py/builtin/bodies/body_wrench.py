"""mujoco_ros_py/BodyWrench: applies forces and torques from a topic to a body."""

from __future__ import annotations

import logging
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
from ...simulation import BODY, SITE, given_name
from .frame_table import PLACE, FrameTable
from .refusals import Refusals, refusal_fields
from .wrench_application import apply_wrench, end_wrench, take_wrench

_log = logging.getLogger(__name__)
_FAULTS = ('a force or a torque is not finite',)


@dataclass(frozen=True, kw_only=True, slots=True)
class BodyWrenchConfig:
    """The configuration of the BodyWrench plugin."""

    body: str
    """Body that the wrench acts on."""
    site: str = ''
    """Site of the body where the force acts; if empty, the body's centre of mass."""
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Offset of the point where the force acts, in m: from the site in the site's axes, or from
    the centre of mass in the body's axes."""
    topic: str = '~/wrench'
    """Topic of the wrenches (geometry_msgs/WrenchStamped)."""
    duration: float = ranged(0.0, minimum=0.0, unit='s')
    """How long a wrench acts, in simulated time; 0: until the next wrench."""
    in_eval_mode: bool = False
    """Subscribe in eval_mode too, although every publisher can then push the body."""


class BodyWrench(MujocoPlugin[BodyWrenchConfig], Adaptable, Savable, Stoppable, Commandable):
    """Adds the newest wrench of a topic to a body's external wrenches (`xfrc_applied`).

    The wrench is given in the axes of the message's frame, and rotates with that frame.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the body, and subscribes to the topic if ROS is available."""
        body, place = self._found(model)
        self._frames = FrameTable(self, model)
        self.state = new_state(
            frames=self._frames.memory,
            body=body,
            place=np.array([place], PLACE),
            offset=np.array(self.config.offset),
            duration=self.config.duration,
            force=np.zeros(3),
            torque=np.zeros(3),
            wrench=np.zeros(6),
            applied=np.zeros(6),
            arm=np.zeros(3),
            frame=np.zeros(1, PLACE),
            named=np.zeros(1, PLACE),
            acts=False,
            pushes=False,
            until=0.0,
            time=data.time,
            **refusal_fields(1 + len(_FAULTS)),
        )
        self._model, self._data = model, data
        self._refusals = Refusals(self, self._frames, _FAULTS)
        self._subscribe()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; ends the wrench if the new model lacks its frame."""
        state = self.state
        state.body, state.place[0] = self._found(model)
        frames, before = FrameTable(self, model), self._frames
        if not before.moved(state.frame[0], frames) and state.acts:
            state.acts = False
            _log.warning('%s: the wrench has ended: its frame no longer exists', self.name)
        state.frames = frames.memory.address
        self._model, self._data = model, data
        self._frames = self._refusals.frames = frames

    def restore(self, saved: Any) -> None:
        """Restores a saved wrench, and looks up its body and frames in the running model."""
        super().restore(saved)
        state = self.state
        state.body, state.place[0] = self._found(self._model)
        state.acts &= self._frames.moved(state.frame[0], self._frames)

    def take_command(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        /,
        *,
        force: Sequence[float] = (0.0, 0.0, 0.0),
        torque: Sequence[float] = (0.0, 0.0, 0.0),
        frame_id: str = '',
    ) -> None:
        """Sets the wrench from the values of a geometry_msgs/WrenchStamped, in N and N m."""
        self.set_wrench(force, torque, frame_id)

    def set_wrench(
        self, force: Sequence[float], torque: Sequence[float] = (0.0, 0.0, 0.0), frame: str = ''
    ) -> None:
        """Sets a wrench in N and N m, as a message would; call this on the physics thread.

        Raises ConfigError, and keeps the current wrench, if a message with these values would be
        refused.
        """
        name = np.frombuffer(frame.encode(), np.uint8)
        vectors = (SimpleNamespace(x=v[0], y=v[1], z=v[2]) for v in (force, torque))
        given = name, *vectors
        if reason := self._refusals.after(lambda: take_wrench(self.state, self._data, *given)):
            raise ConfigError(reason)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Discards the wrench; the reset has already cleared it from the body."""
        state = self.state
        state.acts, state.pushes, state.time = False, False, data.time
        state.applied[:] = 0.0

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Removes this plugin's wrench from the body, and keeps all other wrenches."""
        state = self.state
        name = f'{self.environment.prefix}{self.config.body}'
        state.acts, state.body = False, mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
        if state.body >= 0:  # otherwise the wrench is gone along with the body
            apply_wrench(state, data)

    def _found(self, model: mujoco.MjModel) -> tuple[int, tuple[int, int]]:
        """Returns the body's id, and the kind (body or site) and id of the offset's frame."""
        return _found(model, self.config, self.environment.prefix)

    def _subscribe(self) -> None:
        if self.environment.protected and not self.config.in_eval_mode:
            _log.info('%s: the topic is not subscribed to in eval_mode', self.name)
            return
        kind, topic = ros_type('geometry_msgs/msg/WrenchStamped'), self.config.topic
        taken = self.ros.create_compiled_subscription(
            kind, topic, self.take, COMMANDS, state=self.state
        )
        if self.ros:
            _log.info('%s: subscribed to wrenches on %s', self.name, taken.topic_name)

    @staticmethod
    @compiled
    def control_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Applies the wrench."""
        apply_wrench(state, data)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ends the wrench when its duration is over."""
        end_wrench(state, data, model.opt.timestep)

    @staticmethod
    @compiled
    def take(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Sets the wrench from a message."""
        wrench = message.wrench
        take_wrench(state, data, message.header.frame_id, wrench.force, wrench.torque)


def _found(
    model: mujoco.MjModel, config: BodyWrenchConfig, prefix: str
) -> tuple[int, tuple[int, int]]:
    """Returns the body's id, and the kind (body or site) and id of the offset's frame.

    Raises PluginError if the body or the site does not exist.
    """
    kind, name = mujoco.mjtObj.mjOBJ_BODY, f'{prefix}{config.body}'
    body = mujoco.mj_name2id(model, kind, name)
    if body < 1:
        known = [given_name(model, kind, each) for each in range(1, model.nbody)]
        raise PluginError(unknown('body', name, filter(None, known)))
    if not config.site:
        return body, (BODY, body)
    kind, name = mujoco.mjtObj.mjOBJ_SITE, f'{prefix}{config.site}'
    site = mujoco.mj_name2id(model, kind, name)
    if site < 0 or model.site_bodyid[site] != body:
        own = np.flatnonzero(model.site_bodyid == body).tolist()
        known = [given_name(model, kind, each) for each in own]
        raise PluginError(unknown(f'site of body {config.body}', name, filter(None, known)))
    return body, (SITE, site)
