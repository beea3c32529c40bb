"""Magnetometer over DDS, at a rotated site."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sensor_msgs.msg import MagneticField

pytestmark = pytest.mark.slow

EAST, NORTH, UP = 1e-6, 2e-5, -4e-5
COMPASS = f"""
<mujoco>
  <option timestep="0.002" gravity="0 0 0" magnetic="{EAST} {NORTH} {UP}"/>
  <worldbody>
    <body>
      <joint axis="0 0 1"/>
      <geom size="0.1" mass="1"/>
      <site name="compass" euler="90 0 0"/>
    </body>
  </worldbody>
  <sensor>{{}}</sensor>
</mujoco>
"""
RATE = {'update_rate': 500.0}


def field(message: MagneticField) -> np.ndarray:
    return np.array([getattr(message.magnetic_field, axis) for axis in 'xyz'])


@pytest.mark.parametrize(
    ('hall', 'config'),
    [
        ('', {'site': 'compass'}),
        ('<magnetometer name="hall" site="compass"/>', {'magnetic_field': 'hall'}),
    ],
)
def test_the_field_is_in_the_axes_of_the_site(load_sensor, hall, config):
    """The body turns about z by the angle a; in the site, y is up and z is -y of the body."""
    sensor = load_sensor(COMPASS.format(hall), 'Magnetometer', **RATE, **config)
    sensor.call(lambda model, data: data.qvel.__setitem__(0, 2.0))
    message = sensor.measure(MagneticField, steps=150)
    cosine, sine = math.cos(0.6), math.sin(0.6)
    ahead, left = cosine * EAST + sine * NORTH, -sine * EAST + cosine * NORTH
    assert field(message) == pytest.approx([ahead, UP, -left], abs=1e-15)
    assert message.header.frame_id == 'compass'
    assert not np.any(message.magnetic_field_covariance), 'unknown'


def test_the_covariance_is_that_of_the_noise_and_follows_it_while_it_runs(load_sensor):
    noise = {'stddev': 1e-7, 'z': {'stddev': 3e-7, 'mean': 1e-5}}
    sensor = load_sensor(COMPASS.format(''), 'Magnetometer', site='compass', noise=noise, **RATE)
    message = sensor.measure(MagneticField)
    assert message.magnetic_field_covariance == pytest.approx(
        np.diag([1e-14, 1e-14, 9e-14]).ravel(), rel=1e-9
    )
    assert field(message)[2] == pytest.approx(-NORTH + 1e-5, abs=2e-6)
    sensor.client.set_parameters(sensor__noise__stddev=2e-7)
    changed = sensor.measure(MagneticField, steps=2)
    assert changed.magnetic_field_covariance[0] == pytest.approx(4e-14)


def test_a_covariance_may_be_given(load_sensor):
    given = [float(k) for k in range(9)]
    sensor = load_sensor(
        COMPASS.format(''), 'Magnetometer', site='compass', static_covariance=given,
        noise={'stddev': 1e-7}, **RATE,
    )  # fmt: skip
    assert list(sensor.measure(MagneticField).magnetic_field_covariance) == given
