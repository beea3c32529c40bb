"""AirPressure and Altimeter over DDS, of a body that falls."""

from __future__ import annotations

import math

import numpy as np
import pytest
from deadline import DEADLINE_S
from sensor_msgs.msg import FluidPressure

from mujoco_ros_py.session import Spawn
from mujoco_ros_py.simulation import InitialState, ModelSource

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
MANY = 60
"""The number of messages for estimates of the mean and the deviation of noise."""


def fallen(steps: int) -> float:
    """Returns the distance that a stone falls in this many semi-implicit Euler steps."""
    return GRAVITY * STEP**2 * steps * (steps + 1) / 2


def altimeter() -> type:
    messages = pytest.importorskip('ros_gz_interfaces.msg', reason='it is not built')
    return messages.Altimeter


def troposphere(altitude: float) -> float:
    """Returns the pressure from the barometric formula for the lowest layer, as in textbooks."""
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
    messages = [sensor.measure(FluidPressure) for _ in range(MANY)]
    errors = [
        message.fluid_pressure - troposphere(START + 0.1 - fallen(1 + count))
        for count, message in enumerate(messages)
    ]
    assert np.mean(errors) == pytest.approx(100, abs=5 * 30 / math.sqrt(MANY))
    assert np.std(errors) == pytest.approx(30, rel=5 / math.sqrt(2 * MANY))
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


LIFT = f"""
<mujoco>
  <option timestep="{STEP}" gravity="0 0 0"/>
  <worldbody>
    <body pos="0 0 10">
      <joint name="lift" type="slide" axis="0 0 1"/>
      <geom size="0.1" mass="1"/>
      <site name="gauge"/>
    </body>
  </worldbody>
</mujoco>
"""


def lifted(sensor, height: float) -> None:
    """Puts the lift at a height above its position in the model."""
    sensor.call(lambda model, data: data.qpos.__setitem__(0, height))


def test_a_reset_measures_the_reference_of_an_altimeter_anew_and_a_restored_state_has_its_own(
    load_sensor,
):
    kind = altimeter()
    noise = {'vertical_velocity': {'stddev': 0.1}}  # enables the ground-truth topic
    sensor = load_sensor(LIFT, 'Altimeter', site='gauge', noise=noise, **RATE)
    simulation = sensor.server.simulation

    def told() -> set[tuple[float, float]]:
        """Returns the values on both topics: the reference, and the height above it."""
        both = [sensor.measure(kind, topic) for topic in ('/sensor', '/sensor/ground_truth')]
        return {(round(m.vertical_reference, 6), round(m.vertical_position, 6)) for m in both}

    lifted(sensor, 1.5)
    assert told() == {(10.0, 1.5)}
    saved = simulation.save().result(DEADLINE_S)
    initial = InitialState(positions={'lift': (4.0,)})
    simulation.apply_initial_state(initial).result(DEADLINE_S)
    assert told() == {(10.0, 4.0)}, 'joints that are set are no start'
    simulation.reset().result(DEADLINE_S)
    assert told() == {(14.0, 0.0)}
    lifted(sensor, 1.0)
    assert told() == {(14.0, -3.0)}
    simulation.restore(saved).result(DEADLINE_S)
    assert told() == {(10.0, 1.5)}


def test_the_reference_of_an_altimeter_stays_when_an_entity_comes(load_sensor):
    kind = altimeter()
    sensor = load_sensor(LIFT, 'Altimeter', site='gauge', **RATE)
    lifted(sensor, 1.5)
    before = sensor.measure(kind)
    cube = '<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>'
    spawn = Spawn(source=ModelSource(xml=cube), name='cube', position=(9, 9, 9))
    sensor.server.assembly.spawn([spawn]).result(DEADLINE_S)
    after = sensor.measure(kind)
    assert (before.vertical_reference, before.vertical_position) == pytest.approx((10.0, 1.5))
    assert (after.vertical_reference, after.vertical_position) == pytest.approx((10.0, 1.5))


def test_an_altimeter_has_noise_of_each_number(load_sensor):
    kind = altimeter()
    noise = {'vertical_position': {'mean': 2.0}, 'vertical_velocity': {'mean': 3.0}}
    sensor = load_sensor(STONE, 'Altimeter', site='gauge', noise=noise, **RATE)
    message = sensor.measure(kind)
    assert message.vertical_position == pytest.approx(2 - fallen(1))
    assert message.vertical_velocity == pytest.approx(3 - GRAVITY * STEP)
