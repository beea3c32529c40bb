"""The picture of the markers that the server publishes of a model, for RViz and Foxglove."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from matplotlib.figure import Figure
from visualization_msgs.msg import Marker, MarkerArray

from mujoco_ros_py import mjcf

from .board import DPI
from .examples import DOCS, listed
from .recorded import record
from .rendered import POSE, STAGE, free_shot

ARM = DOCS.parent / 'examples' / 'arm.xml'
VIEW = (0.15, 0.0, 0.42), 1.75, 135, -18
"""The camera of both pictures: target and distance in m, azimuth and elevation in degrees."""
SHAPES = {
    Marker.CUBE: mujoco.mjtGeom.mjGEOM_BOX,
    Marker.SPHERE: mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    Marker.CYLINDER: mujoco.mjtGeom.mjGEOM_CYLINDER,
}


def markers() -> Figure:
    """Draws the arm as MuJoCo renders it, next to its markers in the frames of its bodies."""
    given = {
        'modelfile': str(ARM),
        'MujocoPlugins': listed('how-to/markers.md', 'markers.yaml'),
        **{f'initial_joint_positions.joint_map.{name}': angle for name, angle in POSE.items()},
    }
    told = record(given, {'/markers/model': MarkerArray}, 0.0, stamp=lambda message: 0.0)
    physics = mjcf.Physics.from_mjcf_model(mjcf.from_path(ARM))
    for name, angle in POSE.items():
        physics.data.joint(name).qpos = angle
    physics.forward()

    def draw(_: Any, scene: mujoco.MjvScene) -> None:
        for marker in told['/markers/model'][-1].markers:
            if marker.type in SHAPES and marker.action == Marker.ADD:
                _add(scene, marker, physics.data.body(marker.header.frame_id.rpartition('/')[2]))

    empty = mjcf.Physics.from_mjcf_model(mjcf.from_xml_string(STAGE))
    figure = Figure((9.2, 3.5), dpi=DPI, layout='constrained')
    for axes, title, image in zip(
        figure.subplots(1, 2),
        ('in MuJoCo', 'the markers of /markers/model'),
        (free_shot(physics, 420, 560, *VIEW), free_shot(empty, 420, 560, *VIEW, draw)),
        strict=True,
    ):
        axes.imshow(image)
        axes.axis('off')
        axes.set_title(title, fontsize=10)
    return figure


def _add(scene: mujoco.MjvScene, marker: Any, body: Any) -> None:
    """Adds a marker, which is relative to its body's frame, to the scene."""
    geom, scene.ngeom = scene.geoms[scene.ngeom], scene.ngeom + 1
    turn, place, matrix = marker.pose.orientation, marker.pose.position, np.empty(9)
    mujoco.mju_quat2Mat(matrix, np.array([turn.w, turn.x, turn.y, turn.z]))
    axes = body.xmat.reshape(3, 3)
    half = 0.5 * np.array([marker.scale.x, marker.scale.y, marker.scale.z])
    if marker.type == Marker.CYLINDER:
        half = np.array([half[0], half[2], 0.0])  # MuJoCo uses the radius and the half length
    color = np.array([marker.color.r, marker.color.g, marker.color.b, marker.color.a], np.float32)
    position = body.xpos + axes @ [place.x, place.y, place.z]
    rotation = (axes @ matrix.reshape(3, 3)).ravel()
    mujoco.mjv_initGeom(geom, SHAPES[marker.type], half, position, rotation, color)
