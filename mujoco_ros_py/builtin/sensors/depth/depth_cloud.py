"""mujoco_ros_py/DepthCloud: publishes the point cloud of a depth camera."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ....config import ranged, unknown
from ....errors import PluginError
from ....plugins import Adaptable, MujocoPlugin, Reconfigurable
from ....simulation.rendering import Frame, Stream, View, camera_name, image_size, intrinsics
from ..noise import AxisNoise, noise_rows
from ..noise.drifting_bias import drifting_bias
from ..rays.ray_config import RangeLimits
from ..sensor_topic import TRUTH, topic_of
from .cloud_topic import CloudTopic

Array = np.ndarray[Any, np.dtype[Any]]
_BIAS = 2**32
"""Stands in for the sample number when the constant bias is drawn; larger than any sample
number."""
_USUAL_SIZE = (320, 240)
"""The columns and rows of points if neither the configuration nor the model specifies them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DepthCloudConfig:
    """The configuration of the DepthCloud plugin."""

    camera: str
    """The camera's name in the model."""
    topic: str = ''
    """The topic (sensor_msgs/PointCloud2); if empty, the plugin's name."""
    frame_id: str = ''
    """The TF frame of the points; if empty, `<camera>_optical_frame`."""
    width: int = ranged(0, minimum=0, maximum=16_384)
    """The number of columns of points; 0: the width of the camera's `resolution` in the model, or
    320 if it is not set."""
    height: int = ranged(0, minimum=0, maximum=16_384)
    """The number of rows of points; 0: the height of the camera's `resolution` in the model, or
    240 if it is not set."""
    update_rate: float = ranged(10.0, above=0.0, maximum=1000.0, unit='Hz')
    """Messages per second of simulated time."""
    color: bool = False
    """Give each point the colour of its pixel (`rgb`)."""
    range: RangeLimits = field(default_factory=RangeLimits)
    """The measurable distances along the optical axis; points outside are NaN."""
    noise: AxisNoise = ranged(default_factory=AxisNoise, live=True)
    """The noise of the distances in m; each point has its own white noise, and all points share
    the bias."""
    seed: int = ranged(0, live=True)
    """The seed of the noise; the same seed gives the same noise at the same simulated time."""
    ground_truth: bool = True
    """Also publish noise-free points on `<topic>/ground_truth` if `noise` is given; never in
    eval_mode."""


