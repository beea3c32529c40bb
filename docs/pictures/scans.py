"""Pictures of sensor data around the robot: scans, points, contacts."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from geometry_msgs.msg import Point
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon
from sensor_msgs.msg import LaserScan, PointCloud2
from visualization_msgs.msg import MarkerArray

from mujoco_ros_py import mjcf

from .board import BLUE, DPI, INK, PALE
from .examples import listed, model_text
from .recorded import record, stamp_s
from .rendered import STAGE, free_shot

POINTS = '#d9822b'
BASE, SITE = (-1.0, 0.5), 0.1
"""The position of the base in the room, and the distance from the base to the scanner, in m."""
SPEED, TURN = 0.8, 2.0
"""The velocity of the base in the second picture, in m/s and rad/s."""


def scans() -> Figure:
    """Draws a room from above: an undistorted scan, and a spinning scan while the base moves."""
    figure = Figure((9.2, 3.3), dpi=DPI, layout='constrained')
    panels = figure.subplots(1, 2)
    model = model_text('reference/sensors/scans.md', 'room.xml')
    (still, *_), (_, spun, *_) = (_scans(model, 'scans'), _scans(model, 'spinning', moves=True))
    for axes, scan, moves in ((panels[0], still, False), (panels[1], spun, True)):
        _draw_room(axes, model)
        _draw_scan(axes, scan, _pose(stamp_s(scan) if moves else 0.0))
        if moves:
            _draw_base(axes, *_pose(stamp_s(scan) + scan.scan_time), alpha=0.35)
    panels[0].set_title('all rays at once', fontsize=10)
    panels[1].set_title('spin_steps: 50, while the robot drives and turns', fontsize=10)
    return figure


def contacts() -> Figure:
    """Draws a crate on a slope, with the arrows that the server publishes for RViz."""
    model = model_text('reference/sensors/contacts.md', 'slope.xml')
    plugin = listed('reference/sensors/contacts.md', 'contacts.yaml').replace(
        'name: contacts,', 'name: contacts, newtons_per_metre: 25.0,'
    )
    given = {'mujoco_xml': model, 'MujocoPlugins': plugin}
    told = record(given, {'/contacts/markers': MarkerArray}, 1.0, stamp=_stamp_of_markers)
    arrows = [each for each in told['/contacts/markers'][-1].markers if each.points]
    stage = mjcf.from_xml_string(STAGE)
    stage.attach(mjcf.from_xml_string(model), extra_body=False)
    physics = mjcf.Physics.from_mjcf_model(stage)
    while physics.time() < 1.0:
        physics.step()

    def draw(_: Any, scene: mujoco.MjvScene) -> None:
        for arrow in arrows:
            _add_arrow(scene, *arrow.points)

    crate = physics.model.geom('slope/wood').id
    physics.model.geom_rgba[crate, 3] = 0.5  # makes the arrows behind it visible
    image = free_shot(physics, 360, 640, (0, 0, 0.18), 0.75, 70, -12, draw)
    figure = Figure((6.4, 3.6), dpi=DPI)
    figure.add_axes((0, 0, 1, 1)).imshow(image, aspect='auto')
    figure.axes[0].axis('off')
    return figure


def depth_cloud() -> Figure:
    """Draws a camera image, and the points of the depth cloud from the side."""
    text = model_text('reference/sensors/depth-cloud.md', 'shelf.xml')
    given = {
        'mujoco_xml': text,
        'MujocoPlugins': listed('reference/sensors/depth-cloud.md', 'depth_cloud.yaml'),
    }
    cloud = record(given, {'/points': PointCloud2}, 0.0)['/points'][0]
    numbers = np.frombuffer(bytes(cloud.data), np.float32).reshape(-1, 4)
    colors = np.frombuffer(bytes(cloud.data), np.uint8).reshape(-1, 16)[:, 14:11:-1] / 255.0
    seen = np.isfinite(numbers[:, 2])
    physics = mjcf.Physics.from_mjcf_model(mjcf.from_xml_string(text))
    physics.forward()
    figure = Figure((9.2, 3.4), dpi=DPI, layout='constrained')
    image, side = figure.subplots(1, 2, width_ratios=(4, 5))
    image.imshow(physics.render(height=300, width=400, camera_id='depth'))
    image.set_title('camera', fontsize=10)
    image.axis('off')
    across, up, away = _from_beside(numbers[seen, :3])
    order = np.argsort(-away)  # draws near points last
    side.scatter(across[order], up[order], s=0.8, c=colors[seen][order], linewidths=0)
    for corner in (-0.12, -0.09, 0.2), (0.12, -0.09, 0.2), (0.12, 0.09, 0.2), (-0.12, 0.09, 0.2):
        side.plot(*_from_beside(np.array([(0, 0, 0), corner]))[:2], color=INK, linewidth=1)
    side.set_title('/points, from beside the camera', fontsize=10)
    side.set(aspect='equal')
    side.axis('off')
    return figure


def _from_beside(points: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Projects points of the optical frame for a viewer to the right of and above the camera.

    Returns one row each for right, up and depth in the frame of the viewer.
    """
    x, y, z = points.T
    turn, tilt = np.radians(45.0), np.radians(22.0)
    right = x * np.cos(turn) + z * np.sin(turn)
    away = z * np.cos(turn) - x * np.sin(turn)
    return np.array([
        right, -y * np.cos(tilt) + away * np.sin(tilt), away * np.cos(tilt) + y * np.sin(tilt)
    ])  # fmt: skip


