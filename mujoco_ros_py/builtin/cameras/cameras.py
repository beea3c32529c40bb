"""mujoco_ros_py/Cameras: publishes the images of the model's cameras."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field

import mujoco
from rclpy.exceptions import NameValidationException

from ...config import CameraConfig
from ...config.wording import unknown
from ...errors import PluginError, RenderingError
from ...plugins import MujocoPlugin
from ...rendering import View, camera_name
from .camera_frames import CameraFrames
from .camera_topics import CameraTopics, topics_of

_FRAMES_HZ = 50.0
"""The rate in Hz at which moving cameras are published on /tf."""
_LEFT_OUT = (RenderingError, PluginError, NameValidationException, MemoryError)
"""The errors that keep one camera from being published."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CamerasConfig:
    """The configuration of the Cameras plugin."""

    cameras: Mapping[str, CameraConfig] = field(default_factory=dict)
    """The settings of cameras by name; the other cameras have the defaults."""


class Cameras(MujocoPlugin[CamerasConfig]):
    """Publishes the images of every camera of the model while somebody subscribes.

    The server loads this plugin by itself, with the parameters `cam_config.*`, if the model has
    cameras. A camera that cannot be published is left out, which is logged. In a group of plugins
    the cameras are those of the robot; a camera that another group publishes is left to that.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Opens a view for each camera."""
        names = self._own_names(model)
        self._tell_unknown(names.values())
        self.topics: dict[str, CameraTopics] = {}
        """The topics of each published camera, by its whole name."""
        cameras = self._without_those_of_other_groups(model, names)
        with ExitStack() as opened:  # closed again if the rest fails
            self._frames = CameraFrames(self.node, self.environment, model, data, cameras)
            opened.callback(self._frames.close)
            self.tf_parents = self._frames.parents
            opened.callback(self._close_topics)
            self._sender = ThreadPoolExecutor(1, thread_name_prefix='images')
            opened.callback(self._sender.shutdown)
            for camera in cameras:
                view = self._open(model, camera, names[camera])
                if view is not None:
                    opened.callback(self.environment.rendering.close_view, view)
            if self._frames.move:
                follower = self.environment.follow(_FRAMES_HZ, self._frames.follow)
                opened.callback(follower.close)
            self._opened = opened.pop_all()

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the frames that do not move."""
        self._frames.publish_static()

    def unload(self) -> None:
        """Destroys the topics of all cameras."""
        self._opened.close()

    def _own_names(self, model: mujoco.MjModel) -> dict[int, str]:
        """Returns the robot's cameras, each with its name without the prefix of the group."""
        prefix = self.environment.prefix
        names = {camera: camera_name(model, camera) for camera in range(model.ncam)}
        return {
            camera: name.removeprefix(prefix)
            for camera, name in names.items()
            if name.startswith(prefix)
        }

    def _without_those_of_other_groups(
        self, model: mujoco.MjModel, cameras: Iterable[int]
    ) -> list[int]:
        """Returns the cameras that no plugin of this type in another group publishes."""
        namespace = self.environment.namespace
        taken = {
            name
            for plugin in self.environment.plugins.values()
            if isinstance(plugin, Cameras) and plugin.environment.namespace != namespace
            for name in plugin.topics
        }
        return [camera for camera in cameras if camera_name(model, camera) not in taken]

    def _open(self, model: mujoco.MjModel, camera: int, own_name: str) -> View | None:
        """Publishes one camera, or logs why it cannot be published."""
        name = camera_name(model, camera)
        config = self.config.cameras.get(own_name, CameraConfig())
        topics = CameraTopics(self.node, model, camera, config, self._sender)
        with ExitStack() as opened:
            opened.callback(topics.close)
            try:
                base = topics_of(own_name, config, self.environment.namespace)
                topics.create(base, self.environment.body_frame(self._frames.optical(camera)))
                self._refuse_shared_topics(topics)
                view = topics.view(self._frames)
                self.environment.rendering.open(model, view)
            except _LEFT_OUT as error:
                reason = ' '.join(str(error).split()) or type(error).__name__
                self.node.get_logger().error(f'camera {name!r} is left out: {reason}')
                return None
            self.topics[name] = topics
            opened.pop_all()
            return view

    def _refuse_shared_topics(self, topics: CameraTopics) -> None:
        others = [
            (f'camera {name!r} of plugin {plugin.name!r}', theirs.names)
            for plugin in (self, *self.environment.plugins.values())
            if isinstance(plugin, Cameras)
            for name, theirs in plugin.topics.items()
        ]
        for other, names in others:
            if shared := topics.names & names:
                raise PluginError(f'{min(shared)} is a topic of {other}')

    def _close_topics(self) -> None:
        for topics in self.topics.values():
            topics.close()

    def _tell_unknown(self, names: Collection[str]) -> None:
        strangers = [name for name in self.config.cameras if name not in names]
        if strangers:
            others = f' (and {len(strangers) - 1} more)' if strangers[1:] else ''
            said = unknown('camera', strangers[0], names)
            self.node.get_logger().error(f'cam_config: {said}{others}')
