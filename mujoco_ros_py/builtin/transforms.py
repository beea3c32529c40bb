"""mujoco_ros_py/Transforms: the poses of bodies on /tf and /tf_static."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

import mujoco
import numpy as np

from ..config import ranged
from ..config.wording import unknown
from ..errors import PluginError
from ..plugins import MujocoPlugin
from ..simulation import Snapshot
from .tf import Pose, TransformPublisher, body_name, refuse_second_parent, relative

_WORLD = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class TransformsConfig:
    """What it is configured by."""

    root: str = 'world'
    """The bodies below this one are published."""
    rate: float = ranged(50.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages on /tf per second of simulated time."""


class Transforms(MujocoPlugin[TransformsConfig]):
    """Publishes each body's pose in its parent: frames are named as the bodies.

    What cannot move in its parent goes to /tf_static once.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Parts the bodies into those that move and those that do not."""
        config = self.config
        bodies = _below(model, _body(model, config.root))
        fixed = [b for b in bodies if not model.body_jntnum[b] and model.body_mocapid[b] < 0]
        self._moving = [b for b in bodies if b not in fixed]
        self.tf_children = {self._frame(model, body) for body in bodies}
        refuse_second_parent(self)
        with ExitStack() as opened:  # closed again if the rest fails
            moving, still = self._frames(model, self._moving), self._frames(model, fixed)
            self._publisher = TransformPublisher(self.node, moving)
            opened.callback(self._publisher.close)
            static = TransformPublisher(self.node, still, static=True)
            opened.callback(static.close)
            static.publish(0.0, [(model.body_pos[b], model.body_quat[b]) for b in fixed])
            opened.callback(self.environment.follow(config.rate, self._publish).close)
            self._opened = opened.pop_all()

    def unload(self) -> None:
        """No more."""
        self._opened.close()

    def _publish(self, snapshot: Snapshot) -> None:
        """Beside the physics: the moving bodies of one moment."""
        snapshot.update()
        data, parents = snapshot.data, snapshot.model.body_parentid
        poses = [relative(_pose(data, parents[body]), _pose(data, body)) for body in self._moving]
        self._publisher.publish(snapshot.time, poses)

    def _frames(self, model: mujoco.MjModel, bodies: list[int]) -> list[tuple[str, str]]:
        """Parent and child of each transform."""
        parents = model.body_parentid
        return [(self._frame(model, parents[b]), self._frame(model, b)) for b in bodies]

    def _frame(self, model: mujoco.MjModel, body: int) -> str:
        return self.environment.frame(body_name(model, body))


def _pose(data: mujoco.MjData, body: int) -> Pose:
    return data.xpos[body], data.xquat[body]


def _body(model: mujoco.MjModel, name: str) -> int:
    names = [body_name(model, body) for body in range(model.nbody)]
    if name not in names:
        raise PluginError(f'root: {unknown("body", name, names)}')
    return names.index(name)


def _below(model: mujoco.MjModel, root: int) -> list[int]:
    """A parent has a smaller id than its children."""
    inside = np.zeros(model.nbody, bool)
    inside[root] = True
    for body in range(root + 1, model.nbody):
        inside[body] = inside[model.body_parentid[body]]
    return [int(body) for body in np.flatnonzero(inside) if body != root]
