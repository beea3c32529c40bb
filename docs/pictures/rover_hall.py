"""The picture of the rover in its hall, with a scan published by a server."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import mujoco
import numpy as np
import rclpy
from nav_msgs.msg import Odometry
from PIL import Image as Picture
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from rclpy.wait_for_message import wait_for_message
from sensor_msgs.msg import LaserScan

from .rendered import EXAMPLES
from .served import DEADLINE_S, ROOT

PLACE = [1.15, -0.05, 0.1, 0.924, 0.0, 0.0, 0.383]
"""The pose of the cart: in the door, where its scanner sees both rooms."""
SIZE = 840, 472
SMOOTHNESS = 2
"""The oversampling factor along each axis."""
RED, PALE_RED = (1.0, 0.12, 0.2, 1.0), (1.0, 0.2, 0.25, 0.3)
SPHERE, RAY = 0.03, 0.005
"""The radii of the spheres at hits and of the rays, in m."""
BEGIN, EVERY = 0.14, 9
"""The distance from the scanner to the start of drawn rays, in m, and the hits per drawn ray."""


def rover_hall() -> Picture.Image:
    """Draws the hall from above, with a sphere at each hit of the scan, and some rays."""
    scan, pose = _heard()
    model = mujoco.MjModel.from_xml_path(str(EXAMPLES / 'rover_hall.xml'))
    data = mujoco.MjData(model)
    place, turn = pose.position, pose.orientation
    data.joint('base').qpos = place.x, place.y, place.z, turn.w, turn.x, turn.y, turn.z
    mujoco.mj_forward(model, data)
    laser = data.site('laser')
    hits = laser.xpos + _points(scan) @ laser.xmat.reshape(3, 3).T
    return _drawn(model, data, hits)


def _heard() -> tuple[LaserScan, Any]:
    """Starts a server; returns a scan and the pose of the cart, which is at rest."""
    rclpy.init()
    node, process = Node('pictures'), _server()
    try:
        return (
            _message(LaserScan, node, '/scan'),
            _message(Odometry, node, '/ground_truth').pose.pose,
        )
    finally:
        process.terminate()
        process.wait()
        rclpy.try_shutdown()


def _message(kind: Any, node: Node, topic: str) -> Any:
    """Returns a message from a time when the cart has come to rest."""
    while True:
        found, message = wait_for_message(
            kind, node, topic, qos_profile=qos_profile_sensor_data, time_to_wait=DEADLINE_S
        )
        if not found:
            raise TimeoutError(f'no message arrived on {topic} within {DEADLINE_S} s')
        if message.header.stamp.sec >= 1:
            return message


def _server() -> subprocess.Popen[bytes]:
    place = f'initial_joint_positions.joint_map.base:={PLACE}'
    given = ['--params-file', str(ROOT / 'config' / 'rover_hall.yaml'), '-p', place]
    command = [sys.executable, '-m', 'mujoco_ros_py', '--ros-args', *given]
    return subprocess.Popen(command)


def _points(scan: LaserScan) -> Any:
    """Returns the hit points of the scan, in the frame of the scanner."""
    ranges = np.array(scan.ranges)
    hit = np.isfinite(ranges)
    angles = (scan.angle_min + scan.angle_increment * np.arange(len(ranges)))[hit]
    directions = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
    return ranges[hit, None] * directions


def _drawn(model: mujoco.MjModel, data: mujoco.MjData, hits: Any) -> Picture.Image:
    """Renders the hall with shadows, and the scan without shadows.

    Adds to the shaded picture the difference that the scan makes in a picture without shadows.
    """
    width, height = (SMOOTHNESS * length for length in SIZE)
    options = model.vis.global_
    options.offwidth, options.offheight, options.fovy = width, height, 30
    camera = mujoco.MjvCamera()
    camera.lookat[:] = 0.95, -0.25, 0.0
    camera.distance, camera.azimuth, camera.elevation = 11.1, 105, -50
    with mujoco.Renderer(model, height, width, max_geom=2000) as renderer:
        renderer.update_scene(data, camera)
        shaded = renderer.render().astype(int)
        renderer.scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = False
        bare = renderer.render().astype(int)
        _add_scan(renderer.scene, data.site('laser').xpos, hits)
        pixels = shaded + renderer.render() - bare
    image = Picture.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    return image.resize(SIZE, Picture.Resampling.LANCZOS)


def _add_scan(scene: mujoco.MjvScene, laser: Any, hits: Any) -> None:
    """Adds a sphere at each hit, and some rays."""
    kinds = mujoco.mjtGeom
    for hit in hits:
        geom = _new_geom(scene, kinds.mjGEOM_SPHERE, RED)
        geom.size, geom.pos = SPHERE, hit
    for hit in hits[::EVERY]:
        begin = laser + BEGIN * (hit - laser) / np.linalg.norm(hit - laser)
        geom = _new_geom(scene, kinds.mjGEOM_CAPSULE, PALE_RED)
        mujoco.mjv_connector(geom, kinds.mjGEOM_CAPSULE, RAY, begin, hit)


def _new_geom(scene: mujoco.MjvScene, kind: Any, rgba: Any) -> Any:
    geom, scene.ngeom = scene.geoms[scene.ngeom], scene.ngeom + 1
    axes, color = np.eye(3).ravel(), np.array(rgba, np.float32)
    mujoco.mjv_initGeom(geom, kind, np.zeros(3), np.zeros(3), axes, color)
    geom.emission = 0.7
    return geom
