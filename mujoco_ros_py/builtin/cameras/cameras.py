"""mujoco_ros_py/Cameras: publishes the images of the model's cameras."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

import mujoco

from ...config import CameraConfig, unknown
from ...errors import PluginError, RenderingError
from ...plugins import Adaptable, MujocoPlugin
from ...simulation.rendering import camera_name
from .camera_frames import CameraFrames
from .camera_topics import CameraTopics, topics_of

_log = logging.getLogger(__name__)
_LEFT_OUT: tuple[type[Exception], ...] = (RenderingError, PluginError, MemoryError)
"""After one of these errors, only the affected camera is skipped; the plugin still loads."""
with suppress(ImportError):  # ROS is optional in a session
    from rclpy.exceptions import NameValidationException

    _LEFT_OUT += (NameValidationException,)


@dataclass(frozen=True, kw_only=True, slots=True)
class CamerasConfig:
    """The configuration of the Cameras plugin."""

    cameras: Mapping[str, CameraConfig] = field(default_factory=dict)
    """Camera settings by camera name; other cameras use the defaults."""


class Cameras(MujocoPlugin[CamerasConfig], Adaptable):
    """Publishes the images of every camera of the model while its topics have subscribers.

    The server loads this plugin automatically, with the parameters `cam_config.*`, if the model
    has cameras. A camera that cannot be published is skipped with an error in the log. In a group
    of plugins, this plugin publishes only the cameras of the group's robot, and skips cameras that
    another group already publishes.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Opens a view for each camera."""
        names = self._own_names(model)
        self._tell_unknown(names.values())
        self.topics: dict[str, CameraTopics] = {}
        """The topics of each published camera, by the camera's full name."""
        self.tf_parents: dict[str, str] = {}
        self._known = set[str]()
        """The full names of all cameras, including those that could not be published."""
        self._frames: list[CameraFrames] = []
        with ExitStack() as opened:  # closes everything if a later step fails
            self._sender = ThreadPoolExecutor(1, thread_name_prefix='images')
            opened.callback(self._close_all)
            self._add(model, data, self._without_those_of_other_groups(model, names))
            self._opened = opened.pop_all()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Switches to the new model; opens added cameras, and closes removed cameras."""
        cameras = self._without_those_of_other_groups(model, self._own_names(model))
        ids = {camera_name(model, camera): camera for camera in cameras}
        for frames in self._frames:
            frames.adapt(model, ids)
        for name in self._known - ids.keys():
            if name in self.topics:
                self._close(self.topics.pop(name))
        for name, topics in self.topics.items():
            topics.adapt(model, ids[name])
        new = [camera for name, camera in ids.items() if name not in self._known]
        self._known &= ids.keys()
        if new:
            self._add(model, data, new)
            self._frames[-1].publish_static()

    def _add(self, model: mujoco.MjModel, data: mujoco.MjData, cameras: list[int]) -> None:
        """Publishes cameras and their frames."""
        names = self._own_names(model)
        frames = CameraFrames(self, model, data, cameras)
        self._frames.append(frames)
        self.tf_parents = self.tf_parents | frames.parents
        self._known |= {camera_name(model, camera) for camera in cameras}
        for camera in cameras:
            self._open(model, camera, names[camera], frames)

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the static frames."""
        for frames in self._frames:
            frames.publish_static()

    def unload(self) -> None:
        """Destroys the topics of all cameras."""
        self._opened.close()

    def _own_names(self, model: mujoco.MjModel) -> dict[int, str]:
        """Returns the names of the robot's cameras by id, without the group's prefix."""
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
        """Returns the cameras that no Cameras plugin of another group publishes."""
        namespace = self.environment.namespace
        taken = {
            name
            for plugin in self.environment.plugins.values()
            if isinstance(plugin, Cameras) and plugin.environment.namespace != namespace
            for name in plugin.topics
        }
        return [camera for camera in cameras if camera_name(model, camera) not in taken]

    def _open(
        self, model: mujoco.MjModel, camera: int, own_name: str, frames: CameraFrames
    ) -> None:
        """Publishes one camera, or logs the reason why it cannot be published."""
        name = camera_name(model, camera)
        config = self.config.cameras.get(own_name, CameraConfig())
        topics = CameraTopics(self.ros, model, camera, config, self._sender)
        with ExitStack() as opened:
            opened.callback(topics.close)
            try:
                base = topics_of(own_name, config)
                topics.create(base, self.environment.body_frame(frames.optical(camera)))
                self._refuse_shared_topics(topics)
                self.environment.rendering.open(model, topics.new_view(frames))
            except _LEFT_OUT as error:
                reason = ' '.join(str(error).split()) or type(error).__name__
                _log.error('camera %r is not published: %s', name, reason)
                return
            self.topics[name] = topics
            opened.pop_all()

    def _refuse_shared_topics(self, topics: CameraTopics) -> None:
        others = [
            (f'camera {name!r} of plugin {plugin.name!r}', theirs.names)
            for plugin in (self, *self.environment.plugins.values())
            if isinstance(plugin, Cameras)
            for name, theirs in plugin.topics.items()
        ]
        for other, names in others:
            if shared := topics.names & names:
                raise PluginError(f'{min(shared)} is already a topic of {other}')

    def _close(self, topics: CameraTopics) -> None:
        """Stops rendering a camera, and destroys its topics."""
        self.environment.rendering.close_view(topics.view)
        self._sender.submit(int).result()  # waits until the last image is sent
        topics.close()

    def _close_all(self) -> None:
        for topics in self.topics.values():
            self.environment.rendering.close_view(topics.view)
        self._sender.shutdown()
        for topics in self.topics.values():
            topics.close()
        for frames in self._frames:
            frames.close()

    def _tell_unknown(self, names: Collection[str]) -> None:
        strangers = [name for name in self.config.cameras if name not in names]
        if strangers:
            others = f' (and {len(strangers) - 1} more)' if strangers[1:] else ''
            said = unknown('camera', strangers[0], names)
            _log.error('cam_config: %s%s', said, others)
