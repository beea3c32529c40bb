"""The base of sensors that publish one topic; sensors of your own may derive from it too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import mujoco

from ...config import ranged
from ...plugins import MujocoPlugin
from .noise import AxisNoise
from .sensor_frames import SensorFrames
from .sensor_topic import SensorTopic


@dataclass(frozen=True, kw_only=True, slots=True)
class SensorConfig:
    """The configuration that all sensors with one topic have in common."""

    topic: str = ''
    """The topic; empty: the name of the plugin."""
    frame_id: str = ''
    """The TF frame of the messages; empty: that of the site, or of what else is measured."""
    update_rate: float = ranged(100.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages per second of simulated time."""
    seed: int = ranged(0, live=True)
    """The seed of the noise: the same seed gives the same noise at the same simulated time."""
    ground_truth: bool = True
    """Whether there is a second topic without noise, `<topic>/ground_truth`, if `noise` is given;
    in eval_mode there is none."""
    publish_tf: bool = True
    """Publish the frame of the site on /tf_static, in the frame of its body."""


Config = TypeVar('Config', bound=SensorConfig)


class SensorPlugin(MujocoPlugin[Config]):
    """A sensor that publishes one topic at a rate of simulated time.

    A class that derives from it sets `fill`, a compiled function, and overrides `describe` and
    `noises`.
    """

    fill: Any = None
    """The compiled function `fill(state, model, data, message)`."""
    derived: ClassVar[str] = 'sensors'
    """What belongs to the moment of the message; see `Ros.publish`."""
    thread: ClassVar[bool] = False
    """Whether the function has a thread of its own, as it needs long."""

    def describe(
        self, model: mujoco.MjModel, frames: SensorFrames
    ) -> tuple[Any, Mapping[str, Any]]:
        """Returns a message with all that does not change, and the fields of the state.

        The frame of the message is replaced where `frame_id` is configured. Raise PluginError to
        refuse.
        """
        raise NotImplementedError

    def noises(self, config: Config) -> Sequence[AxisNoise]:
        """Returns the noise of each number that has noise of its own, for `state.noise`."""
        return ()

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds what is measured, and begins to publish."""
        config, environment = self.config, self.environment
        self._frames = SensorFrames(self, model)
        message, fields = self.describe(model, self._frames)
        if config.frame_id:
            message.header.frame_id = environment.frame(config.frame_id)
        noises = self.noises(config)
        self.topic = SensorTopic(
            self,
            message,
            config.topic or self.name,
            type(self).fill,
            rate_hz=config.update_rate,
            stream=f'{environment.namespace}/{self.name}',
            noises=noises,
            seed=config.seed,
            truth=config.ground_truth and any(noise != type(noise)() for noise in noises),
            derived=self.derived,
            thread=self.thread,
            **fields,
        )
        """What publishes the messages."""
        self._frames.open()
        if config.publish_tf:
            self.tf_parents = self._frames.parents

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the frame of the site."""
        if self.config.publish_tf:
            self._frames.publish()

    def configure(self, config: Config) -> None:
        """Uses other noise from the next message on."""
        if noises := self.noises(config):
            self.topic.set_noise(noises, config.seed)

    def unload(self) -> None:
        """Destroys the publisher of the frame."""
        self._frames.close()
