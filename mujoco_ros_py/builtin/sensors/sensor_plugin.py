"""The base of sensors that publish one topic; sensors of your own may derive from it too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import mujoco

from ...config import ranged
from ...plugins import Adaptable, MujocoPlugin, Reconfigurable
from .noise import AxisNoise
from .sensor_frames import SensorFrames
from .sensor_topic import Described, SensorTopic, topic_of


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


class SensorPlugin(MujocoPlugin[Config], Reconfigurable, Adaptable):
    """A sensor that publishes one topic at a rate of simulated time.

    A class that derives from it sets `fill`, a compiled function, and overrides `describe` and
    `noises`, and `find` where `describe` needs more of the model. It stays when the model changes.
    """

    fill: Any = None
    """The compiled function `fill(state, model, data, message)`."""
    options: ClassVar[Mapping[str, Any]] = {'derived': 'sensors'}
    """The options of the publisher; `derived` names what `fill` needs of the message's moment."""

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Returns a message with all that does not change, and the fields of the state.

        It is called for each topic. The frame of the message is replaced where `frame_id` is
        configured. Raise PluginError to refuse.
        """
        raise NotImplementedError

    def noises(self, config: Config) -> Sequence[AxisNoise]:
        """Returns the noise of each number that has noise of its own, for `state.noise`."""
        return (AxisNoise(),)

    def rate_hz(self, config: Config) -> float:
        """Returns how often `fill` is called per second of simulated time."""
        return config.update_rate

    def source(self) -> tuple[Any, Mapping[str, Any]]:
        """Returns the compiled function and the options of its publisher.

        Override it where the configuration chooses between several functions.
        """
        return type(self).fill, self.options

    def find(self, model: mujoco.MjModel) -> None:
        """Looks up what `describe` needs of a model; it is called when that is loaded or changes.

        Raise PluginError for what the model lacks.
        """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds what is measured, and begins to publish."""
        self._model, self._topics = model, list[SensorTopic]()
        self._frames = SensorFrames(self, model)
        self.find(model)
        fill, options = self.source()
        self.topic = self.new_topic(
            '', fill, lambda frames: self.describe(self._model, frames), self.noises(self.config),
            **options,
        )  # fmt: skip
        """What publishes the messages."""

    def measure(self) -> Any:
        """Returns what the sensor measures in this moment, as the message that it publishes.

        It has the noise of this moment, and the rate does not matter. This works without ROS too,
        in a session and in a batch. Any thread may call it; of a batch, between its steps.
        """
        return self.topic.read()

    def new_topic(
        self,
        part: str,
        fill: Any,
        describe: Callable[[SensorFrames], Described],
        noises: Sequence[AxisNoise],
        **options: Any,
    ) -> SensorTopic:
        """Begins to publish a topic, `<topic>/<part>`; the sensor's own where `part` is empty.

        A sensor with several topics calls it for the others, after `load` of this class.
        """
        config = self.config
        ending = f'/{part}' if part else ''
        made = SensorTopic(
            self,
            f'{topic_of(self, config.topic)}{ending}',
            fill,
            lambda: self._framed(describe(self._frames)),
            noises,
            seed=config.seed,
            stream=f'{self.environment.namespace}/{self.name}{ending}',
            truth=config.ground_truth and any(noise != type(noise)() for noise in noises),
            rate_hz=self.rate_hz(config),
            **options,
        )
        self._topics.append(made)
        if config.publish_tf:
            self._frames.open()  # the topic may be in a frame of its own
            self.tf_parents = self._frames.parents
        return made

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds what is measured in another model, and goes on to publish."""
        self._model = model
        before, self._frames = self._frames, SensorFrames(self, model)
        try:
            self.find(model)
            for topic in self._topics:
                topic.adapt()
        except BaseException:
            self._frames = before  # they are to be closed
            raise
        if self.config.publish_tf and self._frames.replace(before):
            self.tf_parents = self._frames.parents
            self._frames.publish()

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the frames of all topics, if that is configured."""
        self._frames.publish()

    def configure(self, config: Config) -> None:
        """Uses other noise from the next message on."""
        self.topic.set_noise(self.noises(config), config.seed)

    def unload(self) -> None:
        """Destroys the publisher of the frames."""
        self._frames.close()

    def _framed(self, described: Described) -> Described:
        """Returns a message in the frame that is configured, if one is."""
        message, fields = described
        if self.config.frame_id:
            message.header.frame_id = self.environment.frame(self.config.frame_id)
        return message, fields