def _scans(model: str, name: str, *, moves: bool = False) -> list[LaserScan]:
    plugins = listed('reference/sensors/scans.md', f'{name}.yaml')
    given = {'mujoco_xml': model, 'MujocoPlugins': plugins}
    if moves:
        start = 'initial_joint_velocities.joint_map'
        given |= {f'{start}.drive': SPEED, f'{start}.turn': TURN}
    return record(given, {'/scan': LaserScan}, 0.1)['/scan']


def _pose(time_s: float) -> tuple[np.ndarray[Any, Any], float]:
    """Returns the position and the heading of the base."""
    return np.array([BASE[0] + SPEED * time_s, BASE[1]]), TURN * time_s


def _draw_room(axes: Axes, model: str) -> None:
    """Draws the boxes and the cylinder of the room."""
    room = mujoco.MjModel.from_xml_string(model)
    for geom in range(room.ngeom):
        (x, y, _), (wide, deep, _) = room.geom_pos[geom], room.geom_size[geom]
        if room.geom_bodyid[geom] or room.geom_type[geom] == mujoco.mjtGeom.mjGEOM_PLANE:
            continue
        style = {'facecolor': '#d0d5da', 'edgecolor': PALE}
        if room.geom_type[geom] == mujoco.mjtGeom.mjGEOM_CYLINDER:
            axes.add_patch(Circle((x, y), wide, **style))
        else:
            corners = [(x - wide, y - deep), (x + wide, y - deep), (x + wide, y + deep),
                       (x - wide, y + deep)]  # fmt: skip
            axes.add_patch(Polygon(corners, **style))
    axes.set(xlim=(-3.3, 3.3), ylim=(-2.35, 2.35), aspect='equal')
    axes.axis('off')


def _draw_scan(axes: Axes, scan: LaserScan, pose: tuple[np.ndarray[Any, Any], float]) -> None:
    """Draws the points of a scan as if all were measured from one pose, with some rays."""
    place, turn = pose
    from_ = place + SITE * np.array([np.cos(turn), np.sin(turn)])
    angles = turn + scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges))
    ends = from_ + np.stack([np.cos(angles), np.sin(angles)], axis=1) * np.c_[scan.ranges]
    for end in ends[::24]:
        axes.plot(*np.transpose([from_, end]), color=POINTS, linewidth=0.4, alpha=0.6)
    axes.plot(*ends.T, '.', markersize=2.5, color=POINTS)
    _draw_base(axes, place, turn)


def _draw_base(
    axes: Axes, place: np.ndarray[Any, Any], turn: float, *, alpha: float = 1.0
) -> None:
    cosine, sine = np.cos(turn), np.sin(turn)
    corners = np.array([(-0.25, -0.18), (0.25, -0.18), (0.32, 0), (0.25, 0.18), (-0.25, 0.18)])
    corners = corners @ np.array([[cosine, sine], [-sine, cosine]]) + place
    axes.add_patch(Polygon(corners, facecolor=BLUE, edgecolor=INK, alpha=alpha, zorder=3))


def _stamp_of_markers(message: MarkerArray) -> float:
    return stamp_s(message.markers[0])


def _add_arrow(scene: mujoco.MjvScene, start: Point, end: Point) -> None:
    geom, scene.ngeom = scene.geoms[scene.ngeom], scene.ngeom + 1
    color = np.array([0.95, 0.45, 0.13, 1.0], np.float32)
    kind, zeros = mujoco.mjtGeom.mjGEOM_ARROW, np.zeros(3)
    mujoco.mjv_initGeom(geom, kind, zeros, zeros, np.eye(3).ravel(), color)
    ends = [np.array([each.x, each.y, each.z]) for each in (start, end)]
    mujoco.mjv_connector(geom, kind, 0.01, *ends)
