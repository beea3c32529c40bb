"""Scans and points of lidars against walls whose distances are known."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sensor_msgs.msg import LaserScan, PointCloud2

from .harness import seconds, wait_until

pytestmark = pytest.mark.slow

EAST, NORTH, WEST, HEIGHT = 3.0, 2.0, 2.5, 0.5
"""The distances of the walls from the scanner, and its height above the floor."""
ROOM = f"""
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" rgba="1 1 1 1"/>
    <geom name="east" type="box" size="0.1 4 2" pos="{EAST + 0.1} 0 0" rgba="0 1 0 1"/>
    <geom name="north" type="box" size="4 0.1 2" pos="0 {NORTH + 0.1} 0"/>
    <geom name="west" type="box" size="0.1 4 2" pos="{-WEST - 0.1} 0 0"/>
    <body name="base" pos="0 0 {HEIGHT}">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom name="hull" size="0.2" contype="0" conaffinity="0" mass="1"/>
      <body name="mast" pos="0.4 0 0"><geom size="0.05" contype="0" conaffinity="0"/></body>
      <site name="laser"/>
    </body>
    <body name="visitor" pos="0 -1 {HEIGHT}"><geom size="0.1" group="3"/></body>
  </worldbody>
</mujoco>
"""
SPEED = 0.5
POINT = np.dtype(
    {
        'names': ['x', 'y', 'z', 'intensity', 'ring', 'time'],
        'formats': ['<f4', '<f4', '<f4', '<f4', '<u2', '<f4'],
        'offsets': [0, 4, 8, 12, 16, 20],
        'itemsize': 24,
    }
)


def listed(kind: str, **config: Any) -> dict[str, Any]:
    plugin = {'type': f'mujoco_ros_py/{kind}', 'site': 'laser', **config}
    return {'mujoco_xml': ROOM, 'MujocoPlugins': {'names': ['scan'], 'scan': plugin}}


def scans(start, **config: Any) -> list[LaserScan]:
    _, client = start(listed('LaserScan', **config))
    messages = client.collect(LaserScan, '/scan')
    wait_until(lambda: len(messages) > 2, 'scans')
    return messages


def points_of(cloud: PointCloud2) -> np.ndarray:
    return np.frombuffer(bytes(cloud.data), POINT).reshape(cloud.height, -1)


def distance(angle: float) -> float:
    """The distance of the nearest wall in a horizontal direction; inf to the south."""
    x, y = math.cos(angle), math.sin(angle)
    walls = [(x, EAST), (y, NORTH), (-x, WEST)]
    return min((away / along for along, away in walls if along > 1e-9), default=math.inf)


def test_a_scan_has_the_distances_of_the_walls_counterclockwise_from_the_x_axis(start):
    first, last = -math.pi / 4, math.pi
    far = {'min': 0.1, 'max': 20.0}
    message = scans(
        start, samples=101, min_angle=first, max_angle=last, range=far, exclude=['visitor']
    )[-1]
    angles = [first + k * (last - first) / 100 for k in range(101)]
    assert np.allclose(message.ranges, [distance(angle) for angle in angles], atol=1e-5)
    assert message.header.frame_id == 'laser'
    assert message.angle_increment == pytest.approx((last - first) / 100)
    assert (message.angle_min, message.angle_max) == pytest.approx((first, last))
    assert (message.time_increment, message.scan_time) == (0.0, pytest.approx(0.1))
    assert (message.range_min, message.range_max) == pytest.approx((0.1, 20.0))
    assert message.intensities[25] == pytest.approx(255 * 0.7152), 'a green wall'


def test_scans_come_at_their_rate_of_simulated_time(start):
    times = [seconds(scan.header.stamp) for scan in scans(start, update_rate=20.0, samples=4)]
    gaps = {round(after - before, 6) for before, after in pairwise(times)}
    assert gaps == {0.05}


def test_what_is_too_far_is_inf_and_what_is_too_near_is_minus_inf(start):
    message = scans(
        start, samples=3, min_angle=0.0, max_angle=math.pi, range={'min': 2.2, 'max': 2.9}
    )[-1]
    assert list(message.ranges) == [math.inf, -math.inf, pytest.approx(WEST)]
    assert message.intensities[0] == 0


def test_distances_are_rounded_to_the_resolution(start):
    near = {'min': 0.0, 'max': 10.0, 'resolution': 0.07}
    message = scans(start, samples=2, min_angle=0.0, max_angle=math.pi / 2, range=near)[-1]
    assert list(message.ranges) == pytest.approx([0.07 * 43, 0.07 * 29])


def test_rays_pass_through_the_robot_itself_unless_that_is_wanted(start):
    own = {'exclude_robot': False, 'samples': 1, 'min_angle': 0.0, 'max_angle': 0.0}
    message = scans(start, **own)[-1]
    assert message.ranges[0] == pytest.approx(0.2), 'the hull, from its inside'


def test_rays_hit_only_the_groups_of_geoms_that_are_named(start):
    south = {'samples': 1, 'min_angle': -math.pi / 2, 'max_angle': -math.pi / 2}
    message = scans(start, **south)[-1]
    assert message.ranges[0] == pytest.approx(0.9), 'the visitor'


def test_rays_do_not_hit_groups_of_geoms_that_are_left_out(start):
    south = {'samples': 1, 'min_angle': -math.pi / 2, 'max_angle': -math.pi / 2}
    message = scans(start, geom_groups=[0, 1, 2], **south)[-1]
    assert message.ranges[0] == math.inf


def test_the_points_of_a_lidar_lie_on_the_walls_and_the_floor(start):
    _, client = start(
        listed(
            'Lidar',
            horizontal={'samples': 60, 'min_angle': -1.0, 'max_angle': 2.0},
            vertical={'samples': 5, 'min_angle': -0.6, 'max_angle': 0.2},
            range={'max': 30.0},
        )
    )
    messages = client.collect(PointCloud2, '/scan')
    wait_until(lambda: len(messages) > 2, 'clouds')
    cloud = messages[-1]
    points = points_of(cloud)[0]
    assert (cloud.height, cloud.width) == (1, len(points))
    assert (cloud.point_step, cloud.row_step) == (24, 24 * len(points))
    assert cloud.is_dense
    assert [field.name for field in cloud.fields] == list(POINT.names)
    planes = [EAST - points['x'], NORTH - points['y'], HEIGHT + points['z']]
    assert np.all(np.min(np.abs(planes), axis=0) < 1e-5)
    turn = np.arctan2(points['y'], points['x'])
    up = np.arctan2(points['z'], np.hypot(points['x'], points['y']))
    assert np.allclose(up, -0.6 + 0.2 * points['ring'], atol=1e-5)
    columns = (turn + 1.0) / 3.0 * 59
    assert np.allclose(columns, np.round(columns), atol=1e-3)
    assert np.all(points['time'] == 0)
    seen = {round(float(value), 2) for value in points['intensity']}
    assert seen == {255.0, round(255 * 0.7152, 2), 127.5}, 'floor, green wall, grey walls'


def test_an_organized_cloud_has_a_row_for_each_ring_and_nan_where_nothing_is_hit(start):
    _, client = start(
        listed(
            'Lidar',
            horizontal={'samples': 4, 'min_angle': -math.pi / 2, 'max_angle': math.pi},
            vertical_angles=[-0.3, 0.0, 0.1],
            organized=True,
            exclude=['visitor'],
        )
    )
    messages = client.collect(PointCloud2, '/scan')
    wait_until(lambda: len(messages) > 2, 'clouds')
    cloud = messages[-1]
    points = points_of(cloud)
    assert (cloud.height, cloud.width, cloud.is_dense) == (3, 4, False)
    to_the_south = [True, False, False, False]
    assert np.isnan(points['x']).tolist() == [[False] * 4, to_the_south, to_the_south]
    assert points['x'][1, 1] == pytest.approx(EAST)
    assert points['y'][1, 2] == pytest.approx(NORTH)
    assert points['z'][0, 0] == pytest.approx(-HEIGHT)
    assert points['ring'].tolist() == [[0] * 4, [1] * 4, [2] * 4]


def test_a_lidar_may_have_any_directions_and_tells_the_time_of_each_point(start):
    directions = [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]
    text = f"""
