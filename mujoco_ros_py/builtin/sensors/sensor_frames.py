"""TF frames of the objects that sensors are attached to: sites, bodies, geoms, cameras."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ...config import unknown
from ...errors import PluginError
from ...plugins import MujocoPlugin
from ...simulation import name_of, names_of
from ..transforms.tf_topics import Pose, TransformPublisher, body_name, frames_of_others

_OBJECTS = mujoco.mjtObj
_ENDINGS = {
    int(_OBJECTS.mjOBJ_BODY): '_inertial',
    int(_OBJECTS.mjOBJ_SITE): '_site',
    int(_OBJECTS.mjOBJ_GEOM): '_geom',
    int(_OBJECTS.mjOBJ_CAMERA): '_camera',
}
"""The suffix that an object's frame appends to the object's name, by object type."""
_FIELDS = {
    int(_OBJECTS.mjOBJ_BODY): 'body_i',
    int(_OBJECTS.mjOBJ_SITE): 'site_',
    int(_OBJECTS.mjOBJ_GEOM): 'geom_',
    int(_OBJECTS.mjOBJ_CAMERA): 'cam_',
}
"""The prefix of the model fields with an object's pose in its body, by object type."""


class SensorFrames:
    """Names the TF frames of objects, and publishes them relative to the frames of their bodies.

    A body's frame has the name of the body; the world's frame is `world`. A site's frame has the
    name of the site, or ``<site>_site`` if a body has the same name. The inertial frame of a body
    is ``<body>_inertial``; geoms and cameras have ``<geom>_geom`` and ``<camera>_camera``, with
    MuJoCo's axes. A frame that another plugin publishes is not published again.
    """

    def __init__(self, plugin: MujocoPlugin[Any], model: mujoco.MjModel) -> None:
        self._plugin, self._model = plugin, model
        self._frame = plugin.environment.body_frame
        self._bodies = {body_name(model, body) for body in range(model.nbody)}
        self._used: dict[str, tuple[int, int]] = {}
        self.publisher: TransformPublisher | None = None
        """The publisher of the frames; None until `open` is called."""
        self.poses: list[Pose] = []
        """The poses of the published frames, each relative to its parent."""
        self.parents: dict[str, str] = {}
        """Maps each published frame to its parent."""

    def of(self, kind: int, number: int) -> str:
        """Returns the frame of the object with this type and id.

        Returns the world frame for types without frames, and for the id -1.
        """
        if kind == int(_OBJECTS.mjOBJ_XBODY):
            return self._frame(body_name(self._model, number))
        if kind not in _ENDINGS or number < 0:
            return self._frame('world')
        frame = self._frame(self._name(kind, number))
        self._used[frame] = kind, number
        return frame

    def open(self) -> None:
        """Creates the publisher of the frames that `of` returned, except those of other plugins.

        Call it again, before `publish`, if `of` has named more frames since.
        """
        self.close()
        self.parents = self._parents()
        self.poses = [self._pose(*self._used[frame]) for frame in self.parents]
        pairs = [(parent, frame) for frame, parent in self.parents.items()]
        self.publisher = TransformPublisher(self._plugin.ros, pairs, static=True)

    def replace(self, before: SensorFrames) -> bool:
        """Replaces `before`, the frames in the previous model; returns whether the frames differ.

        If they differ, call `publish` next.
        """
        self.parents = self._parents()
        self.poses = [self._pose(*self._used[frame]) for frame in self.parents]
        if self.parents == before.parents and _same(self.poses, before.poses):
            self.publisher = before.publisher
            return False
        before.close()
        self.open()
        return True

    def publish(self) -> None:
        """Publishes the frames on /tf_static, if `open` was called."""
        if self.publisher is not None:
            self.publisher.publish(0.0, self.poses)

    def close(self) -> None:
        """Destroys the publisher, if any."""
        if self.publisher is not None:
            self.publisher.close()

    def _parents(self) -> dict[str, str]:
        """Returns the parent of each frame, skipping frames that another plugin publishes."""
        others = frames_of_others(self._plugin)
        bodies = {
            frame: _body_of(self._model, *at)
            for frame, at in self._used.items()
            if others.get(frame, self._plugin) is self._plugin
        }
        return {frame: self._frame(body_name(self._model, body)) for frame, body in bodies.items()}

    def _name(self, kind: int, number: int) -> str:
        name = name_of(self._model, _OBJECTS(kind), number)
        plain = kind == int(_OBJECTS.mjOBJ_SITE) and name not in self._bodies
        return name if plain else f'{name}{_ENDINGS[kind]}'

    def _pose(self, kind: int, number: int) -> Pose:
        """Returns the pose of an object relative to its body."""
        start = _FIELDS[kind]
        return (
            np.array(getattr(self._model, f'{start}pos')[number]),
            np.array(getattr(self._model, f'{start}quat')[number]),
        )


def _same(poses: list[Pose], others: list[Pose]) -> bool:
    return len(poses) == len(others) and all(
        np.array_equal(np.concatenate(pose), np.concatenate(other))
        for pose, other in zip(poses, others, strict=True)
    )


def _body_of(model: mujoco.MjModel, kind: int, number: int) -> int:
    """Returns the id of the body that an object belongs to."""
    if kind == int(_OBJECTS.mjOBJ_BODY):
        return number
    return int(getattr(model, f'{_FIELDS[kind]}bodyid')[number])


def find_site(plugin: MujocoPlugin[Any], model: mujoco.MjModel, name: str) -> int:
    """Returns the id of a site. Raises PluginError, with the known sites, if it is unknown."""
    sites = sites_of(plugin, model)
    if name not in sites:
        raise PluginError(f'site: {unknown("site", name, sites)}')
    return sites[name]


def sites_of(plugin: MujocoPlugin[Any], model: mujoco.MjModel) -> dict[str, int]:
    """Returns the ids of the robot's sites by name, without the robot's prefix."""
    return names_of(model, _OBJECTS.mjOBJ_SITE, plugin.environment.prefix)


def frame_of_site(frames: SensorFrames, site: int) -> str:
    """Returns the TF frame of a site, and registers it for publishing."""
    return frames.of(int(_OBJECTS.mjOBJ_SITE), site)
