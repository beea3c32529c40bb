"""The frames of cameras in TF: body, link, optical frame."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from .cameras import configs, first, images, stamps
from .faults import log_entries
from .harness import Client, seconds, wait_until

TFMessage = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed').TFMessage
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
ARM = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <camera name="wall" pos="1 2 3" euler="20 30 40"/>
    <body name="arm" pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom size="0.1" pos="0.4 0 0"/>
      <camera name="hand" pos="0.4 0 0.2" euler="0 90 0"/>
    </body>
    <camera name="eye" mode="targetbody" target="arm" pos="3 1 2"/>
    <body pos="0 0 1">
      <joint name="slider" type="slide" axis="1 0 0"/>
      <geom size="0.1" contype="0" conaffinity="0"/>
      <camera name="chase" mode="trackcom" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    </body>
  </worldbody>
</mujoco>
"""
TURNING = {
    'mujoco_xml': ARM,
    'initial_joint_velocities.joint_map.hinge': 1.0,
    'initial_joint_velocities.joint_map.slider': 0.5,
    'MujocoPlugins': '[{type: mujoco_ros_py/Transforms}]',
    'unpause': False,
    **configs(chase={'frequency': 50.0}, eye={'frequency': 50.0}),
}
OPTICAL = np.diag([1.0, -1.0, -1.0])
"""Axes of the optical frame in MuJoCo's camera."""


class Frames:
    """What came on /tf_static and /tf, by child."""

    def __init__(self, client: Client) -> None:
        self.messages = client.collect(TFMessage, '/tf_static', latched=True)
        self.moving = client.collect(TFMessage, '/tf')

    def static(self) -> dict[str, SimpleNamespace]:
        """Of cameras and bodies: two plugins tell them."""
        return wait_until(lambda: self._static(), 'static transforms of cameras')

    def _static(self) -> dict[str, SimpleNamespace]:
        told = [each for message in tuple(self.messages) for each in message.transforms]
        has_cameras = any(each.child_frame_id.endswith('_optical_frame') for each in told)
        return {each.child_frame_id: pose(each) for each in told} if has_cameras else {}

    def of(self, child: str) -> list[Any]:
        return [
            each
            for message in tuple(self.moving)
            for each in message.transforms
            if each.child_frame_id == child
        ]


def pose(message: Any) -> SimpleNamespace:
    """Parent, position and 3x3 axes of a transform."""
    position, quat = message.transform.translation, message.transform.rotation
    axes = np.empty(9)
    mujoco.mju_quat2Mat(axes, np.array([quat.w, quat.x, quat.y, quat.z]))
    return SimpleNamespace(
        parent=message.header.frame_id,
        position=np.array([position.x, position.y, position.z]),
        axes=axes.reshape(3, 3),
        time=seconds(message.header.stamp),
    )


