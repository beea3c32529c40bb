"""The picture of the README: a camera image that the server publishes of the demo's arm."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from PIL import Image as Picture
from rclpy.node import Node
from rclpy.wait_for_message import wait_for_message
from sensor_msgs.msg import Image

ROOT = Path(__file__).parents[2]
POSE = {'joint2': 0.5, 'joint4': 1.2, 'joint6': 0.6}
CAMERA = {'width': 960, 'height': 540}
TOPIC = '/cameras/overview/rgb'
DEADLINE_S = 60


def arm() -> Picture.Image:
    """Starts the demo, and waits for an image on a topic of its camera."""
    rclpy.init()
    node, process = Node('pictures'), demo({})
    try:
        # Reliable, because a paused server sends few images.
        found, image = wait_for_message(Image, node, TOPIC, time_to_wait=DEADLINE_S)
        if not found:
            raise TimeoutError(f'no image arrived on {TOPIC} within {DEADLINE_S} s')
        pixels = np.frombuffer(image.data, np.uint8).reshape(image.height, image.width, 3)
        return Picture.fromarray(pixels)
    finally:
        process.terminate()
        process.wait()
        rclpy.try_shutdown()


def demo(
    more: dict[str, object], *, stderr: int | None = None, text: bool = False, **environment: str
) -> subprocess.Popen[Any]:
    """Starts the demo, paused in a pose, with all options for better images.

    `more` has additional parameters, `environment` additional environment variables.
    """
    values = {
        'unpause': 'false', 'render_shadows': 'true', 'render_reflections': 'true',
        'render_samples': 8, 'report_interval': 0.0,
        **{f'initial_joint_positions.joint_map.{joint}': q for joint, q in POSE.items()},
        **{f'cam_config.overview.{name}': value for name, value in CAMERA.items()},
        **more,
    }  # fmt: skip
    given = [word for name, value in values.items() for word in ('-p', f'{name}:={value}')]
    file = ['--params-file', str(ROOT / 'config/demo.yaml')]
    command = [sys.executable, '-m', 'mujoco_ros_py', '--ros-args', *file, *given]
    return subprocess.Popen(command, stderr=stderr, text=text, env={**os.environ, **environment})
