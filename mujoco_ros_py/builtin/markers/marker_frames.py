"""The frames of markers, and the frames that the plugin publishes for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import mujoco
import numpy as np

from ...plugins import MujocoPlugin
from ..transforms.tf_topics import (
    Pose,
    body_name,
    frames_of_others,
    is_fixed,
    replace_moving,
)

_WORLD = 0
_HERE: Pose = (np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))


class Carriers:
    """The carrier of each body, in whose frame the body's markers are published.

    A body that can move relative to its parent is its own carrier. A body that is fixed to its
    parent has the parent's carrier. The carrier of an immovable body is the world.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self.bodies = [_WORLD] * model.nbody
        """The id of each body's carrier."""
        self._poses: list[Pose] = [_HERE] * model.nbody
        for body in range(1, model.nbody):
            if is_fixed(model, body):
                parent = int(model.body_parentid[body])
                self.bodies[body] = self.bodies[parent]
                place = model.body_pos[body], model.body_quat[body]
                self._poses[body] = _composed(self._poses[parent], place)
            else:
                self.bodies[body] = body

    def pose(self, body: int, position: Any, quat: Any) -> Pose:
        """Converts a pose in a body's frame to the frame of its carrier."""
        return _composed(self._poses[body], (position, quat))


class MarkerFrames:
    """Publishes the carriers' frames on /tf, unless another plugin publishes them.

    The frame names start with the plugin's name, because other nodes may publish frames with the
    names of bodies.
    """

    def __init__(self, plugin: MujocoPlugin[Any], rate_hz: float) -> None:
        self._plugin, self._rate_hz = plugin, rate_hz
        self._publisher: Any = None

    def find(self, model: mujoco.MjModel, carriers: Iterable[int]) -> dict[int, str]:
        """Returns the frame of each carrier, and publishes the missing frames."""
        plugin = self._plugin
        environment, others = plugin.environment, frames_of_others(plugin)
        frames, needed = {_WORLD: environment.frame('world')}, {}
        for body in sorted(set(carriers) - {_WORLD}):
            name = body_name(model, body)
            frames[body] = environment.body_frame(name)
            if frames[body] not in others:
                frames[body] = needed[body] = environment.body_frame(f'{plugin.name}/{name}')
        told = [(frames[_WORLD], frame) for frame in needed.values()]
        bodies = [(_WORLD, body) for body in needed]
        self._publisher = replace_moving(plugin, self._publisher, told, bodies, self._rate_hz)
        return frames

    def close(self) -> None:
        """Stops publishing frames."""
        if self._publisher is not None:
            self._publisher.close()
            self._publisher = None


def _composed(outer: Pose, inner: Pose) -> Pose:
    """Converts the pose `inner` from a frame with the pose `outer` to that frame's parent."""
    position, quat = np.empty(3), np.empty(4)
    mujoco.mju_mulPose(position, quat, *outer, *inner)
    return position, quat
