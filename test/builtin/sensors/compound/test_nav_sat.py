"""NavSat over DDS, against the origin and known offsets from it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from geometry_msgs.msg import TwistStamped
from sensor_msgs.msg import NavSatFix, NavSatStatus

pytestmark = pytest.mark.slow

LATITUDE, LONGITUDE, ELEVATION = 47.3769, 8.5417, 408.0
ORIGIN = {'latitude_deg': LATITUDE, 'longitude_deg': LONGITUDE, 'elevation': ELEVATION}
ROVER = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body>
      <freejoint/>
      <geom size="0.1" mass="1"/>
      <site name="antenna"/>
    </body>
  </worldbody>
</mujoco>
"""
RATE = {'update_rate': 500.0}
MANY = 100
"""The number of messages for estimates of the mean and the deviation of noise."""


def ecef(latitude_deg: float, longitude_deg: float, altitude: float) -> np.ndarray:
    """Returns the position on the WGS 84 ellipsoid, computed from its two axes."""
    latitude, longitude = math.radians(latitude_deg), math.radians(longitude_deg)
    a, b = 6378137.0, 6356752.314245179
    normal = a * a / math.hypot(a * math.cos(latitude), b * math.sin(latitude))
    out = (normal + altitude) * math.cos(latitude)
    up = (normal * b * b / (a * a) + altitude) * math.sin(latitude)
    return np.array([out * math.cos(longitude), out * math.sin(longitude), up])


def east_north_up(fix: NavSatFix) -> np.ndarray:
    """Returns the offset of a fix from the origin, along axes derived from nearby places."""
    origin = ecef(LATITUDE, LONGITUDE, ELEVATION)
    away = ecef(fix.latitude, fix.longitude, fix.altitude) - origin
    step = 1e-5
    rows = [
        ecef(LATITUDE, LONGITUDE + step, ELEVATION) - ecef(LATITUDE, LONGITUDE - step, ELEVATION),
        ecef(LATITUDE + step, LONGITUDE, ELEVATION) - ecef(LATITUDE - step, LONGITUDE, ELEVATION),
        ecef(LATITUDE, LONGITUDE, ELEVATION + 1) - ecef(LATITUDE, LONGITUDE, ELEVATION - 1),
    ]
    return np.array([row / np.linalg.norm(row) @ away for row in rows])


def placed(sensor, *position: float, velocity: tuple[float, ...] = (0, 0, 0)) -> None:
    """Moves the rover, with effect after the next step."""

    def put(model, data) -> None:
        data.qpos[:3] = np.array(position) - np.array(velocity) * model.opt.timestep
        data.qvel[:3] = velocity

    sensor.call(put)


def test_at_the_origin_of_the_world_the_fix_is_the_origin(load_sensor):
    sensor = load_sensor(ROVER, 'NavSat', site='antenna', spherical_coordinates=ORIGIN, **RATE)
    fix = sensor.measure(NavSatFix)
    told = fix.latitude, fix.longitude, fix.altitude
    assert told == pytest.approx((LATITUDE, LONGITUDE, ELEVATION), abs=1e-9)
    assert fix.header.frame_id == 'antenna'
    assert fix.status.status == NavSatStatus.STATUS_FIX
    assert fix.status.service == NavSatStatus.SERVICE_GPS
    assert fix.position_covariance_type == NavSatFix.COVARIANCE_TYPE_UNKNOWN


@pytest.mark.parametrize('heading', [0.0, 90.0, -30.0])
def test_a_fix_is_as_far_from_the_origin_as_the_site_in_the_world(load_sensor, heading):
    earth = {**ORIGIN, 'heading_deg': heading}
    sensor = load_sensor(ROVER, 'NavSat', site='antenna', spherical_coordinates=earth, **RATE)
    turn = math.radians(heading)
    for x, y, z in ((100.0, 0, 0), (0, 100.0, 0), (-3e4, 2e4, 5.0), (5e5, -8e5, 1e3)):
        placed(sensor, x, y, z)
        expected = [
            x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn), z,
        ]  # fmt: skip
        assert east_north_up(sensor.measure(NavSatFix)) == pytest.approx(expected, abs=1e-3)


def test_the_north_pole_is_a_place_as_any_other(load_sensor):
    pole = {'latitude_deg': 90.0, 'longitude_deg': 0.0}
    sensor = load_sensor(ROVER, 'NavSat', site='antenna', spherical_coordinates=pole, **RATE)
    placed(sensor, 1000.0, 0, 0)
    fix = sensor.measure(NavSatFix)
    assert fix.longitude == pytest.approx(90.0), 'east of the meridian of Greenwich at the pole'
    radius = 6378137.0**2 / 6356752.314245179
    assert 90 - fix.latitude == pytest.approx(math.degrees(1000 / radius), rel=1e-6)


