"""Publishes the TF frames of cameras: body, <camera>_link, <camera>_optical_frame."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import mujoco
import numpy as np

from ...plugins import Environment, MujocoPlugin
from ...rendering import Frame, camera_name
from ..transforms.tf_topics import (
    Pose,
    TransformPublisher,
    body_name,
    from_axes,
    is_fixed_in_world,
)
from .moving_links import LINK, MovingLinks

_log = logging.getLogger(__name__)
_FIXED = int(mujoco.mjtCamLight.mjCAMLIGHT_FIXED)
_OPTICAL = np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]])
"""The axes of the optical frame (z ahead, x right, y down, REP-103) in the link."""


class CameraFrames:
    """The frames of cameras: links are static on bodies with a frame, others are in the world.

    In a protected run the links in the world are not published, as TF would tell where things are.
    A camera whose frames would have a second parent has none, which is logged.
    """

    def __init__(
        self,
        plugin: MujocoPlugin[Any],
        model: mujoco.MjModel,
        data: mujoco.MjData,
        cameras: Iterable[int],
    ) -> None:
        environment = plugin.environment
        self._model = model
        self._frame = environment.body_frame
        cameras = self._without_clashes(cameras, _taken(environment, model))
        known = {self._frame('world'), *_published(environment)}
        on_body = [c for c in cameras if self._is_fixed(c) and self._body(c) in known]
        in_world = [c for c in cameras if c not in on_body and self._stands_still(c)]
        world = self._frame('world')
        links = [(self._body(camera), self._link(camera)) for camera in on_body]
        links += [(world, self._link(camera)) for camera in in_world]
        opticals = [(self._link(camera), self._frame(self.optical(camera))) for camera in cameras]
        self._static = TransformPublisher(plugin.ros, links + opticals, static=True)
        self._poses = [self._on_body(camera) for camera in on_body]
        self._poses += [_in_world(data, camera) for camera in in_world]
        self._poses += [(np.zeros(3), from_axes(_OPTICAL))] * len(opticals)
        moving = {
            camera: self._link(camera)
            for camera in cameras
            if camera not in (*on_body, *in_world) and not environment.protected
        }
        self._moving = MovingLinks(plugin, world, moving)
        self.parents = {child: parent for parent, child in links + opticals}
        """The published frames, each with its parent."""
        self.parents |= dict.fromkeys(moving.values(), world)

    def adapt(self, model: mujoco.MjModel, ids: Mapping[str, int]) -> None:
        """Goes on with the cameras of another model, by their names there; others are gone."""
        names = {camera: camera_name(self._model, camera) for camera in self._moving.cameras}
        self._model = model
        self._moving.adapt({old: ids[name] for old, name in names.items() if name in ids})

    def optical(self, camera: int) -> str:
        """Returns the name of the frame of a camera's images."""
        return f'{camera_name(self._model, camera)}_optical_frame'

    def publish_static(self) -> None:
        """Publishes all transforms that do not change, in one message."""
        self._static.publish(0.0, self._poses)

    def publish(self, camera: int, frame: Frame) -> None:
        """Publishes the pose of a camera that moves in the world, with the time of its image."""
        if frame.data.model is self._model:  # else it has just been replaced
            self._moving.publish(camera, frame.ros_time, _in_world(frame.data, camera))

    def close(self) -> None:
        """Destroys the publishers of the frames."""
        self._static.close()
        self._moving.close()

    def _is_fixed(self, camera: int) -> bool:
        return bool(self._model.cam_mode[camera] == _FIXED)

    def _stands_still(self, camera: int) -> bool:
        body = int(self._model.cam_bodyid[camera])
        return self._is_fixed(camera) and is_fixed_in_world(self._model, body)

    def _without_clashes(self, cameras: Iterable[int], taken: dict[str, str]) -> list[int]:
        """Returns the cameras whose frames are free, and logs why the others have no frames."""
        free = []
        for camera in cameras:
            clashes = [frame for frame in self._own(camera) if frame in taken]
            if not clashes:
                free.append(camera)
                continue
            name, frame = camera_name(self._model, camera), clashes[0]
            _log.error(
                'camera %r has no frames on TF: a frame can have one parent, and %s is %s; give '
                'the camera another name', name, frame, taken[frame],
            )  # fmt: skip
        return free

    def _own(self, camera: int) -> tuple[str, str]:
        """Returns the frames of one camera: link and optical frame."""
        return self._link(camera), self._frame(self.optical(camera))

    def _on_body(self, camera: int) -> Pose:
        """Returns the pose of a fixed camera's link in its body."""
        axes = np.empty(9)
        mujoco.mju_quat2Mat(axes, self._model.cam_quat[camera])
        return self._model.cam_pos[camera], from_axes(axes.reshape(3, 3) @ LINK)

    def _body(self, camera: int) -> str:
        return self._frame(body_name(self._model, int(self._model.cam_bodyid[camera])))

    def _link(self, camera: int) -> str:
        return self._frame(f'{camera_name(self._model, camera)}_link')


def _in_world(data: mujoco.MjData, camera: int) -> Pose:
    """Returns the pose of a camera's link in the world."""
    axes = data.cam_xmat[camera].reshape(3, 3) @ LINK
    return data.cam_xpos[camera].copy(), from_axes(axes)


def _published(environment: Environment) -> set[str]:
    """Returns the frames that plugins publish or leave to other nodes."""
    frames = set()
    for plugin in environment.plugins.values():
        frames |= {*getattr(plugin, 'tf_parents', ()), *getattr(plugin, 'tf_elsewhere', ())}
    return frames


def _taken(environment: Environment, model: mujoco.MjModel) -> dict[str, str]:
    """Returns the frames of bodies and those published by plugins, with their owners in words."""
    names = (body_name(model, body) for body in range(model.nbody))
    bodies = {environment.body_frame(name): f'that of body {name!r}' for name in names}
    published = {
        frame: f'published by plugin {plugin.name!r}'
        for plugin in environment.plugins.values()
        for frame in getattr(plugin, 'tf_parents', ())
    }
    return published | bodies
