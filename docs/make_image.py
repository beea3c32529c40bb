"""Makes arm.png, the README's image: starts the demo's arm and subscribes to its camera."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import rclpy
from PIL import Image as Picture
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from rclpy.wait_for_message import wait_for_message
from sensor_msgs.msg import Image

PICTURE = Path(__file__).with_name('arm.png')
ROOT = Path(__file__).parents[1]
POSE = {'joint2': 0.5, 'joint4': 1.2, 'joint6': 0.6}
CAMERA = {'width': 960, 'height': 540}
DEADLINE_S = 60


def server() -> subprocess.Popen[bytes]:
    """The demo, paused in a pose, with everything on that makes images nicer."""
    values = {
        'unpause': 'false', 'render_shadows': 'true', 'render_reflections': 'true',
        'render_samples': 8, 'report_interval': 0.0,
        **{f'initial_joint_positions.joint_map.{joint}': q for joint, q in POSE.items()},
        **{f'cam_config.overview.{name}': value for name, value in CAMERA.items()},
    }  # fmt: skip
    given = [word for name, value in values.items() for word in ('-p', f'{name}:={value}')]
    demo = ['--params-file', str(ROOT / 'config/demo.yaml')]
    command = [sys.executable, '-m', 'mujoco_ros_py', '--ros-args', *demo, *given]
    return subprocess.Popen(command)


def main() -> None:
    """Waits for one image and writes it."""
    rclpy.init()
    node, process = Node('make_image'), server()
    try:
        qos, topic = qos_profile_sensor_data, '/cameras/overview/rgb'
        found, image = wait_for_message(
            Image, node, topic, qos_profile=qos, time_to_wait=DEADLINE_S
        )
        if not found:
            sys.exit(f'no image came on {topic} within {DEADLINE_S} s')
        pixels = np.frombuffer(image.data, np.uint8).reshape(image.height, image.width, 3)
        Picture.fromarray(pixels).save(PICTURE, optimize=True)
        print(f'{PICTURE}: {image.width} x {image.height}')
    finally:
        process.terminate()
        process.wait()
        rclpy.try_shutdown()


if __name__ == '__main__':
    main()
