"""The points of a depth image as a message, one for each pixel."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....messages import StructMessage
from ....plugins import ros_type

PointField = ros_type('sensor_msgs/msg/PointField')

Array = np.ndarray[Any, np.dtype[Any]]
_STEP = 16
"""The size of a point in bytes: x, y, z, and the colour or nothing."""
_FIELDS = (('x', 0), ('y', 4), ('z', 8), ('rgb', 12))
"""The fields of a point and their offsets; all are float32, as PCL wants it for the colour too."""
_BLUE, _END = 12, 15
"""The bytes of the colour in a point: blue, green, red."""


class DepthPoints:
    """Fills a sensor_msgs/PointCloud2 from images, in the optical frame of the camera.

    z is the distance along the optical axis, x is to the right and y down (REP-103). A pixel
    without depth is NaN.
    """

    def __init__(
        self, message: StructMessage, k: Array, size: tuple[int, int], *, colored: bool
    ) -> None:
        """`k` is the 3x3 matrix of the camera in pixels, and `size` its height and width."""
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
