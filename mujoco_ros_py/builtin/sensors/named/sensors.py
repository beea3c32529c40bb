"""mujoco_ros_py/Sensors: publishes the named sensors of the model, each on its own topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import mujoco

from ....config import ranged, unknown
from ....engine.messages import as_topic
from ....errors import ConfigError, PluginError
from ....plugins import Adaptable, MujocoPlugin, Reconfigurable
from ....simulation import names_of
from ..noise import AxisNoise, VectorNoise
from ..sensor_frames import SensorFrames
from ..sensor_topic import Described, SensorTopic
from .sensor_kinds import Kind, Measured, measured
from .sensor_messages import filling, template

_AXES = {Kind.VECTOR: 3, Kind.POINT: 3, Kind.QUATERNION: 3}
"""The number of axes, for the kinds whose axes have their own noise; a sensor of another kind has
one noise for all its values."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SensorsConfig:
    """The configuration of the Sensors plugin."""

    sensors: tuple[str, ...] = ()
    """The sensors to publish; if empty, all named sensors."""
    exclude: tuple[str, ...] = ()
    """The sensors to exclude."""
    update_rate: float = ranged(100.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages per second of simulated time, for each sensor."""
    update_rates: Mapping[str, float] = field(default_factory=dict)
    """Different rates in Hz, by sensor name."""
    topics: Mapping[str, str] = field(default_factory=dict)
    """Topics that differ from `~/<sensor>`, by sensor name."""
    frame_ids: Mapping[str, str] = field(default_factory=dict)
    """TF frames that differ from the model's, by sensor name; an empty name leaves `frame_id`
    empty."""
    noise: Mapping[str, VectorNoise] = ranged(default_factory=dict, live=True)
    """The noise by sensor name, with SDFormat's parameters."""
    model_noise: bool = False
    """Give sensors without an entry in `noise` white noise with the standard deviation from the
    model (the MJCF attribute `noise`)."""
    seed: int = ranged(0, live=True)
    """The seed of the noise; the same seed gives the same noise at the same simulated time."""
    ground_truth: bool = True
    """Also publish each noisy sensor without noise, on `<topic>/ground_truth`; never in
    eval_mode."""
    publish_tf: bool = True
    """Publish the frames of the sites, geoms and cameras that sensors are attached to on
    /tf_static."""

    def __post_init__(self) -> None:
        for name, rate in self.update_rates.items():
            if not 0.0 < rate <= 10_000.0:
                raise ConfigError(
                    f'update_rates.{name} must be greater than 0 and at most 10000, got {rate:g}'
                )


class Sensors(MujocoPlugin[SensorsConfig], Reconfigurable, Adaptable):
    """Publishes each named sensor of the model as the message type that fits its values.

    The values are taken from `sensordata` at the time of the stamp, with MuJoCo's cutoff and
    delay.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the sensors, and starts publishing."""
        self._topics: dict[str, SensorTopic] = {}
        self._frames = self._find(model)
        self._publish_new()
        self._frames.open()
        if self.config.publish_tf:
            self.tf_parents = self._frames.parents

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Switches to the new model; opens and closes the topics of added and removed sensors."""
        kinds = {name: self._measured[name][0].kind for name in self._topics}
        before = self._frames
        try:
            self._frames = self._find(model)
            self._renew_topics(kinds)
        except BaseException:
            self._frames = before  # so that `unload` closes them
            raise
        if self._frames.replace(before) and self.config.publish_tf:
            self.tf_parents = self._frames.parents
            self._frames.publish()

    def _renew_topics(self, kinds: Mapping[str, Kind]) -> None:
        """Keeps the topics of sensors whose kind is unchanged, and replaces the others."""
        for name, topic in tuple(self._topics.items()):
            if name in self._measured and self._measured[name][0].kind is kinds[name]:
                topic.adapt()
            else:
                topic.close()
                del self._topics[name]
        self._publish_new()

    def _find(self, model: mujoco.MjModel) -> SensorFrames:
        """Finds the sensors; returns their frames."""
        frames = SensorFrames(self, model)
        self._names = names_of(model, mujoco.mjtObj.mjOBJ_SENSOR, self.environment.prefix)
        self._measured: dict[str, tuple[Measured, float]] = {}
        """The description of each sensor, and its noise in the model."""
        for name, sensor in self._chosen().items():
            what = measured(model, sensor, frames)
            self._measured[name] = what, float(model.sensor_noise[sensor])
        return frames

    def _publish_new(self) -> None:
        """Starts publishing the sensors that have no topic yet."""
        topics, noises = self._topic_names(), self._noises(self.config)
        for name in topics:
            if name not in self._topics:
                self._topics[name] = self._publish(name, topics[name], noises[name])

    def measure(self, sensor: str) -> Any:
        """Returns the current measurement of a sensor, as the message that is published.

        The measurement includes noise. Works without ROS too; see `SensorPlugin.measure`. Raises
        PluginError if the sensor is not published.
        """
        if sensor not in self._topics:
            raise PluginError(unknown('sensor', sensor, self._topics))
        return self._topics[sensor].read()

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the frames."""
        if self.config.publish_tf:
            self._frames.publish()

    def check_live(self, config: SensorsConfig) -> None:
        """Rejects noise for missing sensors, and per-axis noise for sensors without axes."""
        self._noises(config)

    def configure(self, config: SensorsConfig) -> None:
        """Applies the new noise."""
        for name, noises in self._noises(config).items():
            kind = self._measured[name][0].kind
            self._topics[name].set_noise(noises or _silence(kind), config.seed)

    def unload(self) -> None:
        """Destroys the TF publisher."""
        self._frames.close()

    def _chosen(self) -> dict[str, int]:
        """Returns the published sensors by name. Raises ConfigError if a name is unknown."""
        config = self.config
        for key in ('sensors', 'exclude', 'update_rates', 'topics', 'frame_ids'):
            self._check_names(key, getattr(config, key))
        chosen = config.sensors or self._names
        return {name: self._names[name] for name in chosen if name not in config.exclude}

    def _check_names(self, key: str, given: Iterable[str]) -> None:
        """Raises ConfigError if a sensor name is unknown."""
        for name in given:
            if name not in self._names:
                raise ConfigError(f'{key}: {unknown("sensor", name, self._names)}')

    def _topic_names(self) -> dict[str, str]:
        """Returns the topic of each sensor. Raises ConfigError if two sensors share one."""
        given, owners = self.config.topics, dict[str, str]()
        for name in self._measured:
            topic = given.get(name, f'~/{as_topic(name)}')
            if (other := owners.setdefault(topic, name)) != name:
                raise ConfigError(
                    f'topics: {other!r} and {name!r} are both on {topic}; change one topic'
                )
        return {name: topic for topic, name in owners.items()}

    def _noises(self, config: SensorsConfig) -> dict[str, tuple[AxisNoise, ...]]:
        """Returns the noise of each sensor's axes; empty for a sensor without noise."""
        self._check_names('noise', config.noise)
        return {
            name: _axes_noise(config, name, what.kind, deviation)
            for name, (what, deviation) in self._measured.items()
        }

    def _publish(self, name: str, topic: str, noises: tuple[AxisNoise, ...]) -> SensorTopic:
        config, environment = self.config, self.environment
        what, _ = self._measured[name]
        return SensorTopic(
            self,
            topic,
            filling(what.kind),
            lambda: self._describe(name),
            noises or _silence(what.kind),
            seed=config.seed,
            stream=f'{environment.namespace}/{self.name}/{name}',
            truth=config.ground_truth and bool(noises),
            rate_hz=config.update_rates.get(name, config.update_rate),
            derived='sensors',
        )

    def _describe(self, name: str) -> Described:
        """Returns the message of a sensor, and the fields of its state."""
        given, (what, _) = self.config.frame_ids.get(name), self._measured[name]
        frame_id = what.frame_id if given is None else given and self.environment.frame(given)
        row = what.row
        return template(what, frame_id), {
            'address': what.address, 'cutoff': what.cutoff, 'positive': what.positive,
            'unit': what.unit, 'row': row.size, 'mark': row.mark, 'zeros': row.zeros,
            'distances': row.distances,
        }  # fmt: skip


def _silence(kind: Kind) -> list[AxisNoise]:
    """Returns disabled noise for each axis."""
    return [AxisNoise(type='none')] * _AXES.get(kind, 1)


def _axes_noise(
    config: SensorsConfig, name: str, kind: Kind, deviation: float
) -> tuple[AxisNoise, ...]:
    """Returns the noise of each axis; empty for a sensor without noise."""
    noise = config.noise.get(name)
    if noise is None:
        if not (config.model_noise and deviation > 0):
            return ()
        noise = VectorNoise(stddev=deviation)
    if kind in _AXES:
        return noise.axes
    if noise.axes != (noise,) * 3:
        raise ConfigError(
            f'noise.{name}: x, y and z apply only to vectors, but the sensor is of kind'
            f' {kind.value}'
        )
    return (noise,)
