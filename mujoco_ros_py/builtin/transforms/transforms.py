"""mujoco_ros_py/Transforms: publishes the poses of bodies on /tf and /tf_static."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...config import ranged, unknown
from ...errors import PluginError
from ...plugins import Adaptable, MujocoPlugin
from .subtrees import own_bodies, subtree
from .tf_topics import (
    Pose,
    TransformPublisher,
    body_name,
    frames_of_others,
    is_fixed,
    is_fixed_in_world,
    publish_moving,
    refuse_second_parent,
    relative,
    replace_moving,
)

_WORLD = 0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class TransformsConfig:
    """The configuration of the Transforms plugin."""

    root: str = 'world'
    """Publish the descendants of this body, each relative to its parent."""
    publish_root: bool = True
    """Publish the root itself too, relative to the world."""
    exclude: tuple[str, ...] = ()
    """Bodies to exclude because another node publishes them; bodies below them are still
    published."""
    rate: float = ranged(50.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages on /tf per second of simulated time."""


class Transforms(MujocoPlugin[TransformsConfig], Adaptable):
    """Publishes each body's pose in its parent; frames have the names of the bodies.

    Fixed transforms are published once, on /tf_static. A frame that another plugin publishes, such
    as the base of an Odometry, is skipped, regardless of which plugin loads first.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the bodies and their frames."""
        self._model = model
        self._left_out = set[str]()
        self._poses: list[Pose] = []
        self._publisher: Any = None
        self._parents, self.tf_elsewhere = self._find(model)
        others = frames_of_others(self)
        for frame, other in others.items():
            if not isinstance(other, Transforms):
                self._drop(frame)
        refuse_second_parent(self, self.tf_parents)
        self._open()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Switches to the bodies of the new model."""
        before = self._frames(self._still), self._poses
        self._model = model
        self._parents, self.tf_elsewhere = self._find(model)
        for frame in self._left_out:
            self._drop(frame)
        self._split()
        self._poses = [_pose_in(data, p, b) for b, p in self._still.items()]
        if not _same(before, (self._frames(self._still), self._poses)):
            self._static.replace(self._frames(self._still))
            self._static.publish(0.0, self._poses)
        self._publisher = replace_moving(self, self._publisher, *self._moving_frames())

    def _find(self, model: mujoco.MjModel) -> tuple[dict[int, int], set[str]]:
        """Returns the parent of each published body, and the frames left to other nodes."""
        prefix = self.environment.prefix
        root = _body(model, 'root', self.config.root, prefix)
        excluded = {_body(model, 'exclude', name, prefix) for name in self.config.exclude}
        own = own_bodies(model, prefix)
        parents = {
            body: int(model.body_parentid[body])
            for body in subtree(model, root)
            if body != root and body in own
        }
        if root != _WORLD and self.config.publish_root:
            parents[root] = _WORLD
        chosen = {b: p for b, p in sorted(parents.items()) if b not in excluded}
        return chosen, {self._frame(body) for body in {*excluded, root}}

    @property
    def tf_parents(self) -> dict[str, str]:
        """Maps each published frame to its parent."""
        return {self._frame(body): self._frame(p) for body, p in self._parents.items()}

    def leave_out(self, frame: str) -> None:
        """Stops publishing a frame; called by a later plugin that publishes the frame."""
        if frame in self.tf_parents:
            self._close()
            self._drop(frame)
            self._open()

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the fixed transforms."""
        self._poses = [_pose_in(data, p, b) for b, p in self._still.items()]
        self._static.publish(0.0, self._poses)

    def unload(self) -> None:
        """Destroys the publishers."""
        self._close()

    def _open(self) -> None:
        self._split()
        with ExitStack() as opened:  # closes the publisher if a later step fails
            self._static = TransformPublisher(self.ros, self._frames(self._still), static=True)
            opened.callback(self._static.close)
            self._publisher = publish_moving(self, *self._moving_frames())
            opened.pop_all()

    def _close(self) -> None:
        self._static.close()
        if self._publisher is not None:
            self._publisher.close()

    def _split(self) -> None:
        """Separates bodies fixed to their parents from moving bodies."""
        model = self._model
        fixed_in = {b: is_fixed_in_world if not p else is_fixed for b, p in self._parents.items()}
        self._still = {b: p for b, p in self._parents.items() if fixed_in[b](model, b)}
        self._moving = {b: p for b, p in self._parents.items() if b not in self._still}

    def _moving_frames(self) -> tuple[list[tuple[str, str]], list[tuple[int, int]], float]:
        """Returns the moving frames, their bodies, and the rate."""
        bodies = [(parent, body) for body, parent in self._moving.items()]
        return self._frames(self._moving), bodies, self.config.rate

    def _drop(self, frame: str) -> None:
        self._left_out.add(frame)
        _log.debug('%s skips %s, which another plugin publishes', self.name, frame)
        self._parents = {b: p for b, p in self._parents.items() if self._frame(b) != frame}

    def _frames(self, parents: dict[int, int]) -> list[tuple[str, str]]:
        """Returns the parent and child frame of each transform."""
        return [(self._frame(parent), self._frame(body)) for body, parent in parents.items()]

    def _frame(self, body: int) -> str:
        return self.environment.body_frame(body_name(self._model, body))


def _same(before: tuple[Any, list[Pose]], now: tuple[Any, list[Pose]]) -> bool:
    """Returns whether frames and poses are equal."""
    return before[0] == now[0] and np.array_equal(_numbers(before[1]), _numbers(now[1]))


def _numbers(poses: list[Pose]) -> list[Any]:
    return [np.concatenate(pose) for pose in poses]


def _pose_in(data: mujoco.MjData, parent: int, body: int) -> Pose:
    """Returns the pose of a body relative to another body."""
    return relative((data.xpos[parent], data.xquat[parent]), (data.xpos[body], data.xquat[body]))


def _body(model: mujoco.MjModel, key: str, name: str, prefix: str) -> int:
    names = [body_name(model, body) for body in range(model.nbody)]
    whole = name if name == names[_WORLD] else f'{prefix}{name}'
    if whole not in names:
        raise PluginError(f'{key}: {unknown("body", whole, names)}')
    return names.index(whole)
