"""A point cloud topic, which sends its messages while the next image is rendered."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import numpy as np

from ....engine.messages import StructMessage, set_time
from ....plugins import Ros, ros_type
from ....plugins.topic_qos import IMAGES

PointCloud2 = ros_type('sensor_msgs/msg/PointCloud2')
PointField = ros_type('sensor_msgs/msg/PointField')

Array = np.ndarray[Any, np.dtype[Any]]
_STEP = 16
"""The size of a point in bytes: x, y, z, and the colour or padding."""
_FIELDS = (('x', 0), ('y', 4), ('z', 8), ('rgb', 12))
"""The fields of a point and their offsets; all are float32, because PCL expects this for the
colour too."""
_BLUE, _END = 12, 15
"""The offsets where a point's colour begins and ends; its bytes are blue, green and red."""


class CloudTopic:
    """Publishes a point for each pixel of depth images (an organised sensor_msgs/PointCloud2)."""

    def __init__(
        self, ros: Ros, topic: str, frame_id: str, k: Array, size: tuple[int, int], *, color: bool
    ) -> None:
        """`k` is the 3x3 camera matrix in pixels; `size` is the image's height and width."""
        with ExitStack() as opened:  # closes the publisher if a later step fails
            self._publisher = ros.create_struct_publisher(PointCloud2, topic, IMAGES)
            opened.callback(self._publisher.close)
            message = self._publisher.message
            message.set_text(message['header']['frame_id'], frame_id)
            self._points = DepthPoints(message, k, size, colored=color)
            self._sender = ThreadPoolExecutor(1, thread_name_prefix='points')
            opened.callback(self._sender.shutdown)
            self._opened = opened.pop_all()
        self._sent: Future[None] | None = None

    @property
    def subscribers(self) -> int:
        """The number of the topic's subscribers."""
        return self._publisher.subscribers

    def send(self, depth: Array, rgb: Array | None, time_s: float) -> None:
        """Fills a message on the calling thread, and starts sending it on another thread.

        `depth` is in m, shape (height, width), and NaN for pixels without a point; `rgb` has shape
        (height, width, 3).
        """
        if self._sent is not None:
            self._sent.result()  # the previous message must be sent before its memory is reused
        self._points.fill(depth, rgb)
        set_time(self._publisher.message['header']['stamp'], time_s)
        self._sent = self._sender.submit(self._publisher.publish)

    def close(self) -> None:
        """Waits until the current message is sent, and destroys the publisher."""
        self._opened.close()


class DepthPoints:
    """Fills a sensor_msgs/PointCloud2 from depth images, in the camera's optical frame.

    z is the distance along the optical axis, x points right and y down (REP-103). Pixels without
    depth are NaN.
    """

    def __init__(
        self, message: StructMessage, k: Array, size: tuple[int, int], *, colored: bool
    ) -> None:
        """`k` is the 3x3 camera matrix in pixels; `size` is the image's height and width."""
        self._message, (height, width) = message, size
        message['height'], message['width'] = size
        message['point_step'], message['row_step'] = _STEP, _STEP * width
        fields = message.allocate(message['fields'], 4 if colored else 3)
        for number, (name, offset) in enumerate(_FIELDS[: len(fields)]):
            message.set_text(fields['name'][number, ...], name)
            fields['offset'][number], fields['count'][number] = offset, 1
            fields['datatype'][number] = PointField.FLOAT32
        data = message.allocate(message['data'], _STEP * height * width)
        self._bytes = data.reshape(height, width, _STEP)
        self._numbers = data.view(np.float32).reshape(height, width, 4)
        self._right = ((np.arange(width) - k[0, 2]) / k[0, 0]).astype(np.float32)
        self._down = ((np.arange(height) - k[1, 2]) / k[1, 1]).astype(np.float32)[:, np.newaxis]

    def fill(self, depth: Array, rgb: Array | None) -> None:
        """Writes the points of a depth image in m, shape (height, width), and their colours."""
        x, y, z = (self._numbers[..., axis] for axis in range(3))
        np.copyto(z, depth)
        np.multiply(z, self._right, out=x)
        np.multiply(z, self._down, out=y)
        if rgb is not None:
            self._bytes[..., _BLUE:_END] = rgb[..., ::-1]
