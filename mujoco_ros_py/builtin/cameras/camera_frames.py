"""Publishes the TF frames of cameras: <camera>_link, and <camera>_optical_frame as its child."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ...plugins import Environment, MujocoPlugin, State, compiled, new_state
from ...plugins.compiled_code import Memory, numbers_at, set_stamp
from ...plugins.topic_qos import TRANSFORMS
from ...simulation.rendering import Frame, camera_name
from ..transforms.compiled_poses import set_point, set_rotation
from ..transforms.tf_topics import (
    Pose,
    TFMessage,
    TransformPublisher,
    body_name,
    from_axes,
    is_fixed_in_world,
    message_of,
)

_log = logging.getLogger(__name__)
_FIXED = int(mujoco.mjtCamLight.mjCAMLIGHT_FIXED)
_LINK = np.array([[0.0, -1, 0], [0, 0, 1], [-1, 0, 0]])
"""The axes of the link (x ahead, y left, z up, REP-103) in MuJoCo's camera frame (-z ahead, y
up)."""
_RATE_HZ = 50.0
"""The rate in simulated time at which moving links are published, even without image
subscribers."""
_OPTICAL = np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]])
"""The axes of the optical frame (z ahead, x right, y down, REP-103) in the link frame."""


class CameraFrames:
    """Publishes the link frame and the optical frame of each camera.

    If a camera is fixed to a body whose frame is published, its link is static in this frame. All
    other links are in the world frame. In eval_mode, moving links in the world are not published,
    because TF would reveal ground truth. A camera whose frames already have a parent gets no
    frames; this is logged.
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
        self._moving = _MovingLinks(plugin, world, moving)
        self.parents = {child: parent for parent, child in links + opticals}
        """Maps each published frame to its parent."""
        self.parents |= dict.fromkeys(moving.values(), world)

    def adapt(self, model: mujoco.MjModel, ids: Mapping[str, int]) -> None:
        """Switches to the new model; drops the moving links of cameras that are not in `ids`.

        `ids` maps the names of the new model's cameras to their ids.
        """
        names = {camera: camera_name(self._model, camera) for camera in self._moving.cameras}
        self._model = model
        self._moving.adapt({old: ids[name] for old, name in names.items() if name in ids})

    def optical(self, camera: int) -> str:
        """Returns the name of a camera's optical frame."""
        return f'{camera_name(self._model, camera)}_optical_frame'

    def publish_static(self) -> None:
        """Publishes all static transforms in one message."""
        self._static.publish(0.0, self._poses)

    def publish(self, camera: int, frame: Frame) -> None:
        """Publishes the pose of a moving camera, stamped with the time of its image."""
        if frame.data.model is self._model:  # otherwise the model has just been replaced
            self._moving.publish(camera, frame.ros_time, _in_world(frame.data, camera))

    def close(self) -> None:
        """Destroys the publishers."""
        self._static.close()
        self._moving.close()

    def _is_fixed(self, camera: int) -> bool:
        return bool(self._model.cam_mode[camera] == _FIXED)

    def _stands_still(self, camera: int) -> bool:
        body = int(self._model.cam_bodyid[camera])
        return self._is_fixed(camera) and is_fixed_in_world(self._model, body)

    def _without_clashes(self, cameras: Iterable[int], taken: dict[str, str]) -> list[int]:
        """Returns the cameras whose frames are not taken, and logs the others.

        `taken` describes the owner of each taken frame.
        """
        free = []
        for camera in cameras:
            clashes = [frame for frame in self._own(camera) if frame in taken]
            if not clashes:
                free.append(camera)
                continue
            name, frame = camera_name(self._model, camera), clashes[0]
            _log.error(
                'camera %r has no TF frames because a frame can have only one parent, and %s is '
                'already %s; rename the camera', name, frame, taken[frame],
            )  # fmt: skip
        return free

    def _own(self, camera: int) -> tuple[str, str]:
        """Returns a camera's link frame and optical frame."""
        return self._link(camera), self._frame(self.optical(camera))

    def _on_body(self, camera: int) -> Pose:
        """Returns the pose of a fixed camera's link relative to its body."""
        axes = np.empty(9)
        mujoco.mju_quat2Mat(axes, self._model.cam_quat[camera])
        return self._model.cam_pos[camera], from_axes(axes.reshape(3, 3) @ _LINK)

    def _body(self, camera: int) -> str:
        return self._frame(body_name(self._model, int(self._model.cam_bodyid[camera])))

    def _link(self, camera: int) -> str:
        return self._frame(f'{camera_name(self._model, camera)}_link')


