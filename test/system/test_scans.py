"""Scans and points of lidars against walls whose distances are known."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sensor_msgs.msg import LaserScan, PointCloud2

from .harness import Client, seconds, wait_until

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


def scanner(name: str, kind: str = 'LaserScan', **config: Any) -> dict[str, Any]:
    return {'type': f'mujoco_ros_py/{kind}', 'name': name, 'site': 'laser', **config}


FIRST, LAST, SOUTH = -math.pi / 4, math.pi, -math.pi / 2
TO_THE_SOUTH = {'samples': 1, 'min_angle': SOUTH, 'max_angle': SOUTH}
AHEAD = {'samples': 1, 'min_angle': 0.0, 'max_angle': 0.0}
DIRECTIONS = [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]
SCANNERS = [
    scanner('walls', samples=101, min_angle=FIRST, max_angle=LAST, exclude=['visitor'],
            range={'min': 0.1, 'max': 20.0}),
    scanner('fast', samples=4, update_rate=20.0),
    scanner('cut', samples=3, min_angle=0.0, max_angle=LAST, range={'min': 2.2, 'max': 2.9}),
    scanner('rounded', samples=2, min_angle=0.0, max_angle=math.pi / 2,
            range={'min': 0.0, 'max': 10.0, 'resolution': 0.07}),
    scanner('own', exclude_robot=False, **AHEAD),
    scanner('all_groups', **TO_THE_SOUTH),
    scanner('some_groups', geom_groups=[0, 1, 2], **TO_THE_SOUTH),
    scanner('lidar', 'Lidar', horizontal={'samples': 60, 'min_angle': -1.0, 'max_angle': 2.0},
            vertical={'samples': 5, 'min_angle': -0.6, 'max_angle': 0.2}, range={'max': 30.0}),
    scanner('organized', 'Lidar', vertical_angles=[-0.3, 0.0, 0.1], organized=True,
            horizontal={'samples': 4, 'min_angle': SOUTH, 'max_angle': LAST},
            exclude=['visitor']),
    scanner('directed', 'Lidar', update_rate=5.0, spin_steps=4, directions=DIRECTIONS),
]  # fmt: skip
AT_REST = {
    'mujoco_xml': ROOM,
    'unpause': False,
    'realtime': 1.0,
    'MujocoPlugins': str(SCANNERS),
    'initial_joint_velocities.joint_map.slide': 0.0,
}
"""A pause sends what is measured in it."""


def given(*scanners: dict[str, Any], **parameters: Any) -> dict[str, Any]:
    return {'MujocoPlugins': str(list(scanners)), **parameters}


def heard(client: Client, kind: Any, topic: str, count: int = 1) -> list[Any]:
    messages = client.collect(kind, topic)
    wait_until(lambda: len(messages) >= count, topic)
    return messages


def points_of(cloud: PointCloud2) -> np.ndarray:
    return np.frombuffer(bytes(cloud.data), POINT).reshape(cloud.height, -1)


def distance(angle: float) -> float:
    """The distance of the nearest wall in a horizontal direction; inf to the south."""
    x, y = math.cos(angle), math.sin(angle)
    walls = [(x, EAST), (y, NORTH), (-x, WEST)]
    return min((away / along for along, away in walls if along > 1e-9), default=math.inf)


def test_a_scan_has_the_distances_of_the_walls_counterclockwise_from_the_x_axis(share):
    _, client = share(AT_REST)
    message = heard(client, LaserScan, '/walls')[-1]
    angles = [FIRST + k * (LAST - FIRST) / 100 for k in range(101)]
    assert np.allclose(message.ranges, [distance(angle) for angle in angles], atol=1e-5)
    assert message.header.frame_id == 'laser'
    assert message.angle_increment == pytest.approx((LAST - FIRST) / 100)
    assert (message.angle_min, message.angle_max) == pytest.approx((FIRST, LAST))
    assert (message.time_increment, message.scan_time) == (0.0, pytest.approx(0.1))
    assert (message.range_min, message.range_max) == pytest.approx((0.1, 20.0))
    assert message.intensities[25] == pytest.approx(255 * 0.7152), 'a green wall'


def test_scans_come_at_their_rate_of_simulated_time(share):
    _, client = share(AT_REST)
    messages = heard(client, LaserScan, '/fast')
    assert client.pause(False).success
    wait_until(lambda: seconds(messages[-1].header.stamp) > 0.15, 'scans')
    times = {round(seconds(scan.header.stamp), 6) for scan in messages}
    assert {round(after - before, 6) for before, after in pairwise(sorted(times))} == {0.05}


def test_rays_hit_what_they_are_told_to_and_distances_are_cut_and_rounded(share):
    _, client = share(AT_REST)
    for name, expected, what in (
        ('cut', [math.inf, -math.inf, WEST], 'too far is inf and too near is minus inf'),
        ('rounded', [0.07 * 43, 0.07 * 29], 'the resolution'),
        ('own', [0.2], 'the hull, from its inside'),
        ('all_groups', [0.9], 'the visitor'),
        ('some_groups', [math.inf], 'the group of the visitor is left out'),
    ):
        message = heard(client, LaserScan, f'/{name}')[-1]
        assert list(message.ranges) == pytest.approx(expected), what
        assert (message.intensities[0] == 0) == math.isinf(expected[0]), what


def test_the_points_of_a_lidar_lie_on_the_walls_and_the_floor(share):
    _, client = share(AT_REST)
    cloud = heard(client, PointCloud2, '/lidar')[-1]
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


def test_an_organized_cloud_has_a_row_for_each_ring_and_nan_where_nothing_is_hit(share):
    _, client = share(AT_REST)
    cloud = heard(client, PointCloud2, '/organized')[-1]
    points = points_of(cloud)
    assert (cloud.height, cloud.width, cloud.is_dense) == (3, 4, False)
    to_the_south = [True, False, False, False]
    assert np.isnan(points['x']).tolist() == [[False] * 4, to_the_south, to_the_south]
    assert points['x'][1, 1] == pytest.approx(EAST)
    assert points['y'][1, 2] == pytest.approx(NORTH)
    assert points['z'][0, 0] == pytest.approx(-HEIGHT)
    assert points['ring'].tolist() == [[0] * 4, [1] * 4, [2] * 4]


def test_a_lidar_may_have_any_directions_and_tells_the_time_of_each_point(share):
    _, client = share(AT_REST)
    assert client.pause(False).success
    points = points_of(heard(client, PointCloud2, '/directed')[-1])[0]
    places = np.stack([points['x'], points['y'], points['z']], axis=1)
    expected = [[EAST, 0, 0], [0, NORTH, 0], [-WEST, 0, 0], [0, 0, -HEIGHT]]
    assert np.allclose(places, expected, atol=1e-5)
    assert np.allclose(points['time'], [0.0, 0.05, 0.1, 0.15])


def by_time(scans: list[LaserScan]) -> dict[float, np.ndarray]:
    """The ranges of each scan, by its time in seconds."""
    return {seconds(scan.header.stamp): np.array(scan.ranges) for scan in tuple(scans)}


def test_the_noise_of_a_scan_is_that_of_its_configuration_and_the_same_at_another_speed(share):
    noise = {'noise': {'stddev': 0.02, 'mean': 0.1}, 'samples': 400, 'seed': 5}
    config = {**noise, 'min_angle': -0.3, 'max_angle': 0.3, 'update_rate': 50.0}
    _, client = share(AT_REST, given=given(scanner('scan', **config), realtime=1.0))
    messages = client.collect(LaserScan, '/scan')
    true = client.collect(LaserScan, '/scan/ground_truth')
    wait_until(lambda: messages and true, 'scans of the pause')
    assert client.pause(False).success
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


def test_a_scanner_whose_site_a_reload_removes_is_refused_with_the_sites_that_exist(share):
    other = ROOM.replace('name="laser"', 'name="front"')
    _, client = share(AT_REST, given=given(scanner('scan', samples=4), mujoco_xml=ROOM))
    messages = heard(client, LaserScan, '/scan')
    client.set_parameters(mujoco_xml=other)
    answer = client.trigger('reload')
    assert answer.success
    assert "site: unknown site 'laser'; known: front" in answer.message.replace('"', "'")
    count = len(messages)
    client.set_parameters(mujoco_xml=ROOM)
    assert client.trigger('reload').success
    wait_until(lambda: len(messages) > count, 'scans again')


def test_no_two_scans_have_the_same_stamp_at_a_rate_that_steps_do_not_meet(share):
    scan = scanner('scan', update_rate=33.3, **AHEAD)
    _, client = share(AT_REST, given=given(scan, realtime=20.0))
    messages = client.collect(LaserScan, '/scan')
    assert client.pause(False).success

    def times() -> list[float]:
        return [seconds(scan.header.stamp) for scan in list(messages)]

    wait_until(lambda: messages and times()[-1] > 6, 'scans of six seconds')
    moving = [time for time in times() if time > 0]  # a pause repeats its scan
    assert min(after - before for before, after in pairwise(moving)) > 0


def test_a_scan_that_a_pause_sends_tells_of_the_moment_of_the_pause(share):
    """The pause is between two moments that are due."""
    speed = {'initial_joint_velocities.joint_map.slide': SPEED}
    scan = scanner('scan', update_rate=100.0, **AHEAD)
    _, client = share(AT_REST, given=given(scan, **speed))
    messages = heard(client, LaserScan, '/scan')
    for time in (0.002, 0.004, 0.006, 0.008, 0.01, 0.012):
        assert client.trigger('step').success
        wait_until(lambda now=time: seconds(messages[-1].header.stamp) == now, f'{time} s')
    for message in messages:
        x = SPEED * seconds(message.header.stamp)
        assert message.ranges[0] == pytest.approx(EAST - x, abs=1e-5)
