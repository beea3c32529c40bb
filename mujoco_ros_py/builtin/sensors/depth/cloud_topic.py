"""A topic of clouds, whose messages are sent beside the rendering."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import numpy as np

from ....messages import set_time
from ....messages.topic_qos import IMAGES
from ....plugins import Ros, ros_type
from .depth_points import DepthPoints

PointCloud2 = ros_type('sensor_msgs/msg/PointCloud2')

Array = np.ndarray[Any, np.dtype[Any]]


class CloudTopic:
    """Publishes a point for each pixel of depth images (an organised sensor_msgs/PointCloud2)."""

    def __init__(
        self, ros: Ros, topic: str, frame_id: str, k: Array, size: tuple[int, int], *, color: bool
    ) -> None:
        """`k` is the 3x3 matrix of the camera in pixels, and `size` its height and width."""
        with ExitStack() as opened:  # closed again if the rest fails
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
        """The number of subscribers of the topic."""
        return self._publisher.subscribers

    def send(self, depth: Array, rgb: Array | None, time_s: float) -> None:
        """Fills a message on the thread that calls, and starts to send it on another one.

        `depth` is in m, shape (height, width), with NaN where there is no point; `rgb` has the
        colours, shape (height, width, 3).
        """
        if self._sent is not None:
            self._sent.result()  # the message is sent before it is filled again
        self._points.fill(depth, rgb)
        set_time(self._publisher.message['header']['stamp'], time_s)
        self._sent = self._sender.submit(self._publisher.publish)

    def close(self) -> None:
        """Waits for the message that is being sent, and destroys the publisher."""
        self._opened.close()
