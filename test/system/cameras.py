"""Worlds and images that several tests of cameras use."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from rclpy.node import NodeNameNonExistentError
from sensor_msgs.msg import CameraInfo, Image

from .harness import Client, Process, seconds, wait_until

SMALL = {'width': 32, 'height': 24}
WORLD = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <light pos="0 -1 3"/>
    <camera name="front" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <camera name="top" pos="0 0 2"/>
    <body name="ball"><joint type="slide" axis="0 0 1"/><geom size="0.3" rgba="0 0 1 1"/></body>
  </worldbody>
</mujoco>
"""
"""A world with a blue ball that falls from the middle of two cameras' images."""
STILL = WORLD.replace('<option', '<option gravity="0 0 0"')
CHANNELS = {'rgb8': (np.uint8, 3), '32FC1': (np.float32, 1), '32SC1': (np.int32, 1)}


def configs(**cameras: dict[str, Any]) -> dict[str, Any]:
    """Returns parameters `cam_config.<camera>.<key>`; images are small by default."""
    return {
        f'cam_config.{camera}.{key}': value
        for camera, config in cameras.items()
        for key, value in {**SMALL, **config}.items()
    }


def world_with(xml: str, *plugins: Any, **cameras: dict[str, Any]) -> dict[str, Any]:
    """Returns parameters that a reload reads: a model, plugins and configured cameras."""
    small = {name: {**SMALL, **config} for name, config in cameras.items()}
    listed = [{'type': 'mujoco_ros_py/Cameras', 'cameras': small}, *plugins]
    return {'mujoco_xml': xml, 'MujocoPlugins': json.dumps(listed)}


def images(client: Client, topic: str, kind: Any = Image) -> list[Any]:
    """Returns a list that grows with each message of a camera."""
    return client.collect(kind, topic, reliable=False)


def first(messages: list[Any], what: str = 'a message of a camera') -> Any:
    return wait_until(lambda: messages and messages[0], what)


def first_image(client: Client, topic: str) -> np.ndarray:
    return pixels(first(images(client, topic), f'an image on {topic}'))


def first_info(client: Client, topic: str) -> CameraInfo:
    return first(images(client, topic, CameraInfo), f'data on {topic}')


def pixels(image: Image) -> np.ndarray:
    """Returns an array (height, width) or (height, width, 3), as the message describes it."""
    dtype, channels = CHANNELS[image.encoding]
    assert image.step == image.width * channels * np.dtype(dtype).itemsize
    assert not image.is_bigendian
    shape = (image.height, image.width, channels)[: 3 if channels > 1 else 2]
    return np.frombuffer(bytes(image.data), dtype).reshape(shape)


def stamps(messages: list[Any]) -> list[float]:
    return [seconds(message.header.stamp) for message in messages]


def topics(client: Client, below: str = '/cameras/') -> set[str]:
    """Returns the topics that the server publishes there, once there are some."""

    def published() -> set[str]:
        try:
            known = client.node.get_publisher_names_and_types_by_node('mujoco_server', '/')
        except NodeNameNonExistentError:  # not yet
            return set()
        return {topic for topic, _ in known}

    wait_until(lambda: '/clock' in published(), 'the topics of the server')
    return {topic for topic in published() if topic.startswith(below)}


def wait_for_more(messages: list[Any], count: int = 5, process: Process | None = None) -> None:
    enough = len(messages) + count
    wait_until(lambda: len(messages) >= enough, f'{count} more images', process=process)