- type: mujoco_ros_py/Lidar
  name: scan
  site: laser
  update_rate: 5.0
  spin_steps: 4
  directions: {directions}
"""
    _, client = start({'mujoco_xml': ROOM, 'MujocoPlugins': text})
    messages = client.collect(PointCloud2, '/scan')
    wait_until(lambda: len(messages) > 2, 'clouds')
    points = points_of(messages[-1])[0]
    places = np.stack([points['x'], points['y'], points['z']], axis=1)
    expected = [[EAST, 0, 0], [0, NORTH, 0], [-WEST, 0, 0], [0, 0, -HEIGHT]]
    assert np.allclose(places, expected, atol=1e-5)
    assert np.allclose(points['time'], [0.0, 0.05, 0.1, 0.15])


def by_time(scans: list[LaserScan]) -> dict[float, np.ndarray]:
    """The ranges of each scan, by its time in seconds."""
    return {seconds(scan.header.stamp): np.array(scan.ranges) for scan in tuple(scans)}


def test_the_noise_of_a_scan_is_that_of_its_configuration_and_the_same_at_another_speed(start):
    noise = {'noise': {'stddev': 0.02, 'mean': 0.1}, 'samples': 400, 'seed': 5}
    config = {**noise, 'min_angle': -0.3, 'max_angle': 0.3, 'update_rate': 50.0}
    _, client = start(listed('LaserScan', **config))
    messages = client.collect(LaserScan, '/scan')
    true = client.collect(LaserScan, '/scan/ground_truth')
    wait_until(lambda: len(by_time(messages).keys() & by_time(true).keys()) > 25, 'scans')
    truth, slow = by_time(true), by_time(messages)
    errors = np.concatenate([slow[time] - truth[time] for time in slow.keys() & truth.keys()])
    count = len(errors)
    assert count > 8000
    assert errors.mean() == pytest.approx(0.1, abs=5 * 0.02 / math.sqrt(count))
    assert errors.std() == pytest.approx(0.02, rel=5 / math.sqrt(2 * count))
    client.set_parameters(realtime=5.0)
    messages.clear()

    def heard_again() -> dict[float, np.ndarray]:
        """The scans since then at times that were seen before; after these comes a reset."""
        if messages and seconds(messages[-1].header.stamp) > max(slow):
            client.trigger('reset')  # some scans may have been left out at this speed
        again = by_time(messages)
        return {time: again[time] for time in again.keys() & slow.keys() if time > 0}

    wait_until(lambda: len(heard_again()) > 5, 'scans at times that were seen before')
    same = heard_again()
    assert len(same) > 5
    assert all(np.array_equal(ranges, slow[time]) for time, ranges in same.items())


def test_a_scanner_whose_site_a_reload_removes_is_refused_with_the_sites_that_exist(start):
    _, client = start(listed('LaserScan', samples=4))
    messages = client.collect(LaserScan, '/scan')
    wait_until(lambda: messages, 'a scan')
    client.set_parameters(mujoco_xml=ROOM.replace('name="laser"', 'name="front"'))
    answer = client.trigger('reload')
    assert answer.success
    assert "site: unknown site 'laser'; known: front" in answer.message.replace('"', "'")
    count = len(messages)
    client.set_parameters(mujoco_xml=ROOM)
    assert client.trigger('reload').success
    wait_until(lambda: len(messages) > count, 'scans again')


def test_no_two_scans_have_the_same_stamp_at_a_rate_that_steps_do_not_meet(start):
    ahead = {'samples': 1, 'min_angle': 0.0, 'max_angle': 0.0}
    _, client = start({**listed('LaserScan', update_rate=33.3, **ahead), 'realtime': 20.0})
    messages = client.collect(LaserScan, '/scan')

    def times() -> list[float]:
        return [seconds(scan.header.stamp) for scan in list(messages)]

    wait_until(lambda: messages and times()[-1] - times()[0] > 6, 'scans of six seconds')
    assert min(after - before for before, after in pairwise(times())) > 0


def test_a_scan_that_a_pause_sends_tells_of_the_moment_of_the_pause(start):
    """The pause is between two moments that are due."""
    ahead = {'samples': 1, 'min_angle': 0.0, 'max_angle': 0.0}
    parameters = listed('LaserScan', update_rate=100.0, **ahead)
    parameters['initial_joint_velocities.joint_map.slide'] = SPEED
    _, client = start({**parameters, 'unpause': False})
    messages = client.collect(LaserScan, '/scan')
    wait_until(lambda: messages, 'a scan of the start')
    for time in (0.002, 0.004, 0.006, 0.008, 0.01, 0.012):
        assert client.trigger('step').success
        wait_until(lambda now=time: seconds(messages[-1].header.stamp) == now, f'{time} s')
    for message in messages:
        x = SPEED * seconds(message.header.stamp)
        assert message.ranges[0] == pytest.approx(EAST - x, abs=1e-5)
