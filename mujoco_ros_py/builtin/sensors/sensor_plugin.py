"""The base class of sensors that publish one topic; custom sensors can derive from it too."""

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
    """The common configuration of sensors with one topic."""

    topic: str = ''
    """The name of the topic; if empty, the plugin's name."""
    frame_id: str = ''
    """The TF frame of the messages; if empty, the frame of the site or of another measured
    object."""
    update_rate: float = ranged(100.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages per second of simulated time."""
    seed: int = ranged(0, live=True)
    """The seed of the noise; the same seed gives the same noise at the same simulated time."""
    ground_truth: bool = True
    """Also publish noise-free values on `<topic>/ground_truth` if `noise` is given; never in
    eval_mode."""
    publish_tf: bool = True
    """Publish the site's frame on /tf_static, relative to the frame of its body."""


Config = TypeVar('Config', bound=SensorConfig)


class SensorPlugin(MujocoPlugin[Config], Reconfigurable, Adaptable):
    """A sensor that publishes one topic at a rate in simulated time.

    Subclasses set `fill`, a compiled function, and override `describe` and `noises`; if `describe`
    needs more data from the model, they override `find` as well. The plugin keeps running when the
    model changes.
    """

    fill: Any = None
    """The compiled function `fill(state, model, data, message)`."""
    options: ClassVar[Mapping[str, Any]] = {'derived': 'sensors'}
    """The publisher's options; `derived` names the quantities that `fill` reads and that must
    therefore be up to date with the state."""

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Returns a message with its constant fields set, and the fields of the state.

        Called once per topic. A configured `frame_id` replaces the frame of the message. Raise
        PluginError to reject the model.
        """
        raise NotImplementedError

    def noises(self, config: Config) -> Sequence[AxisNoise]:
        """Returns the noise of each row of `state.noise`."""
        return (AxisNoise(),)

    def rate_hz(self, config: Config) -> float:
        """Returns the rate of `fill` in calls per second of simulated time."""
        return config.update_rate

    def source(self) -> tuple[Any, Mapping[str, Any]]:
        """Returns the compiled function and its publisher's options.

        Override this if the configuration selects one of several functions.
        """
        return type(self).fill, self.options

    def find(self, model: mujoco.MjModel) -> None:
        """Looks up the model elements that `describe` needs, when a model is loaded or changes.

        Raise PluginError if the model lacks an element.
        """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the measured elements, and starts publishing."""
        self._model, self._topics = model, list[SensorTopic]()
        self._frames = SensorFrames(self, model)
        self.find(model)
        fill, options = self.source()
        self.topic = self.new_topic(
            '', fill, lambda frames: self.describe(self._model, frames), self.noises(self.config),
            **options,
        )  # fmt: skip
        """The sensor's own topic."""

    def measure(self) -> Any:
        """Returns the current measurement as the message that the sensor publishes.

        The measurement includes noise, and does not depend on `update_rate`. Works without ROS
        too, in a session or a batch. Callable from any thread; in a batch, only between steps.
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
        """Starts publishing `<topic>/<part>`, or the sensor's own topic if `part` is empty.

        Sensors with several topics call this for the additional topics, after this class's `load`.
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
            self._frames.open()  # the new topic may have its own frame
            self.tf_parents = self._frames.parents
        return made

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the measured elements in the new model, and continues publishing."""
        self._model = model
        before, self._frames = self._frames, SensorFrames(self, model)
        try:
            self.find(model)
            for topic in self._topics:
                topic.adapt()
        except BaseException:
            self._frames = before  # so that `unload` closes them
            raise
        if self.config.publish_tf and self._frames.replace(before):
            self.tf_parents = self._frames.parents
            self._frames.publish()

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the frames of all topics, if `publish_tf` is set."""
        self._frames.publish()

    def configure(self, config: Config) -> None:
        """Applies the new noise from the next message on."""
        self.topic.set_noise(self.noises(config), config.seed)

    def unload(self) -> None:
        """Destroys the TF publisher."""
        self._frames.close()

    def _framed(self, described: Described) -> Described:
        """Replaces the frame of the message with `frame_id`, if configured."""
        message, fields = described
        if self.config.frame_id:
            message.header.frame_id = self.environment.frame(self.config.frame_id)
        return message, fields
