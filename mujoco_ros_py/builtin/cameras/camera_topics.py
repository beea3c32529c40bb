"""Publishes the images of one camera."""

from __future__ import annotations

import io
import json
from concurrent.futures import Executor, Future
from typing import Any

import mujoco
import numpy as np
from PIL import Image as Picture

from ...config import CameraConfig
from ...engine.messages import StructMessage, StructPublisher, as_topic, set_time
from ...plugins import Ros, ros_type
from ...plugins.topic_qos import IMAGES, LATCHED
from ...simulation.rendering import Frame, Labels, Stream, View, image_size, intrinsics
from .camera_frames import CameraFrames

CameraInfo = ros_type('sensor_msgs/msg/CameraInfo')
CompressedImage = ros_type('sensor_msgs/msg/CompressedImage')
Image = ros_type('sensor_msgs/msg/Image')
String = ros_type('std_msgs/msg/String')

_JPEG = 'rgb8; jpeg compressed bgr8'
_PNG = 'rgb8; png compressed bgr8'
"""The format strings that image_transport's plugins write; decoding yields bgr8."""
_USUAL_SIZE = (720, 480)
"""The width and height of images if neither the configuration nor the model specifies a size."""
_PIXELS: dict[str, Any] = {
    'rgb8': (np.uint8, 3),
    '32FC1': (np.float32, 1),
    '32SC1': (np.int32, 1),
}
"""The dtype and number of channels of each encoding."""


class CameraTopics:
    """The publishers and messages of one camera; the render thread calls `publish`.

    `sender` sends the images, and must be shut down before `close` is called.
    """

    def __init__(
        self,
        ros: Ros,
        model: mujoco.MjModel,
        camera: int,
        config: CameraConfig,
        sender: Executor,
    ) -> None:
        self._sender = sender
        self._ros, self._model, self._config, self._camera = ros, model, config, camera
        self._width, self._height = image_size(
            model, camera, config.width, config.height, usual=_USUAL_SIZE
        )
        self._publishers: list[StructPublisher] = []
        self._subscribers: dict[Stream, int] = {}
        """The number of subscribers of each stream at the last count."""

    @property
    def names(self) -> set[str]:
        """The full names of the topics."""
        return {publisher.topic_name for publisher in self._publishers}

    def create(self, base: str, frame_id: str) -> None:
        """Creates the publishers of the topics below `base`.

        Raises rclpy's NameValidationException if a name is invalid.
        """
        model, config, size = self._model, self._config, (self._height, self._width)
        streams = Stream(config.stream_type)
        rgb, segmented = f'{base}/{config.name_rgb}', f'{base}/{config.name_segment}'
        self._images: dict[Stream, list[_ImageTopic]] = {stream: [] for stream in Stream}
        if streams & Stream.RGB:
            self._images[Stream.RGB] += self._colors(rgb, size, frame_id, 'JPEG')
        if streams & Stream.DEPTH:
            topic = self._publisher(Image, f'{base}/{config.name_depth}')
            self._images[Stream.DEPTH] = [_RawTopic(topic, self._sender, '32FC1', size, frame_id)]
        if streams & Stream.SEGMENTED:
            ids = self._publisher(Image, f'{segmented}/ids')
            self._ids = _RawTopic(ids, self._sender, '32SC1', size, frame_id)
            self._images[Stream.SEGMENTED] = self._colors(segmented, size, frame_id, 'PNG')
            self._table = self._publisher(String, f'{segmented}/labels', LATCHED)
            self._label(model)
        self._info = self._publisher(CameraInfo, f'{base}/camera_info')
        k = intrinsics(model, self._camera, self._width, self._height)
        fill_camera_info(self._info.message, k, size, frame_id, config.baseline)

    def new_view(self, frames: CameraFrames) -> View:
        """Creates the view for the render loop, and stores it as `view`."""

        def deliver(frame: Frame) -> None:
            frames.publish(self._camera, frame)
            self.publish(frame)

        view = View(
            camera=self._camera,
            width=self._width,
            height=self._height,
            rate_hz=self._config.frequency,
            wanted=lambda: self._wanted(view),
            deliver=deliver,
        )
        self.view = view
        return view

    def adapt(self, model: mujoco.MjModel, camera: int) -> None:
        """Switches to the camera of the new model; called before the first image of this model."""
        self._model, self._camera, self.view.camera = model, camera, camera
        if Stream(self._config.stream_type) & Stream.SEGMENTED:
            self._label(model)

    def _label(self, model: mujoco.MjModel) -> None:
        """Publishes the meanings of the labels in segmented images."""
        labels = Labels(model)
        self._palette = _by_number(labels) if self._config.use_segid else labels.colors
        message = self._table.message
        message.set_text(message['data'], json.dumps(labels.table))
        self._table.publish()

    def _wanted(self, view: View) -> Stream:
        """Returns the streams with subscribers; new subscribers get an image even while paused."""
        wanted = Stream(0)
        for stream, count in self._count().items():
            if count > self._subscribers.get(stream, 0):
                view.draw_again(stream)
            self._subscribers[stream] = count
            if count:
                wanted |= stream
        return wanted

    def _count(self) -> dict[Stream, int]:
        """Counts the subscribers of each stream."""
        counts = {
            stream: sum(topic.subscribers for topic in topics)
            for stream, topics in self._images.items()
        }
        if self._images[Stream.SEGMENTED]:
            counts[Stream.SEGMENTED] += self._ids.subscribers
        counts[Stream.MOMENT] = self._info.subscribers
        return counts

    def publish(self, frame: Frame) -> None:
        """Publishes the images and the camera info of a frame, all with the same stamp."""
        time_s = frame.ros_time
        set_time(self._info.message['header']['stamp'], time_s)
        self._info.publish()
        if frame.rgb is not None:
            _publish(self._images[Stream.RGB], frame.rgb, time_s)
        if frame.depth is not None:
            _publish(self._images[Stream.DEPTH], frame.depth, time_s)
        if frame.labels is not None:
            _publish([self._ids], frame.labels, time_s)
            topics = [topic for topic in self._images[Stream.SEGMENTED] if topic.subscribers]
            if topics:
                _publish(topics, self._palette[frame.labels], time_s)

    def close(self) -> None:
        """Destroys the camera's publishers."""
        for publisher in self._publishers:
            publisher.close()

    def _publisher(self, kind: Any, topic: str, qos: Any = IMAGES) -> StructPublisher:
        self._publishers.append(self._ros.create_struct_publisher(kind, topic, qos))
        return self._publishers[-1]

    def _colors(
        self, topic: str, size: tuple[int, int], frame_id: str, format_: str
    ) -> list[_ImageTopic]:
        topics: list[_ImageTopic] = [
            _RawTopic(self._publisher(Image, topic), self._sender, 'rgb8', size, frame_id)
        ]
        if self._config.compressed:
            publisher = self._publisher(CompressedImage, f'{topic}/compressed')
            quality = self._config.jpeg_quality
            topics.append(_PackedTopic(publisher, self._sender, format_, quality, size, frame_id))
        return topics