def at(time: float) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The world then: both joints move evenly."""
    model = mujoco.MjModel.from_xml_string(ARM)
    data = mujoco.MjData(model)
    data.joint('hinge').qpos[0], data.joint('slider').qpos[0] = time, 0.5 * time
    mujoco.mj_forward(model, data)
    return model, data


def test_a_camera_on_a_body_has_static_frames_that_lead_to_what_mujoco_renders(share):
    _, client = share(TURNING)
    static = Frames(client).static()
    _, data = at(0.7)
    for camera, body in [('wall', 'world'), ('hand', 'arm')]:
        link, optical = static[f'{camera}_link'], static[f'{camera}_optical_frame']
        assert (link.parent, optical.parent) == (body, f'{camera}_link')
        place = data.body(body)
        axes = place.xmat.reshape(3, 3) @ link.axes @ optical.axes
        position = place.xpos + place.xmat.reshape(3, 3) @ link.position
        seen = data.camera(camera)
        np.testing.assert_allclose(position + optical.position, seen.xpos, atol=1e-9)
        np.testing.assert_allclose(axes, seen.xmat.reshape(3, 3) @ OPTICAL, atol=1e-9)
    _, down, ahead = static['wall_optical_frame'].axes.T
    np.testing.assert_allclose(ahead, [1, 0, 0], atol=1e-9)
    np.testing.assert_allclose(down, [0, 0, -1], atol=1e-9)
    assert {'chase_optical_frame', 'eye_optical_frame'} <= set(static)
    assert 'chase_link' not in static


@pytest.mark.parametrize('camera', ['chase', 'eye'])
def test_a_camera_that_moves_by_itself_is_where_its_image_was_made(share, camera):
    _, client = share(TURNING)
    assert client.pause(False).success
    frames = Frames(client)
    came = images(client, f'/cameras/{camera}/rgb')
    wait_until(lambda: len(frames.of(f'{camera}_link')) > 8 and len(came) > 8, 'frames')
    optical = frames.static()[f'{camera}_optical_frame'].axes
    for message in frames.of(f'{camera}_link')[:8]:
        link = pose(message)
        _, data = at(link.time)
        assert link.parent == 'world'
        np.testing.assert_allclose(link.position, data.camera(camera).xpos, atol=1e-4)
        expected = data.camera(camera).xmat.reshape(3, 3) @ OPTICAL
        np.testing.assert_allclose(link.axes @ optical, expected, atol=1e-4)

    def told() -> set[float]:
        return {pose(message).time for message in frames.of(f'{camera}_link')}

    wait_until(lambda: set(stamps(came)[2:6]) <= told(), 'the frames of these images')


def test_after_a_reload_late_comers_get_the_frames_of_the_new_cameras_alone(share):
    _, client = share(TURNING)
    Frames(client).static()
    share(TURNING, given={'mujoco_xml': ARM.replace('"hand"', '"palm"')})
    late = Frames(client)
    wait_until(lambda: 'palm_link' in late.static(), 'the new frames')
    assert 'hand_link' not in late.static()


CLASHING = """
<mujoco>
  <worldbody>
    <body name="base">
      <geom size="0.1"/>
      <camera name="wall"/>
      <camera name="base"/>
      <body name="base_link"><geom size="0.1"/></body>
    </body>
    <body name="wrist_link"><geom size="0.1"/><camera name="wrist"/></body>
    <body name="eye_optical_frame" pos="0 0 1"><geom size="0.1"/></body>
    <camera name="eye" mode="targetbody" target="base"/>
  </worldbody>
</mujoco>
"""


def test_a_camera_with_the_frame_of_a_body_has_images_and_no_frames_and_the_log_says_why(start):
    prefix = 'robot1/'
    transforms = '[{type: mujoco_ros_py/Transforms}]'
    process, client = start({
        'mujoco_xml': CLASHING,
        'frame_prefix': prefix,
        'MujocoPlugins': transforms,
        **configs(wrist={}, eye={}),
    })  # fmt: skip
    frames = Frames(client)
    wait_until(lambda: len(frames.messages) >= 2, 'the frames of bodies and cameras')
    published = [each for message in frames.messages for each in message.transforms]
    for camera in ('wrist', 'eye'):
        image = first(images(client, f'/cameras/{camera}/rgb'))
        assert image.header.frame_id == f'{prefix}{camera}_optical_frame'

    parents = {each.child_frame_id: each.header.frame_id for each in published}
    assert len(parents) == len(published), 'no frame has two parents'
    bodies = {'base': 'world', 'base_link': 'base', 'wrist_link': 'world'}
    wall = {'wall_link': 'base', 'wall_optical_frame': 'wall_link'}
    expected = {**bodies, **wall, 'eye_optical_frame': 'world'}
    assert parents == {f'{prefix}{child}': f'{prefix}{of}' for child, of in expected.items()}
    assert frames.moving == []
    said = ''.join(log_entries(process))
    for camera, body in [
        ('base', 'base_link'),
        ('wrist', 'wrist_link'),
        ('eye', 'eye_optical_frame'),
    ]:
        reason = f"and {prefix}{body} is already the frame of body '{body}'"
        assert said.count(f'camera {camera!r} has no TF frames') == 1
        assert reason in said


def test_a_camera_with_a_frame_that_a_plugin_publishes_has_none_and_the_log_says_why(share):
    model = ARM.replace('<joint name="hinge" axis="0 1 0"/>', '<freejoint/>')
    odometry = '[{type: mujoco_ros_py/Odometry, publish_tf: true, frame: wall_link}]'
    process, client = share(TURNING)
    told = len(log_entries(process))
    share(TURNING, given={'mujoco_xml': model, 'MujocoPlugins': odometry})
    frames = Frames(client)
    wait_until(lambda: len(frames.messages) >= 2, 'the frames of odometry and cameras')

    published = [each for message in frames.messages for each in message.transforms]
    assert [each.child_frame_id for each in published].count('wall_link') == 1
    reason = "wall_link is already published by plugin 'odometry'"
    assert [reason in entry for entry in log_entries(process)[told:]] == [True]