def test_the_velocity_is_towards_east_north_and_up(load_sensor):
    earth = {**ORIGIN, 'heading_deg': 90.0}
    sensor = load_sensor(ROVER, 'NavSat', site='antenna', spherical_coordinates=earth, **RATE)
    placed(sensor, 0, 0, 0, velocity=(3.0, 1.0, -0.5))
    message = sensor.measure(TwistStamped, '/sensor/velocity')
    linear = message.twist.linear
    assert (linear.x, linear.y, linear.z) == pytest.approx((-1.0, 3.0, -0.5), abs=1e-9)
    assert message.header.frame_id == 'antenna'


def test_far_away_the_velocity_is_in_the_axes_of_that_place(load_sensor):
    """A vehicle that drives straight ahead on the flat world leaves the ellipsoid."""
    earth = {'latitude_deg': 0.0, 'longitude_deg': 0.0}
    sensor = load_sensor(ROVER, 'NavSat', site='antenna', spherical_coordinates=earth, **RATE)
    placed(sensor, 1e6, 0, 0, velocity=(10.0, 0, 0))
    linear = sensor.measure(TwistStamped, '/sensor/velocity').twist.linear
    angle = math.atan2(1e6, 6378137.0)
    assert linear.x == pytest.approx(10 * math.cos(angle))
    assert linear.y == pytest.approx(0, abs=1e-9)
    assert linear.z == pytest.approx(10 * math.sin(angle))


def test_noise_is_in_metres_and_its_variances_are_the_covariance(load_sensor):
    noise = {
        'position': {'horizontal': {'stddev': 2.0, 'mean': 10.0}, 'vertical': {'stddev': 5.0}},
        'velocity': {'horizontal': {'stddev': 0.1}, 'vertical': {'mean': 1.0}},
    }
    sensor = load_sensor(
        ROVER, 'NavSat', site='antenna', spherical_coordinates=ORIGIN, noise=noise, **RATE
    )
    fixes = [sensor.measure(NavSatFix) for _ in range(MANY)]
    errors = np.array([east_north_up(fix) for fix in fixes])
    assert errors.mean(axis=0) == pytest.approx([10, 10, 0], abs=5 * 5 / math.sqrt(MANY))
    assert errors.std(axis=0) == pytest.approx([2, 2, 5], rel=5 / math.sqrt(2 * MANY))
    assert abs(np.corrcoef(errors[:, 0], errors[:, 1])[0, 1]) < 5 / math.sqrt(MANY)
    assert fixes[-1].position_covariance == pytest.approx(np.diag([4, 4, 25]).ravel())
    assert fixes[-1].position_covariance_type == NavSatFix.COVARIANCE_TYPE_DIAGONAL_KNOWN
    speeds = [sensor.measure(TwistStamped, '/sensor/velocity') for _ in range(30)]
    assert np.std([each.twist.linear.x for each in speeds]) == pytest.approx(0.1, rel=0.7)
    assert {each.twist.linear.z for each in speeds} == {1.0}
    truth = sensor.measure(NavSatFix, '/sensor/ground_truth')
    assert truth.latitude == pytest.approx(LATITUDE, abs=1e-9)
    still = sensor.measure(TwistStamped, '/sensor/velocity/ground_truth')
    assert still.twist.linear.z == 0


def test_a_covariance_may_be_given(load_sensor):
    given = [float(k) for k in range(9)]
    sensor = load_sensor(
        ROVER, 'NavSat', site='antenna', spherical_coordinates=ORIGIN,
        static_position_covariance=given, **RATE,
    )  # fmt: skip
    fix = sensor.measure(NavSatFix)
    assert list(fix.position_covariance) == given
    assert fix.position_covariance_type == NavSatFix.COVARIANCE_TYPE_KNOWN


def test_the_noise_of_the_velocity_may_change_while_it_runs(load_sensor):
    sensor = load_sensor(ROVER, 'NavSat', site='antenna', spherical_coordinates=ORIGIN, **RATE)
    sensor.client.set_parameters(sensor__noise__velocity__vertical__mean=2.0)
    assert sensor.measure(TwistStamped, '/sensor/velocity', steps=2).twist.linear.z == 2.0
    assert sensor.measure(NavSatFix).altitude == pytest.approx(ELEVATION, abs=1e-6)
