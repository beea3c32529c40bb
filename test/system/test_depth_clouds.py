"""The points of a depth camera against planes whose places are known."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sensor_msgs.msg import PointCloud2
from simulation.rendering.screens import orthographic

from mujoco_ros_py.builtin.sensors.depth.depth_cloud import DepthNoise
from mujoco_ros_py.builtin.sensors.noise import AxisNoise
from mujoco_ros_py.ros.parameters.authorization import Authorization

from .cameras import images, stamps
from .harness import seconds, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]

DOWN = math.radians(30)
ROOM = """
<mujoco>
  <visual><map znear="0.01" zfar="30"/></visual>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="0 0 1" rgba="1 0 0 1"/>
    <geom name="wall" type="box" size="3 0.1 1" pos="0 4.1 1" rgba="0 0 1 1"/>
    <camera name="eye" pos="0 0 1" xyaxes="1 0 0 0 0.5 0.8660254037844386" fovy="60"/>
  </worldbody>
</mujoco>
"""
"""The camera looks along y, and 30 degrees down."""
SIZE = 120, 160
TO_WORLD = np.array(
    [[1, 0, 0], [0, -math.sin(DOWN), math.cos(DOWN)], [0, -math.cos(DOWN), -math.sin(DOWN)]]
)
"""The axes of the optical frame (x right, y down, z ahead) in the world, as columns."""


CLOUD = {'type': 'mujoco_ros_py/DepthCloud', 'name': 'cloud', 'camera': 'eye', 'width': SIZE[1],
         'height': SIZE[0], 'range': {'max': 20.0}}  # fmt: skip


def load(share, xml: str = ROOM, **config: Any) -> tuple[Any, Any]:
    """Returns the process and a client of a running server with such a camera."""
    given = {'mujoco_xml': xml, 'MujocoPlugins': json.dumps([{**CLOUD, **config}])}
    process, client = share({'mujoco_xml': ROOM, 'MujocoPlugins': '[]'}, given=given)
    assert client.pause(False).success
    return process, client


def clouds(client: Any) -> list[PointCloud2]:
    messages = client.collect(PointCloud2, '/cloud')
    wait_until(lambda: len(messages) > 2, 'clouds')
    return messages


def points_of(cloud: PointCloud2) -> np.ndarray:
    return np.frombuffer(bytes(cloud.data), np.float32).reshape(cloud.height, cloud.width, 4)


def test_the_points_lie_on_the_floor_and_on_the_wall(share):
    messages = clouds(load(share, color=True)[1])
    cloud = messages[-1]
    assert (cloud.height, cloud.width, cloud.header.frame_id) == (*SIZE, 'eye_optical_frame')
    assert [field.name for field in cloud.fields] == ['x', 'y', 'z', 'rgb']
    assert not cloud.is_bigendian
    points = points_of(cloud)
    world = points[..., :3].astype(float) @ TO_WORLD.T + [0, 0, 1]
    seen = ~np.isnan(world[..., 0])
    on_floor, on_wall = np.abs(world[..., 2]) < 1e-4, np.abs(world[..., 1] - 4.0) < 1e-3
    assert np.all((on_floor | on_wall)[seen])
    assert seen[-1].all(), 'the floor fills the lowest row'
    assert np.any(on_wall)
    colours = np.frombuffer(bytes(cloud.data), np.uint8).reshape(*SIZE, 16)[..., 12:15]
    blue, _, red = (colours[..., k].astype(int) for k in range(3))
    assert np.all((red > blue)[on_floor & ~on_wall])
    assert np.all((blue > red)[on_wall & ~on_floor])


def test_a_cloud_has_the_stamps_of_the_images_of_its_camera_and_its_resolution(share):
    xml = ROOM.replace('name="eye"', 'name="eye" resolution="40 30"')
    _, client = load(share, xml, width=0, height=0, update_rate=15.0)
    came = images(client, '/cameras/eye/rgb')
    wait_until(lambda: len(came) > 1, 'images')
    messages = clouds(client)
    wait_until(lambda: stamps(came)[-1] > stamps(messages)[2], 'images of these moments')
    assert (messages[0].height, messages[0].width) == (30, 40)
    assert set(stamps(messages)[:3]) <= set(stamps(came))


def test_a_cloud_of_another_size_has_the_stamps_of_the_images_of_its_frequency(share):
    xml = ROOM.replace('name="eye"', 'name="eye" resolution="40 30"')
    cameras = {'type': 'mujoco_ros_py/Cameras', 'cameras': {'eye': {'width': 0, 'height': 0,
               'frequency': 30.0}}}  # fmt: skip
    cloud = {**CLOUD, 'width': 24, 'height': 18, 'update_rate': 30.0}
    given = {'mujoco_xml': xml, 'MujocoPlugins': json.dumps([cameras, cloud]), 'realtime': 0.2}
    _, client = share({'mujoco_xml': ROOM, 'MujocoPlugins': '[]', 'realtime': 1.0}, given=given)
    assert client.pause(False).success
    came = images(client, '/cameras/eye/rgb')
    wait_until(lambda: len(came) > 3, 'images, on whose beat the cloud begins')
    messages = clouds(client)
    wait_until(lambda: len(messages) > 5 and stamps(came)[-1] > stamps(messages)[5], 'both')
    assert (messages[0].height, messages[0].width) == (18, 24)
    assert (came[0].height, came[0].width) == (30, 40)
    of_cloud, of_images = set(stamps(messages)), set(stamps(came))
    assert of_cloud & of_images
    gaps = [after - before for before, after in pairwise(sorted(of_cloud | of_images))]
    assert min(gaps) > 1 / 30.0 - 0.003, 'no stamp is between those of the other'


def test_pixels_without_a_distance_within_the_range_are_nan(share):
    messages = clouds(load(share, range={'min': 1.5, 'max': 2.5})[1])
    points = points_of(messages[-1])
    depth = points[..., 2]
    seen = ~np.isnan(depth)
    assert 0 < seen.sum() < seen.size
    assert depth[seen].min() >= 1.5
    assert depth[seen].max() <= 2.5
    assert np.array_equal(np.isnan(points[..., 0]), ~seen)
    assert [field.name for field in messages[-1].fields] == ['x', 'y', 'z']


def test_noise_is_that_of_the_configuration_and_of_the_seed(share):
    noise = {'stddev': 0.01, 'mean': 0.05}
    _, client = load(share, noise=noise, seed=3, update_rate=50.0)
    messages = clouds(client)
    first = {seconds(cloud.header.stamp): points_of(cloud)[..., 2] for cloud in messages}
    times = sorted(first)
    one, other = first[times[-1]], first[times[-2]]
    difference = (one - other)[~np.isnan(one - other)]
    spread = math.sqrt(2) * 0.01
    assert difference.std() == pytest.approx(spread, rel=5 / math.sqrt(2 * len(difference)))
    assert abs(difference.mean()) < 5 * spread / math.sqrt(len(difference))
    assert client.set_parameters(cloud__noise__stddev=0.0)[0].successful
    count = len(messages)
    wait_until(lambda: len(messages) > count + 3, 'clouds without white noise')
    still = [points_of(cloud)[..., 2] for cloud in messages[-2:]]
    assert np.array_equal(*still, equal_nan=True)
    centre = still[0][SIZE[0] // 2, SIZE[1] // 2]
    assert centre == pytest.approx(2.0 + 0.05, abs=0.02), 'the mean is a bias'


def test_beside_noise_there_is_the_truth_with_the_same_moments(share):
    """The bias of this seed is far from 0, and drifts from one moment to the next."""
    drift = {'dynamic_bias_stddev': 1.0, 'dynamic_bias_correlation_time': 1.0}
    noise = {'mean': 0.5, 'stddev': 0.01, **drift}
    _, client = load(share, noise=noise, seed=3, update_rate=50.0, color=True)
    messages = clouds(client)
    true = client.collect(PointCloud2, '/cloud/ground_truth')

    def both() -> list[tuple[float, np.ndarray, np.ndarray]]:
        exact = {seconds(cloud.header.stamp): points_of(cloud)[..., 2] for cloud in tuple(true)}
        told = {seconds(cloud.header.stamp): points_of(cloud)[..., 2] for cloud in tuple(messages)}
        return [(time, told[time], exact[time]) for time in sorted(told.keys() & exact.keys())]

    wait_until(lambda: len(both()) > 3, 'clouds of the same moments')
    law = DepthNoise(AxisNoise(**drift), 3, '/cloud')
    for time, measured, exact in both():
        assert exact[SIZE[0] // 2, SIZE[1] // 2] == pytest.approx(2.0, abs=0.02)
        errors = (measured - exact)[~np.isnan(measured - exact)]
        drifted = law.applied(np.zeros((1, 1), np.float32), round(time / 0.002), 0.002)
        bias = 0.5 + float(drifted[0, 0])
        assert errors.mean() == pytest.approx(bias, abs=5 * 0.01 / math.sqrt(len(errors)))
        assert errors.std() == pytest.approx(0.01, rel=5 / math.sqrt(2 * len(errors)))
    assert true[-1].header.frame_id == messages[-1].header.frame_id
    assert true[-1].fields == messages[-1].fields


def test_in_a_protected_run_noise_cannot_be_computed_from_the_seed(start):
    noise = {'bias_stddev': 1.0, 'bias_mean': 5.0}
    secret = {'eval_mode': True, 'admin_hash': 'secret'}
    plugins = json.dumps([{**CLOUD, 'noise': noise, 'seed': 3}])
    _, client = start({'mujoco_xml': ROOM, 'MujocoPlugins': plugins, **secret})
    messages = clouds(client)
    assert client.node.count_publishers('/cloud') == 1
    assert client.node.count_publishers('/cloud/ground_truth') == 0
    centre = points_of(messages[-1])[SIZE[0] // 2, SIZE[1] // 2, 2]
    by_seed = DepthNoise(AxisNoise(**noise), 3, '/cloud')
    guessed = by_seed.applied(np.float32([[2.0]]), 0, 0.002)[0, 0]
    secret = Authorization(True, 'secret').noise_secret()
    by_hash = DepthNoise(AxisNoise(**noise), 3, '/cloud', secret)
    told = by_hash.applied(np.float32([[2.0]]), 0, 0.002)[0, 0]
    assert centre == pytest.approx(told, abs=0.02)
    assert abs(centre - guessed) > 0.05


@pytest.mark.parametrize(
    ('xml', 'camera', 'reason'),
    [
        (ROOM, 'ear', "camera: unknown camera 'ear'; known: eye"),
        (
            ROOM.replace('fovy="60"', f'fovy="4" {orthographic()}'), 'eye',
            'camera must be a perspective camera, got eye',
        ),
    ],
    ids=['unknown', 'orthographic'],
)  # fmt: skip
def test_a_camera_that_has_no_such_points_is_refused(share, xml, camera, reason):
    process, _ = load(share, xml, camera=camera)
    process.wait_for_output(reason)


def test_a_server_that_makes_no_images_says_that_there_are_no_clouds(start):
    plugins = json.dumps([CLOUD])
    process, _ = start({'mujoco_xml': ROOM, 'MujocoPlugins': plugins, 'render_offscreen': False})
    process.wait_for_output('this simulation makes no images: render_offscreen is false')
    process.wait_for_output('1 of 1 plugins ready')
