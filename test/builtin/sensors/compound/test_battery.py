"""Battery over DDS, of motors whose power is known."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import pytest
from deadline import DEADLINE_S
from sensor_msgs.msg import BatteryState

pytestmark = pytest.mark.slow

FORCE, SPEED, STEP = 20.0, 0.5, 0.01
CART = f"""
<mujoco>
  <option timestep="{STEP}" gravity="0 0 0"/>
  <worldbody>
    <body>
      <joint name="x" type="slide" axis="1 0 0" damping="{FORCE / SPEED}"/>
      <geom size="0.1" mass="1"/>
    </body>
    <body pos="0 1 0">
      <joint name="y" type="slide" axis="0 1 0" damping="{FORCE / SPEED}"/>
      <geom size="0.1" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor name="left" joint="x"/><motor name="right" joint="y"/></actuator>
</mujoco>
"""
POWER = FORCE * SPEED
"""The power of each motor while its cart moves at the speed that the damping allows."""
RATE = {'update_rate': 1 / STEP}


def driven(load_sensor, **config: Any):
    """Begins with both carts at their final speed; the second one moves backwards."""
    sensor = load_sensor(CART, 'Battery', **{'voltage': 20.0, 'capacity': 0.01, **RATE, **config})

    def drive(model: Any, data: Any) -> None:
        data.ctrl[:] = FORCE, -FORCE
        data.qvel[:] = SPEED, -SPEED

    sensor.call(drive)
    return sensor


def test_the_charge_is_what_the_power_of_the_motors_leaves(load_sensor):
    sensor = driven(
        load_sensor, efficiency=0.8, idle_power=3.0, technology='lion', location='base'
    )
    message = sensor.measure(BatteryState, steps=200)
    power = 2 * POWER / 0.8 + 3.0
    assert message.voltage == pytest.approx(20.0)
    assert message.current == pytest.approx(-power / 20.0, rel=1e-6)
    used_ah = power / 20.0 * 200 * STEP / 3600
    assert used_ah > 5e-4
    assert message.charge == pytest.approx(0.01 - used_ah, rel=1e-6)
    assert message.percentage == pytest.approx(1 - used_ah / 0.01, rel=1e-6)
    assert (message.capacity, message.design_capacity) == pytest.approx((0.01, 0.01))
    assert math.isnan(message.temperature)
    assert message.present
    assert message.power_supply_status == BatteryState.POWER_SUPPLY_STATUS_DISCHARGING
    assert message.power_supply_health == BatteryState.POWER_SUPPLY_HEALTH_GOOD
    assert message.power_supply_technology == BatteryState.POWER_SUPPLY_TECHNOLOGY_LION
    assert (message.location, message.serial_number) == ('base', '')
    assert (list(message.cell_voltage), list(message.cell_temperature)) == ([], [])


def test_only_the_actuators_that_are_named_count(load_sensor):
    sensor = driven(load_sensor, actuators=['right'])
    assert sensor.measure(BatteryState, steps=10).current == pytest.approx(-POWER / 20.0)


def test_a_battery_that_gives_nothing_keeps_its_charge(load_sensor):
    sensor = load_sensor(CART, 'Battery', voltage=20.0, capacity=1.0, initial_charge=0.25, **RATE)
    message = sensor.measure(BatteryState, steps=50)
    assert (message.current, message.charge, message.percentage) == (0.0, 0.25, 0.25)
    assert message.power_supply_status == BatteryState.POWER_SUPPLY_STATUS_NOT_CHARGING


def test_the_voltage_sinks_with_the_charge_and_the_current_and_the_power_is_kept(load_sensor):
    """All the energy that the battery loses drives the motors or heats the resistance."""
    sensor = driven(load_sensor, empty_voltage=14.0, resistance=1.5, initial_charge=0.9)
    inside = heat = given = 0.0
    before = 0.9 * 0.01
    for _ in range(100):
        message = sensor.measure(BatteryState)
        current = -message.current
        rest = 14.0 + 6.0 * message.percentage
        assert message.voltage == pytest.approx(rest - 1.5 * current, rel=1e-5)
        assert message.voltage * current == pytest.approx(2 * POWER, rel=1e-5)
        inside += rest * (before - message.charge) * 3600
        heat += 1.5 * current**2 * STEP
        given += message.voltage * current * STEP
        before = message.charge
    assert inside == pytest.approx(heat + given, rel=1e-3)
    assert heat > 0.05 * given


def test_an_empty_battery_stays_at_zero_and_the_motors_go_on(load_sensor):
    sensor = driven(load_sensor, capacity=1e-4, empty_voltage=10.0, initial_charge=0.5)
    message = sensor.measure(BatteryState, steps=200)
    assert (message.charge, message.percentage) == (0.0, 0.0)
    assert message.voltage == pytest.approx(10.0)
    speed = sensor.call(lambda model, data: data.qvel[0])
    assert speed == pytest.approx(SPEED)


def test_what_is_more_than_the_battery_can_give_is_the_most_that_it_can(load_sensor):
    """20 V behind 10 Ohm give at most 10 W, at half the voltage; the motors take 20 W."""
    sensor = driven(load_sensor, resistance=10.0)
    message = sensor.measure(BatteryState)
    assert message.voltage == pytest.approx(10.0, rel=1e-4)
    assert message.current == pytest.approx(-1.0, rel=1e-4)


def test_a_reset_charges_it_and_a_restored_state_has_its_charge(load_sensor):
    sensor = driven(load_sensor)
    used = sensor.measure(BatteryState, steps=100).charge
    saved = sensor.server.simulation.save().result(DEADLINE_S)
    sensor.server.simulation.reset().result(DEADLINE_S)
    assert sensor.measure(BatteryState).charge == pytest.approx(0.01, rel=1e-6)
    sensor.step(30)
    sensor.server.simulation.restore(saved).result(DEADLINE_S)
    step_ah = 2 * POWER / 20.0 * STEP / 3600
    after = sensor.measure(BatteryState)
    assert after.charge == pytest.approx(used - step_ah, rel=1e-6)
    assert used < 0.01 - 50 * step_ah


def test_efforts_that_are_applied_directly_to_joints_count_too(load_sensor):
    bare = CART[: CART.index('<actuator>')] + '</mujoco>'
    sensor = load_sensor(bare, 'Battery', voltage=20.0, capacity=0.01, **RATE)

    def drive(model: Any, data: Any) -> None:
        data.qfrc_applied[:] = FORCE, -FORCE
        data.qvel[:] = SPEED, -SPEED

    sensor.call(drive)
    message = sensor.measure(BatteryState, steps=10)
    assert message.current == pytest.approx(-2 * POWER / 20.0)


@pytest.mark.skipif(not hasattr(mujoco.MjModel, 'actuator_outadr'), reason='MuJoCo 4 only')
def test_each_of_several_forces_of_an_actuator_counts_and_those_behind_it_are_found(load_sensor):
    """A ball turns about two axes at once; an actuator that precedes the motors brakes it."""
    torque, rate = 0.3, 2.0
    ball = '<body pos="0 2 0"><joint name="ball" type="ball"/><geom size="0.1" mass="1"/></body>'
    xml = CART.replace('</worldbody>', f'{ball}</worldbody>').replace(
        '<actuator>',
        f'<actuator><orientation name="turn" joint="ball" kp="0" kv="{torque / rate}"/>',
    )
    config = {'voltage': 20.0, 'capacity': 0.01, 'actuators': ['turn', 'right']}
    sensor = load_sensor(xml, 'Battery', **config, **RATE)

    def drive(model: Any, data: Any) -> None:
        data.ctrl[-2:] = FORCE, -FORCE
        data.qvel[:] = SPEED, -SPEED, rate, -rate, 0.0

    sensor.call(drive)
    message = sensor.measure(BatteryState)
    assert message.current == pytest.approx(-(POWER + 2 * torque * rate) / 20.0)
