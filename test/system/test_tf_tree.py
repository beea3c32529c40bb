"""Everything on /tf and /tf_static is one tree: one root, one parent for each frame."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
import yaml

from .cameras import images, stamps
from .harness import Client, seconds, wait_until

pytestmark = pytest.mark.slow

TFMessage = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed').TFMessage
ROOT = Path(__file__).parents[2]
SMALL = {'width': 16, 'height': 12}

FACTORY = """
<mujoco>
  <worldbody>
    <body name="arm_base" pos="1 0 0">
      <geom size="0.1"/>
      <body name="arm_link">
        <joint name="shoulder"/><geom size="0.1"/>
        <camera name="hand"/>
      </body>
    </body>
    <body name="base_link" pos="0 0 1">
      <freejoint/><geom size="0.1"/>
      <camera name="front"/>
      <body name="wheel" pos="0 1 0"><joint/><geom size="0.1"/></body>
      <body name="mast"><geom size="0.1"/></body>
    </body>
  </worldbody>
</mujoco>
"""
ODOMETRY = '{type: mujoco_ros_py/Odometry, body: base_link, publish_tf: true}'
TRANSFORMS = '{type: mujoco_ros_py/Transforms}'
ARM, BASE = {'arm_base', 'arm_link'}, {'base_link', 'wheel', 'mast'}


class Tree:
    """Who publishes which frame in which, collected for as long as it changes."""

    def __init__(self, client: Client) -> None:
        self.messages = client.collect(TFMessage, '/tf')
        self._fixed = client.collect(TFMessage, '/tf_static', latched=True)

    def parents(self) -> dict[str, set[str]]:
        parents: dict[str, set[str]] = {}
        for message in (*self.messages, *self._fixed):
            for each in message.transforms:
                parents.setdefault(each.child_frame_id, set()).add(each.header.frame_id)
        return parents

    def frames(self) -> set[str]:
        parents = self.parents()
        return {*parents, *(parent for each in parents.values() for parent in each)}

    def assert_is_one(self, frames: set[str], root: str = 'world') -> dict[str, str]:
        """The parent of each frame, once these are all there."""
        wait_until(lambda: frames - {root} <= set(self.parents()), f'{frames} on TF')
        parents = self.parents()
        assert {child: each for child, each in parents.items() if len(each) > 1} == {}
        assert self.frames() == frames
        assert self.frames() - set(parents) == {root}, 'the only root'
        return {child: parent for child, (parent,) in parents.items()}


def cameras(*names: str) -> set[str]:
    return {f'{name}_{frame}' for name in names for frame in ('link', 'optical_frame')}


def small(*names: str) -> dict[str, int]:
    return {f'cam_config.{name}.{key}': size for name in names for key, size in SMALL.items()}


SMALL_IMAGES = small('hand', 'front')


@pytest.mark.usefixtures('graphics')
@pytest.mark.parametrize(
    ('file', 'names', 'root', 'frames', 'expected'),
    [
        (
            'demo.yaml',
            ['overview', 'wrist'],
            'world',
            {'world'},
            {'wrist_link': 'world', 'overview_link': 'world'},
        ),
        (
            'rover.yaml',
            ['front'],
            'world',
            {'world', 'odom', 'base_link', 'left_wheel', 'right_wheel', 'mast'},
            {'odom': 'world', 'base_link': 'odom', 'mast': 'base_link', 'front_link': 'base_link'},
        ),
        (
            'rover_hall.yaml',
            ['front'],
            'odom',
            {'odom', 'base_link', 'left_wheel', 'right_wheel', 'mast', 'laser', 'imu'},
            {'laser': 'mast', 'imu': 'base_link'},
        ),
    ],
)
def test_an_example_has_one_tree(start, file, names, root, frames, expected):
    given = yaml.safe_load((ROOT / 'config' / file).read_text())['/**']['ros__parameters']
    _, client = start({**given, **small(*names)})
    parents = Tree(client).assert_is_one(frames | cameras(*names), root=root)
    assert {child: parents[child] for child in expected} == expected


@pytest.mark.usefixtures('graphics')
@pytest.mark.parametrize(
    ('plugins', 'frames', 'expected'),
    [
        ([ODOMETRY, TRANSFORMS], ARM | BASE | {'odom'}, {'hand_link': 'arm_link'}),
        ([TRANSFORMS, ODOMETRY], ARM | BASE | {'odom'}, {'base_link': 'odom'}),
        ([ODOMETRY], {'base_link', 'odom'}, {'hand_link': 'world', 'front_link': 'base_link'}),
        (
            ['{type: mujoco_ros_py/Transforms, root: base_link}'],
            BASE,
            {'base_link': 'world', 'hand_link': 'world', 'front_link': 'base_link'},
        ),
        (
            [
                '{type: mujoco_ros_py/Transforms, name: arm, root: arm_base}',
                ODOMETRY,
                '{type: mujoco_ros_py/Transforms, name: cart, root: base_link}',
            ],
            ARM | BASE | {'odom'},
            {'arm_base': 'world', 'wheel': 'base_link', 'base_link': 'odom'},
        ),
    ],
)
def test_a_fixed_arm_and_a_mobile_base_have_one_tree(start, plugins, frames, expected):
    text = f'[{", ".join(plugins)}]'
    process, client = start({'mujoco_xml': FACTORY, 'MujocoPlugins': text, **SMALL_IMAGES})
    parents = Tree(client).assert_is_one({'world', *frames, *cameras('hand', 'front')})
    assert {child: parents[child] for child in expected} == expected
    assert {level for level, *_ in client.diagnostics().values()} == {b'\0'}, process.output


@pytest.mark.usefixtures('graphics')
def test_a_camera_on_a_body_without_a_frame_is_where_the_body_carries_it(start):
    model_text = FACTORY.replace('<mujoco>', '<mujoco><option gravity="0 0 0"/>')
    speed = {'initial_joint_velocities.joint_map.shoulder': 1.0}
    _, client = start({'mujoco_xml': model_text, **speed, **SMALL_IMAGES})
    tree = Tree(client)
    seen = images(client, '/cameras/hand/rgb')
    wait_until(lambda: len(seen) > 5 and len(tree.messages) > 20, 'images and frames')

    model = mujoco.MjModel.from_xml_string(model_text)
    data = mujoco.MjData(model)
    told = [
        each
        for message in tuple(tree.messages)
        for each in message.transforms
        if each.child_frame_id == 'hand_link' and each.header.frame_id == 'world'
    ]
    for each in told[:20]:
        data.joint('shoulder').qpos = seconds(each.header.stamp)
        mujoco.mj_forward(model, data)
        turn = each.transform.rotation
        axes = np.empty(9)
        mujoco.mju_quat2Mat(axes, np.array([turn.w, turn.x, turn.y, turn.z]))
        ahead = axes.reshape(3, 3)[:, 0]
        looks = -data.camera('hand').xmat.reshape(3, 3)[:, 2]
        np.testing.assert_allclose(ahead, looks, atol=1e-3)
    times = {seconds(each.header.stamp) for each in told}
    assert set(stamps(seen)[:4]) <= times
