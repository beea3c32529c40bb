"""ForceTorque over DDS, compared with the weight of the suspended bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from geometry_msgs.msg import WrenchStamped

pytestmark = pytest.mark.slow

MASS, ARM, GRAVITY = 2.0, 0.3, 9.81
MANY = 100
"""The number of messages for estimates of the mean and the deviation of noise."""
LOAD = f"""
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="mast" pos="0 0 1">
      <geom size="0.05" mass="1"/>
      <body name="load" pos="0 0 -0.2">
        <site name="wrist" {{turn}}/>
        <geom type="box" size="0.05 0.05 0.05" pos="{ARM} 0 0" mass="{MASS}"/>
      </body>
    </body>
  </worldbody>
  <sensor>{{sensors}}</sensor>
</mujoco>
"""
BOTH = '<force name="f" site="wrist"/><torque name="t" site="wrist"/>'


def xml(turn: str = '', sensors: str = '') -> str:
    return LOAD.format(turn=turn, sensors=sensors)


def wrench(message: WrenchStamped) -> np.ndarray:
    force, torque = message.wrench.force, message.wrench.torque
    return np.array([force.x, force.y, force.z, torque.x, torque.y, torque.z])


WEIGHT = np.array([0, 0, -MASS * GRAVITY, 0, MASS * GRAVITY * ARM, 0])
"""The wrench of the load on the mast: a force down and, by r x F, a torque about +y."""


def test_a_load_pulls_its_parent_down_by_its_weight_and_turns_it(load_sensor):
    sensor = load_sensor(xml(), 'ForceTorque', site='wrist', update_rate=500.0)
    message = sensor.measure(WrenchStamped)
    assert wrench(message) == pytest.approx(WEIGHT, abs=1e-9)
    assert message.header.frame_id == 'wrist'


def test_the_parent_holds_the_load_up_as_the_sensors_of_mujoco_tell(load_sensor):
    sensor = load_sensor(
        xml(sensors=BOTH), 'ForceTorque', force='f', torque='t', update_rate=500.0,
        measure_direction='parent_to_child',
    )  # fmt: skip
    message = sensor.measure(WrenchStamped)
    told = sensor.call(lambda model, data: data.sensordata.copy())
    assert wrench(message) == pytest.approx(-WEIGHT, abs=1e-9)
    assert wrench(message) == pytest.approx(told, abs=1e-12)
    assert message.header.frame_id == 'wrist'


def test_the_wrench_is_in_the_axes_of_the_site(load_sensor):
    sensor = load_sensor(xml('euler="90 0 0"'), 'ForceTorque', site='wrist', update_rate=500.0)
    down = wrench(sensor.measure(WrenchStamped))
    turned = [0, -MASS * GRAVITY, 0, 0, 0, -MASS * GRAVITY * ARM]
    assert down == pytest.approx(turned, abs=1e-9), 'y of the site is up, z is -y of the world'


def test_force_and_torque_have_noise_of_their_own_which_the_truth_lacks(load_sensor):
    noise = {'force': {'mean': 1.0, 'z': {'stddev': 0.5}}, 'torque': {'y': {'mean': -2.0}}}
    sensor = load_sensor(xml(), 'ForceTorque', site='wrist', update_rate=500.0, noise=noise)
    told, true = [], []
    truth = sensor.listen(WrenchStamped, '/sensor/ground_truth')
    for _ in range(MANY):
        told.append(wrench(sensor.measure(WrenchStamped)) - WEIGHT)
    assert np.allclose(np.array(told)[:, [0, 1, 3, 4, 5]], [1, 1, 0, -2, 0])
    forces = np.array(told)[:, 2]
    assert forces.std() == pytest.approx(0.5, rel=5 / math.sqrt(2 * MANY))
    assert abs(forces.mean()) < 5 * 0.5 / math.sqrt(MANY)
    true = [wrench(message) for message in truth]
    assert len(true) > MANY // 4
    assert np.allclose(true, WEIGHT)
