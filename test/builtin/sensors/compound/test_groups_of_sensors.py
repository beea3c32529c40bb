"""Compound sensors of one of two robots: names without its prefix, topics in its namespace."""

from __future__ import annotations

import pytest
from geometry_msgs.msg import WrenchStamped
from sensor_msgs.msg import BatteryState, NavSatFix, Range

pytestmark = pytest.mark.slow

ROBOT = """
<body name="{0}/base" pos="{1} 0 0">
  <geom size="0.1" mass="1"/>
  <body name="{0}/arm">
    <joint name="{0}/lift" type="slide" axis="0 0 1" damping="{2}"/>
    <geom size="0.05" mass="{2}"/>
    <site name="{0}/wrist"/>
  </body>
</body>
"""
TWO = f"""
<mujoco>
  <option timestep="0.002" gravity="0 0 -10"/>
  <worldbody>{ROBOT.format('left', 0, 2)}{ROBOT.format('right', 3, 5)}</worldbody>
  <actuator>
    <motor name="left/lift" joint="left/lift"/><motor name="right/lift" joint="right/lift"/>
  </actuator>
  <sensor>
    <force name="left/f" site="left/wrist"/><torque name="left/t" site="left/wrist"/>
    <force name="right/f" site="right/wrist"/><torque name="right/t" site="right/wrist"/>
    <rangefinder name="right/up" site="right/wrist"/>
  </sensor>
</mujoco>
"""
RATE = {'update_rate': 500.0}


def test_the_battery_of_a_robot_drives_the_actuators_of_this_robot_alone(load_sensor):
    sensor = load_sensor(TWO, 'Battery', group='right', voltage=10.0, capacity=1.0, **RATE)

    def drive(model, data) -> None:
        data.ctrl[:] = 20.0, 50.0
        data.qvel[:] = 3.0, -2.0

    sensor.call(drive)
    message = sensor.measure(BatteryState, '/right/sensor')
    assert message.current == pytest.approx(-50.0 * 2.0 / 10.0)


def test_names_are_those_of_the_robot_and_frames_have_its_prefix(load_sensor):
    names = {'force': 'f', 'torque': 't'}
    sensor = load_sensor(TWO, 'ForceTorque', group='left', **names, **RATE)
    sensor.call(lambda model, data: data.ctrl.__setitem__(slice(None), (20.0, 50.0)))
    message = sensor.measure(WrenchStamped, '/left/sensor')
    assert message.header.frame_id == 'left/wrist'
    assert message.wrench.force.z == pytest.approx(-2 * 10), 'the arm hangs on its motor'


def test_a_site_is_that_of_the_robot(load_sensor):
    earth = {'latitude_deg': 0.0, 'longitude_deg': 0.0}
    config = {'site': 'wrist', 'spherical_coordinates': earth, **RATE}
    fix = load_sensor(TWO, 'NavSat', group='right', **config).measure(NavSatFix, '/right/sensor')
    assert fix.longitude == pytest.approx(3 / 6378137.0 * 57.29577951, rel=1e-6)
    assert fix.header.frame_id == 'right/wrist'


def test_a_rangefinder_of_another_robot_is_not_known(load_sensor, refusal):
    config = {'rangefinder': 'up', **RATE}
    sensor = load_sensor(TWO, 'Range', group='right', **config)
    assert sensor.measure(Range, '/right/sensor').header.frame_id == 'right/wrist'
    assert "'up'" in refusal(TWO, 'Range', group='left', **config)
