"""The points of a Lidar over DDS: their noise, their resolution, and a rotating sensor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from builtin.sensors.noise.chance import check_distribution, check_white
from builtin.sensors.sensing import stamp_of
from deadline import DEADLINE_S
from sensor_msgs.msg import PointCloud2
from system.harness import wait_until

pytestmark = pytest.mark.slow

WALL, TIMESTEP = 3.0, 0.002
HALL = f"""
<mujoco>
  <option timestep="{TIMESTEP}" gravity="0 0 0"/>
  <worldbody>
    <geom name="wall" type="box" size=".1 99 99" pos="{WALL + 0.1} 0 0"/>
    <body name="head">
      <joint name="neck" axis="0 0 1"/>
      <geom size=".1"/>
      <site name="eye" pos="0 .4 0"/>
    </body>
  </worldbody>
</mujoco>
"""
"""A wall, and a sensor beside the axis about which it turns."""
COLUMNS, RINGS = 50, 4
WIDE = {'samples': COLUMNS, 'min_angle': -0.6, 'max_angle': 0.6}
HIGH = {'samples': RINGS, 'min_angle': -0.3, 'max_angle': 0.3}
TURNS = np.linspace(-0.6, 0.6, COLUMNS)
UPS = np.linspace(-0.3, 0.3, RINGS)[:, np.newaxis]


def lidar(**config: Any) -> dict[str, Any]:
    return {
        'type': 'mujoco_ros_py/Lidar', 'name': 'points', 'site': 'eye', 'organized': True,
        'horizontal': WIDE, 'vertical': HIGH, **config,
    }  # fmt: skip


def numbers_of(cloud: PointCloud2) -> np.ndarray:
    """The floats of the points, shape (RINGS, COLUMNS, 6): x, y, z, intensity, ring, time."""
    return np.frombuffer(bytes(cloud.data), np.float32).reshape(RINGS, COLUMNS, 6).astype(float)


def distances(cloud: PointCloud2) -> np.ndarray:
    """Returns the distances of the points, after checking that each point lies on its ray."""
    places = numbers_of(cloud)[..., :3]
    along = np.linalg.norm(places, axis=2)
    rays = [np.cos(UPS) * np.cos(TURNS), np.cos(UPS) * np.sin(TURNS), np.sin(UPS + 0 * TURNS)]
    np.testing.assert_allclose(places, along[..., np.newaxis] * np.stack(rays, 2), atol=1e-5)
    return along


TRUTH = WALL / (np.cos(UPS) * np.cos(TURNS))


def test_noise_moves_each_point_along_its_ray_by_numbers_of_its_own(sense):
    noise = {'mean': 0.1, 'stddev': 0.02}
    sensing = sense(HALL, lidar(noise=noise, update_rate=1 / TIMESTEP))
    noisy, true = sensing.hear_all(
        {'/points': PointCloud2, '/points/ground_truth': PointCloud2}, 1 / TIMESTEP
    )
    sensing.step(60)
    clouds = [cloud for _, cloud in sorted(noisy.by_time.items())]
    errors = np.array([distances(cloud) - TRUTH for cloud in clouds]).ravel()
    assert len(errors) > 10_000
    check_distribution(errors, 0.1, 0.02)
    check_white(errors)
    np.testing.assert_allclose(distances(true.last), TRUTH, atol=1e-5)


def test_points_are_at_multiples_of_the_resolution(sense):
    sensing = sense(HALL, lidar(range={'max': 9.0, 'resolution': 0.05}, update_rate=100.0))
    told = distances(sensing.hear(PointCloud2, '/points').last)
    np.testing.assert_allclose(told, np.round(TRUTH / 0.05) * 0.05, atol=1e-5)


def test_each_column_of_a_turning_sensor_is_seen_from_its_place_and_in_its_axes_by_then(sense):
    """The sensor rotates against its own revolution, and orbits the axis of the neck."""
    speed, rate_hz, steps = 1.5, 10.0, 10
    spinning = lidar(spin_steps=steps, update_rate=rate_hz, range={'max': 90.0})
    sensing = sense(HALL, spinning)
    clouds = sensing.client.collect(PointCloud2, '/points')

    def measured() -> int:
        return int(sensing.plugin('points').topic.state.number)

    wait_until(lambda: measured() == 0, 'the first part, as somebody listens')
    sensing.call(lambda model, data: data.qvel.fill(-speed))
    for part in range(1, 4 * steps):
        sensing.simulation.step(5).result(DEADLINE_S)
        wait_until(lambda now=part: measured() == now, 'the next part')
    wait_until(lambda: clouds and stamp_of(clouds[-1]) > 0.29, 'four revolutions')
    assert {round(stamp_of(cloud), 3) for cloud in clouds} == {0.0, 0.1, 0.2, 0.3}
    columns = np.arange(COLUMNS)
    for cloud in clouds:
        yaw = -speed * (stamp_of(cloud) + columns * steps // COLUMNS / steps / rate_hz)
        x = -0.4 * np.sin(yaw)
        expected = (WALL - x) / (np.cos(UPS) * np.cos(yaw + TURNS))
        np.testing.assert_allclose(distances(cloud), expected, rtol=1e-5)
        times = numbers_of(cloud)[..., 5]
        np.testing.assert_allclose(times, np.tile(columns / COLUMNS / rate_hz, (RINGS, 1)))