class _ImageTopic:
    """A publisher with its message, which is sent while the next image is rendered."""

    _pixels: Any

    def __init__(self, publisher: StructPublisher, sender: Executor, frame_id: str) -> None:
        self._publisher, self._sender = publisher, sender
        self._message = message = publisher.message
        message.set_text(message['header']['frame_id'], frame_id)
        self._sent: Future[None] | None = None

    @property
    def subscribers(self) -> int:
        """The number of subscribers."""
        return self._publisher.subscribers

    def publish(self, pixels: Any, time_s: float) -> None:
        """Copies the pixels, first row at the top, and starts sending them.

        Waits until the previous image is sent, and raises any error from sending it.
        """
        if self._sent is not None:
            self._sent.result()
        set_time(self._message['header']['stamp'], time_s)
        np.copyto(self._pixels, pixels)
        self._sent = self._sender.submit(self._send)

    def _send(self) -> None:
        self._publisher.publish()


class _RawTopic(_ImageTopic):
    """Publishes sensor_msgs/Image; copies the pixels once, directly into the message."""

    def __init__(
        self,
        publisher: StructPublisher,
        sender: Executor,
        encoding: str,
        size: tuple[int, int],
        frame_id: str,
    ) -> None:
        super().__init__(publisher, sender, frame_id)
        message, (height, width) = self._message, size
        dtype, channels = _PIXELS[encoding]
        step = width * channels * np.dtype(dtype).itemsize
        message['height'], message['width'], message['step'] = height, width, step
        message.set_text(message['encoding'], encoding)
        data = message.allocate(message['data'], step * height)
        shape = (height, width, channels) if channels > 1 else (height, width)
        self._pixels = data.view(dtype).reshape(shape)


class _PackedTopic(_ImageTopic):
    """Publishes sensor_msgs/CompressedImage, with the names and formats of image_transport."""

    def __init__(
        self,
        publisher: StructPublisher,
        sender: Executor,
        format_: str,
        quality: int,
        size: tuple[int, int],
        frame_id: str,
    ) -> None:
        super().__init__(publisher, sender, frame_id)
        text = _JPEG if format_ == 'JPEG' else _PNG
        self._message.set_text(self._message['format'], text)
        self._format = format_
        self._pixels = np.empty((*size, 3), np.uint8)
        self._options = {'quality': quality} if format_ == 'JPEG' else {'compress_level': 1}

    def _send(self) -> None:
        packed = io.BytesIO()
        Picture.fromarray(self._pixels).save(packed, self._format, **self._options)
        size = packed.getbuffer().nbytes
        self._message.allocate(self._message['data'], size)[:] = packed.getbuffer()
        super()._send()


def topics_of(name: str, config: CameraConfig) -> str:
    """Returns the common prefix of a camera's topics."""
    return config.topic or f'cameras/{as_topic(name)}'


def fill_camera_info(
    info: StructMessage, k: Any, size: tuple[int, int], frame_id: str, baseline_m: float
) -> None:
    """Fills the info of a pinhole camera without distortion (`plumb_bob`).

    `k` is the 3x3 camera matrix. `baseline_m` is the distance of a stereo pair's right camera from
    the left one, and 0 for other cameras.
    """
    info.set_text(info['header']['frame_id'], frame_id)
    info['height'], info['width'] = size
    info.set_text(info['distortion_model'], 'plumb_bob')
    info.allocate(info['d'], 5)
    info['k'], info['r'] = k.ravel(), np.eye(3).ravel()
    info['p'] = np.hstack([k, [[0.0 - k[0, 0] * baseline_m], [0.0], [0.0]]]).ravel()


def _publish(topics: list[Any], pixels: Any, time_s: float) -> None:
    for topic in topics:
        if topic.subscribers:
            topic.publish(pixels, time_s)


def _by_number(labels: Labels) -> Any:
    """Returns for each label a colour that encodes its number; red is the lowest byte."""
    numbers = np.arange(len(labels.table), dtype='<u4')
    return numbers.view(np.uint8).reshape(-1, 4)[:, :3]
