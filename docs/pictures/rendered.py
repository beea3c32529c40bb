"""Pictures rendered offscreen by MuJoCo."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from matplotlib.figure import Figure

from mujoco_ros_py import mjcf
from mujoco_ros_py.engine.engine_plugins import register
from mujoco_ros_py.engine.engine_plugins.shipped import gear, superquadric, torus

from .board import BLUE, DPI, GREEN, ORANGE, Board
from .examples import DOCS, example

EXAMPLES = DOCS.parent / 'examples'
POSE = {'joint2': 0.5, 'joint4': 1.2, 'joint6': 0.6}
"""The joint positions of the demo in the pictures, in rad."""
FAR = 3.0
"""Depths beyond this value are white in the depth picture, in m."""
STAGE = """
<mujoco>
  <visual>
    <headlight ambient="0.4 0.4 0.4" diffuse="0.4 0.4 0.4" specular="0.1 0.1 0.1"/>
    <global offwidth="1280" offheight="960"/>
    <quality shadowsize="4096"/>
  </visual>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0.8 0.85 0.9"
      width="64" height="384"/>
  </asset>
  <worldbody><light pos="1 -2 4" dir="-0.25 0.5 -1" diffuse="0.5 0.5 0.5"/></worldbody>
</mujoco>
"""
"""A light and a sky for models without them."""

_SWINGING = ('front_right', 'rear_left')
"""The swing legs in the picture of the quadruped."""

GEAR = {'thickness': '0.1', 'innerdiameter': '0.08'}
SHAPES = (
    ('mujoco_ros_py.gear', '-0.6 0 0.3', '0.55 0.6 0.66', {**GEAR, 'diameter': '0.5'}),
    (
        'mujoco_ros_py.gear', '-0.225 0 0.3', '0.95 0.45 0.13',
        {**GEAR, 'diameter': '0.24', 'teeth': '12', 'alpha': '0.2618'},
    ),
    ('mujoco_ros_py.torus', '0.15 0 0.3', '0.3 0.5 0.8', {'radius1': '0.14', 'radius2': '0.05'}),
    (
        'mujoco_ros_py.superquadric', '0.55 0 0.3', '0.35 0.65 0.4',
        {'axes': '0.14 0.14 0.14', 'north': '0.3', 'east': '0.3'},
    ),
    ('example.bean', '0.95 0 0.3', '0.75 0.3 0.35', {'radius': '0.08'}),
)  # fmt: skip
"""Plugin, position, colour and attributes of each shape; the bean is an example of the guide."""


def cameras() -> Figure:
    """Draws the three streams of a camera."""
    model = mjcf.from_path(EXAMPLES / 'arm.xml')
    physics = mjcf.Physics.from_mjcf_model(model)
    for name, angle in POSE.items():
        physics.bind(model.find('joint', name)).qpos = angle
    physics.forward()
    given = {'height': 360, 'width': 400, 'camera_id': 'overview'}
    depth = physics.render(**given, depth=True)
    images = {
        'rgb': physics.render(**given),
        'depth': np.where(depth < FAR, depth, np.nan),
        'segmented': _colours(physics.render(**given, segmentation=True)[..., 0]),
    }
    figure = Figure((9.2, 3.0), dpi=DPI, layout='constrained')
    for axes, (title, image) in zip(figure.subplots(1, 3), images.items(), strict=True):
        axes.imshow(image, cmap='viridis')
        axes.set_title(title, family='monospace', fontsize=11)
        axes.axis('off')
    return figure


def _colours(labels: Any) -> Any:
    """Returns an image with a colour for each label; white for the background."""
    palette = np.random.default_rng(3).uniform(0.2, 0.9, (labels.max() + 1, 3))
    return np.where(labels[..., None] < 0, 1.0, palette[labels])


def transforms() -> Figure:
    """Draws a rover with the axes of its frames, next to the tree of frames."""
    model = mjcf.from_path(EXAMPLES / 'rover.xml')
    model.visual.scale.framelength, model.visual.scale.framewidth = 1.0, 0.06
    model.visual.map.alpha = 0.35
    physics = mjcf.Physics.from_mjcf_model(model)
    option = mujoco.MjvOption()
    option.frame = mujoco.mjtFrame.mjFRAME_BODY
    option.flags[mujoco.mjtVisFlag.mjVIS_TRANSPARENT] = True
    image = free_shot(physics, 480, 545, (0, 0, 0.13), 0.9, 130, -28, option=option)
    board = Board(9.2, 4.2)
    board.axes.imshow(image, extent=(0.1, 4.65, 0.1, 4.1), aspect='auto')
    board.axes.set(xlim=(0, 9.2), ylim=(0, 4.2))
    world = board.box(7.0, 3.75, 'world', width=1.5, height=0.42, color=BLUE)
    odom = board.box(7.0, 2.85, 'odom', width=1.5, height=0.42, color=GREEN)
    base = board.box(7.0, 1.95, 'base_link', width=1.5, height=0.42, color=GREEN)
    names = (5.6, 'left_wheel'), (7.0, 'mast'), (8.4, 'right_wheel')
    parts = [
        board.box(x, 0.95, name, width=1.2, height=0.42, color=ORANGE, size=9) for x, name in names
    ]
    board.arrow(world, odom, '/tf_static')
    board.arrow(odom, base, '/tf')
    for part in parts:
        board.arrow(base, part)
    board.text(7.0, 0.4, 'green: Odometry    orange: Transforms', size=9)
    return board.figure


def mjcf_objects() -> Figure:
    """Draws a torso with two arms, composed of three models."""
    torso = example('how-to/mjcf.md', 'body.py')['torso']
    image = free_shot(_physics_on_stage(torso), 400, 520, (0, 0, 0), 0.95, 115, -15)
    board = Board(9.2, 3.6)
    board.axes.imshow(image, extent=(4.6, 9.1, 0.1, 3.5), aspect='auto')
    board.axes.set(xlim=(0, 9.2), ylim=(0, 3.6))
    whole = board.box(2.3, 3.0, 'torso\nmjcf.RootElement', color=BLUE, width=2.2)
    for x, side in ((1.15, 'left'), (3.45, 'right')):
        site = board.box(x, 1.85, f"site '{side}'\n.attach(arm('{side}'))", width=2.0, height=0.65)
        part = board.box(
            x, 0.6, f'{side}_arm\n{side}_arm/upper\n{side}_arm/shoulder', color=ORANGE, height=0.85
        )
        board.arrow(whole, site)
        board.arrow(site, part)
    return board.figure


def coming_from_pymjcf() -> Figure:
    """Draws the two migration paths from PyMJCF, which share the same elements."""
    board = Board(9.2, 3.0)
    before = board.box(1.3, 1.5, 'your code\nfrom dm_control import mjcf', width=2.4, height=0.7)
    by_import = board.box(
        5.25, 2.35, 'pymjcf\nfrom mujoco_ros_py.mjcf import pymjcf\nthe behaviour of PyMJCF',
        width=3.0, height=0.95, color=GREEN,
    )  # fmt: skip
    moved = board.box(
        5.25, 0.65, 'mjcf\nfrom mujoco_ros_py import mjcf\nfor new code, with type hints',
        width=3.0, height=0.95, color=GREEN,
    )  # fmt: skip
    elements = board.box(
        8.3, 1.5, 'elements\nof the installed\nMuJoCo', width=1.5, height=0.95, color=ORANGE
    )
    board.arrow(before, by_import)
    board.arrow(before, moved)
    board.arrow(by_import, elements)
    board.arrow(moved, elements)
    board.text(2.5, 2.4, 'change the import', size=9)
    board.text(2.5, 0.6, 'change the import\nand some calls', size=9)
    return board.figure


def engine_plugins() -> Figure:
    """Draws shapes of engine plugins: two gears, a torus, a superquadric and a bean."""
    for shape in gear.Gear, torus.Torus, superquadric.Superquadric:
        register(shape)
    example('how-to/engine-plugins.md', 'bean.py')
    model = mjcf.from_xml_string(STAGE)
    for number, (plugin, place, rgb, config) in enumerate(SHAPES):
        _add_shape(model, f'shape{number}', plugin, place, rgb, config)
    image = free_shot(
        _physics_on_stage(model, stage=False), 300, 960, (0.13, 0, 0.28), 0.95, 90, -30
    )
    figure = Figure((8.7, 2.72), dpi=DPI)
    figure.add_axes((0, 0, 1, 1)).imshow(image, aspect='auto')
    figure.axes[0].axis('off')
    return figure


def _add_shape(
    model: Any, name: str, plugin: str, place: str, rgb: str, config: dict[str, str]
) -> None:
    """Adds a geom whose shape comes from an engine plugin."""
    known = [each.plugin for each in model.extension.plugin]
    if plugin not in known:
        model.extension.add('plugin', plugin=plugin)
    (kind,) = [each for each in model.extension.plugin if each.plugin == plugin]
    instance = kind.add('instance', name=name)
    for key, value in config.items():
        instance.add('config', key=key, value=value)
    model.asset.add('mesh', name=name).add('plugin', instance=name)
    turn = '0 0 -90' if plugin == 'example.bean' else '0 0 0'  # shown from the side
    body = model.worldbody.add('body', pos=place, euler=turn)
    geom = body.add('geom', type='sdf', mesh=name, rgba=f'{rgb} 1')
    geom.add('plugin', instance=name)


def _physics_on_stage(model: Any, *, stage: bool = True) -> mjcf.Physics:
    if stage:
        whole = mjcf.from_xml_string(STAGE)
        whole.attach(model)
        model = whole
    return mjcf.Physics.from_mjcf_model(model)


def free_shot(
    physics: mjcf.Physics, height: int, width: int, at: Any, distance: float,
    azimuth: float, elevation: float, draw: Any = None, *, option: Any = None,
) -> Any:  # fmt: skip
    """Renders with a free camera; angles are in degrees. `draw` can add geoms to the scene."""
    camera = mujoco.MjvCamera()
    camera.lookat[:] = at
    camera.distance, camera.azimuth, camera.elevation = distance, azimuth, elevation
    flags = {'shadow': option is None}  # transparent geoms cast no shadow
    return physics.render(
        height, width, camera, scene_option=option, render_flag_overrides=flags,
        scene_callback=draw,
    )  # fmt: skip


def example_robots() -> Figure:
    """Draws the arm holding the cube, the cart, and the quadruped in mid-step."""
    figure = Figure((9.2, 2.4), dpi=DPI, layout='constrained')
    images = _picker(), _rover(), _quadruped()
    for axes, image in zip(figure.subplots(1, 3), images, strict=True):
        axes.imshow(image)
        axes.axis('off')
    return figure


def _picker() -> Any:
    picker = mjcf.from_path(EXAMPLES / 'picker.xml')
    physics = mjcf.Physics.from_mjcf_model(picker)
    holding = {'joint1': -0.418, 'joint2': 0.8, 'joint3': -1.5, 'joint4': -0.87, 'joint5': -0.418}
    for name, value in {**holding, 'finger': 0.02, 'finger_mimic': 0.02}.items():
        physics.bind(picker.find('joint', name)).qpos = value
    physics.forward()
    place = physics.bind(picker.find('site', 'grasp')).xpos
    physics.bind(picker.find('joint', 'cube')).qpos = [*place, 1, 0, 0, 0]
    physics.forward()
    return physics.render(height=420, width=560, camera_id='overview')


def _rover() -> Any:
    rover = mjcf.from_path(EXAMPLES / 'rover.xml')
    rover.worldbody.add(
        'camera', name='beside', pos=[-1.0, -1.0, 0.9], xyaxes=[0.6, -0.8, 0, 0.4, 0.3, 0.87]
    )
    physics = mjcf.Physics.from_mjcf_model(rover)
    physics.forward()
    return physics.render(height=420, width=560, camera_id='beside')


def _quadruped() -> Any:
    quadruped = mjcf.from_path(EXAMPLES / 'quadruped.xml')
    physics = mjcf.Physics.from_mjcf_model(quadruped)
    physics.reset('home')
    swinging, standing = (0.9, -1.95), (0.95, -1.5)
    for leg in 'front_left', 'front_right', 'rear_left', 'rear_right':
        postures = zip(('hip', 'knee'), swinging if leg in _SWINGING else standing, strict=True)
        for joint, value in postures:
            physics.bind(quadruped.find('joint', f'{leg}_{joint}')).qpos = value
    physics.forward()
    return physics.render(height=420, width=560, camera_id='overview')