class DepthCloud(MujocoPlugin[DepthCloudConfig], Reconfigurable, Adaptable):
    """Publishes a point for each pixel of a depth camera (an organised sensor_msgs/PointCloud2).

    The camera is rendered only while the topic has subscribers.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the camera, and requests its rendering."""
        config, environment = self.config, self.environment
        camera = _camera(self, model)
        self._width, self._height = image_size(
            model, camera, config.width, config.height, usual=_USUAL_SIZE
        )
        k = intrinsics(model, camera, self._width, self._height)
        if not k.any():
            raise PluginError(f'camera must be a perspective camera, got {config.camera}')
        self._subscribers = 0
        self._truth: CloudTopic | None = None
        with ExitStack() as opened:  # closes the topics if a later step fails
            topic = topic_of(self, config.topic)
            self._cloud = self._new_topic(topic, k, opened)
            if config.ground_truth and config.noise != AxisNoise() and not environment.protected:
                self._truth = self._new_topic(f'{topic}/{TRUTH}', k, opened)
            self._noise = self._new_noise(config)
            self._timestep = float(model.opt.timestep)
            self._view = View(
                camera=camera, width=self._width, height=self._height,
                rate_hz=config.update_rate, wanted=self._wanted, deliver=self._deliver,
            )  # fmt: skip
            environment.rendering.open(model, self._view)
            opened.callback(environment.rendering.close_view, self._view)
            self._opened = opened.pop_all()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Switches to the camera of the new model; called before the first image of this model."""
        self._view.camera = _camera(self, model)

    def configure(self, config: DepthCloudConfig) -> None:
        """Applies the new noise from the next message on."""
        self._noise = self._new_noise(config)

    def unload(self) -> None:
        """Stops the rendering, and destroys the publishers."""
        self._opened.close()

    def _new_noise(self, config: DepthCloudConfig) -> DepthNoise:
        environment = self.environment
        stream = f'{environment.namespace}/{self.name}'
        return DepthNoise(config.noise, config.seed, stream, environment.noise_secret)

    def _new_topic(self, topic: str, k: Array, opened: ExitStack) -> CloudTopic:
        """Creates a topic for a camera with the matrix `k`; closing `opened` closes the topic."""
        config = self.config
        made = CloudTopic(
            self.ros,
            topic,
            self.environment.frame(config.frame_id or f'{config.camera}_optical_frame'),
            k,
            (self._height, self._width),
            color=config.color,
        )
        opened.callback(made.close)
        return made

    def _wanted(self) -> Stream:
        """Returns the streams to render; a new subscriber gets an image even while paused."""
        wanted = Stream.DEPTH | Stream.RGB if self.config.color else Stream.DEPTH
        before, self._subscribers = self._subscribers, self._cloud.subscribers
        if self._truth is not None:
            self._subscribers += self._truth.subscribers
        if self._subscribers > before:
            self._view.draw_again(wanted)
        return wanted if self._subscribers else Stream(0)

    def _deliver(self, frame: Frame) -> None:
        """Publishes the measurement and the ground truth, each if it has subscribers."""
        if frame.depth is None:
            return
        time_s, limits = frame.ros_time, self.config.range
        if self._cloud.subscribers:
            sample = round(frame.data.time / self._timestep)
            measured = self._noise.applied(frame.depth, sample, self._timestep)
            self._cloud.send(_within(measured, limits), frame.rgb, time_s)
        if self._truth is not None and self._truth.subscribers:
            self._truth.send(_within(frame.depth, limits), frame.rgb, time_s)


def _within(depth: Array, limits: RangeLimits) -> Array:
    """Rounds distances, and replaces distances outside the limits by NaN."""
    outside = ~((depth >= limits.min) & (depth <= limits.max))
    return np.where(outside, np.nan, _rounded(depth, limits))


def _rounded(depth: Array, limits: RangeLimits) -> Array:
    step = limits.resolution
    return np.round(depth / step) * step if step else depth


def _camera(plugin: MujocoPlugin[Any], model: mujoco.MjModel) -> int:
    """Returns the camera's id. Raises PluginError, with the known cameras, if it is unknown."""
    prefix = plugin.environment.prefix
    names = {camera_name(model, camera): camera for camera in range(model.ncam)}
    own = {
        name.removeprefix(prefix): camera
        for name, camera in names.items()
        if name.startswith(prefix)
    }
    if plugin.config.camera not in own:
        raise PluginError(f'camera: {unknown("camera", plugin.config.camera, own)}')
    return own[plugin.config.camera]


class DepthNoise:
    """Adds noise to depth images, which depends only on seed, stream, secret and sample number."""

    def __init__(self, noise: AxisNoise, seed: int, stream: str, secret: bytes = b'') -> None:
        row = noise_rows([noise], seed, stream, secret)[0]
        self._on, self._noise = bool(row['on']), noise
        self._key = int(row['key']) % 2**64
        self._shift = noise.mean + noise.bias_mean
        if noise.bias_stddev:
            self._shift += noise.bias_stddev * float(self._normals(_BIAS, (1,))[0])

    def applied(self, depth: Array, sample: int, timestep: float) -> Array:
        """Returns distances in m with noise; inf stays inf.

        `sample` is the sample number: the simulated time in steps of `timestep` seconds.
        """
        noise = self._noise
        if not self._on:
            return depth
        measured: Array = depth + np.float32(self._shift + self._drift(sample, timestep))
        if noise.stddev:
            measured += np.float32(noise.stddev) * self._normals(sample, depth.shape)
        if noise.type == 'gaussian_quantized' and noise.precision:
            measured = np.round(measured / noise.precision) * noise.precision
        return measured

    def _drift(self, sample: int, timestep: float) -> float:
        """Returns the drifting bias at a sample, which all points share."""
        noise = self._noise
        if not noise.dynamic_bias_stddev:
            return 0.0
        correlation_s = noise.dynamic_bias_correlation_time
        drift = drifting_bias(np.uint64(self._key), sample, timestep, correlation_s)
        return noise.dynamic_bias_stddev * float(drift)

    def _normals(self, sample: int, shape: tuple[int, ...]) -> Array:
        """Draws standard normal numbers that depend only on the key and the sample."""
        bits = np.random.Philox(key=[self._key, sample])
        drawn: Array = np.random.Generator(bits).standard_normal(shape, np.float32)
        return drawn