def _in_world(data: mujoco.MjData, camera: int) -> Pose:
    """Returns the pose of a camera's link in the world."""
    axes = data.cam_xmat[camera].reshape(3, 3) @ _LINK
    return data.cam_xpos[camera].copy(), from_axes(axes)


def _published(environment: Environment) -> set[str]:
    """Returns the frames that plugins publish, or know to be published by other nodes."""
    frames = set()
    for plugin in environment.plugins.values():
        frames |= {*getattr(plugin, 'tf_parents', ()), *getattr(plugin, 'tf_elsewhere', ())}
    return frames


def _taken(environment: Environment, model: mujoco.MjModel) -> dict[str, str]:
    """Returns the frames of bodies and of plugins, each with a description of its owner."""
    names = (body_name(model, body) for body in range(model.nbody))
    bodies = {environment.body_frame(name): f'the frame of body {name!r}' for name in names}
    published = {
        frame: f'published by plugin {plugin.name!r}'
        for plugin in environment.plugins.values()
        for frame in getattr(plugin, 'tf_parents', ())
    }
    return published | bodies


class _MovingLinks:
    """Publishes the moving links of cameras, at a fixed rate in compiled code and with each image.

    `frames` maps each camera's id to its link frame, whose parent is the frame `world`.
    """

    def __init__(self, plugin: MujocoPlugin[Any], world: str, frames: Mapping[int, str]) -> None:
        self._world, self._frames = world, dict(frames)
        self._with_images = {
            camera: TransformPublisher(plugin.ros, [(world, frame)])
            for camera, frame in frames.items()
        }
        self._regular: Any = None
        if frames:
            self._regular = plugin.ros.create_compiled_publisher(
                TFMessage,
                '/tf',
                _fill_links,
                qos=TRANSFORMS,
                rate_hz=_RATE_HZ,
                derived='poses',
                copy_state=False,
                **self._filled(),
            )

    @property
    def cameras(self) -> Sequence[int]:
        """The cameras whose links are published."""
        return tuple(self._frames)

    def adapt(self, cameras: Mapping[int, int]) -> None:
        """Switches to a new model; `cameras` maps old ids to new ids. Drops all other cameras."""
        frames, publishers = self._frames, self._with_images
        self._frames = {new: frames[old] for old, new in cameras.items()}
        self._with_images = {new: publishers[old] for old, new in cameras.items()}
        for camera, publisher in publishers.items():
            if camera not in cameras:
                publisher.close()
        if self._regular is None:
            return
        if self._frames:
            self._regular.replace(**self._filled())
        else:
            self._regular.close()
            self._regular = None

    def publish(self, camera: int, time_s: float, pose: Pose) -> None:
        """Publishes the pose of a link at the time of an image; does nothing for static links."""
        if (publisher := self._with_images.get(camera)) is not None:
            publisher.publish(time_s, [pose])

    def close(self) -> None:
        """Destroys the publishers."""
        if self._regular is not None:
            self._regular.close()
        for publisher in self._with_images.values():
            publisher.close()

    def _filled(self) -> dict[str, Any]:
        """Returns the message template, and the state for the fill function."""
        cameras, link = Memory(list(self._frames)), Memory(from_axes(_LINK))
        return {
            'template': message_of((self._world, frame) for frame in self._frames.values()),
            'state': new_state(count=len(self._frames), cameras=cameras, link=link),
        }


@compiled
def _fill_links(
    state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
) -> None:
    """Writes the pose of each link in the world."""
    link, camera_in_world = np.empty(4), np.empty(4)
    cameras, link_in_camera = numbers_at(state.cameras, state.count), numbers_at(state.link, 4)
    for k in range(state.count):
        camera = int(cameras[k])
        mujoco.mju_mat2Quat(camera_in_world, data.cam_xmat[camera])
        mujoco.mju_mulQuat(link, camera_in_world, link_in_camera)
        stamped = message.transforms[k]
        set_stamp(stamped.header.stamp, ros_time)
        set_point(stamped.transform.translation, data.cam_xpos[camera])
        set_rotation(stamped.transform.rotation, link)
