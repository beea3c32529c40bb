"""AirPressure and Altimeter over DDS, of a body that falls."""

from __future__ import annotations

import math

import numpy as np
import pytest
from deadline import DEADLINE_S
from sensor_msgs.msg import FluidPressure

pytestmark = pytest.mark.slow

START, GRAVITY, STEP = 500.0, 9.81, 0.002
STONE = f"""
<mujoco>
  <option timestep="{STEP}" gravity="0 0 -{GRAVITY}"/>
  <worldbody>
    <body pos="0 0 {START}">
      <freejoint/>
      <geom size="0.1" mass="1"/>
      <site name="gauge" pos="0 0 0.1"/>
    </body>
  </worldbody>
</mujoco>
"""
RATE = {'update_rate': 1 / STEP}


def fallen(steps: int) -> float:
    """How far a stone falls in this many steps of the semi-implicit Euler method."""
    return GRAVITY * STEP**2 * steps * (steps + 1) / 2


def altimeter() -> type:
    messages = pytest.importorskip('ros_gz_interfaces.msg', reason='it is not built')
    return messages.Altimeter


def troposphere(altitude: float) -> float:
    """The barometric formula for the lowest layer, by the exponent that textbooks give."""
    geopotential = 6356766.0 * altitude / (6356766.0 + altitude)
    return 101325.0 * (1 - 0.0065 * geopotential / 288.15) ** 5.25588


def test_the_pressure_is_that_of_the_altitude(load_sensor):
    sensor = load_sensor(STONE, 'AirPressure', site='gauge', reference_altitude=1000.0, **RATE)
    message = sensor.measure(FluidPressure)
    assert message.fluid_pressure == pytest.approx(troposphere(1500.1), rel=1e-6)
    assert message.header.frame_id == 'gauge'
    assert message.variance == 0
    later = sensor.measure(FluidPressure, steps=999)
    assert later.fluid_pressure == pytest.approx(troposphere(1500.1 - fallen(1000)), rel=1e-6)
    assert later.fluid_pressure > message.fluid_pressure + 100


def test_the_pressure_has_noise_and_its_variance(load_sensor):
    noise = {'stddev': 30.0, 'mean': 100.0, 'precision': 10.0, 'type': 'gaussian_quantized'}
    sensor = load_sensor(STONE, 'AirPressure', site='gauge', noise=noise, **RATE)
    messages = [sensor.measure(FluidPressure) for _ in range(200)]
    errors = [
        message.fluid_pressure - troposphere(START + 0.1 - fallen(1 + count))
        for count, message in enumerate(messages)
    ]
    assert np.mean(errors) == pytest.approx(100, abs=5 * 30 / math.sqrt(200))
    assert np.std(errors) == pytest.approx(30, rel=5 / math.sqrt(400))
    assert messages[0].variance == pytest.approx(30**2 + 10**2 / 12)
    assert all(message.fluid_pressure % 10 == 0 for message in messages)


def test_an_altimeter_tells_height_and_velocity_from_the_start(load_sensor):
    kind = altimeter()
    sensor = load_sensor(STONE, 'Altimeter', site='gauge', **RATE)
    message = sensor.measure(kind, steps=500)
    assert message.vertical_position == pytest.approx(-fallen(500), rel=1e-9)
    assert message.vertical_velocity == pytest.approx(-GRAVITY * 500 * STEP, rel=1e-9)
    assert message.vertical_reference == pytest.approx(START + 0.1)
    assert message.header.frame_id == 'gauge'
    sensor.server.simulation.reset().result(DEADLINE_S)
    again = sensor.measure(kind)
    assert again.vertical_position == pytest.approx(-fallen(1), rel=1e-9)


def test_an_altimeter_has_noise_of_each_number(load_sensor):
    kind = altimeter()
    noise = {'vertical_position': {'mean': 2.0}, 'vertical_velocity': {'mean': 3.0}}
    sensor = load_sensor(STONE, 'Altimeter', site='gauge', noise=noise, **RATE)
    message = sensor.measure(kind)
    assert message.vertical_position == pytest.approx(2 - fallen(1))
    assert message.vertical_velocity == pytest.approx(3 - GRAVITY * STEP)
