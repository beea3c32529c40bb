"""Controllers over DDS: what their topics and services do; the drive is in test/builtin."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Float64MultiArray
from std_srvs.srv import SetBool

from .harness import wait_until

pytestmark = pytest.mark.slow

ROBOT = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.001"/>
  <worldbody>
    <body>
      <joint name="turn" axis="0 0 1" range="-3 3" limited="true"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
      <body pos="0.5 0 0">
        <joint name="lift" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.5"/>
      </body>
    </body>
    <body pos="2 0 0"><joint name="wheel" axis="0 0 1"/><geom size="0.1" mass="1"/></body>
    <body pos="4 0 0"><joint name="fan" axis="0 0 1" damping="0.1"/><geom size="0.1"/></body>
  </worldbody>
  <actuator>
    <motor joint="turn"/><position joint="lift" kp="200" kv="20"/>
    <velocity joint="wheel" kv="5"/><motor name="fan" joint="fan" ctrlrange="-1 1"/>
  </actuator>
</mujoco>
"""
FORWARD = 'mujoco_ros_py/ForwardCommandController'
ARM = {'type': FORWARD, 'name': 'arm', 'joints': ['lift', 'turn'], 'interface_name': 'position'}
WHEEL = {'type': FORWARD, 'name': 'wheel', 'joints': ['wheel'], 'interface_name': 'velocity'}
FAN = {'type': 'mujoco_ros_py/ActuatorCommands', 'name': 'fan', 'actuators': ['fan'],
       'topic': 'fan'}  # fmt: skip
STOP = {'type': 'mujoco_ros_py/EmergencyStop'}
SERVER = {'mujoco_xml': ROBOT, 'MujocoPlugins': '[]', 'realtime': 10.0, 'joint_states_rate': 50.0}


class Robot:
    """What a robot's program sees: joint states, and topics for commands."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.states = client.collect(JointState, 'joint_states')
        self._publishers: dict[str, Any] = {}
        wait_until(lambda: self.states, 'joint states')

    def send(self, topic: str, *values: float) -> None:
        if topic not in self._publishers:
            made = self.client.node.create_publisher(Float64MultiArray, topic, 10)
            self._publishers[topic] = made
            wait_until(made.get_subscription_count, f'a subscription of {topic}')
        self._publishers[topic].publish(Float64MultiArray(data=list(map(float, values))))

    def now(self, kind: str = 'position') -> dict[str, float]:
        last = self.states[-1]
        return dict(zip(last.name, getattr(last, kind), strict=True))

    def reach(self, kind: str = 'position', within: float = 0.01, **wanted: float) -> None:
        def there() -> bool:
            now = self.now(kind)
            return all(abs(now[joint] - value) < within for joint, value in wanted.items())

        wait_until(there, f'{kind} {wanted}')

    def later(self, seconds: float) -> None:
        """Waits for a time of the simulation, of which 50 joint states come in a second."""
        count = len(self.states)
        wait_until(lambda: len(self.states) > count + 50 * seconds, f'{seconds} s')

    def stop(self, stopped: bool) -> Any:
        return self.client.call(SetBool, '/emergency_stop/set', SetBool.Request(data=stopped))


@pytest.fixture
def robot(share):
    """`robot(*plugins)`: the process, and the robot of a running server with these."""

    def begin(*plugins: Any) -> tuple[Any, Robot]:
        process, client = share(SERVER, given={'MujocoPlugins': json.dumps(plugins)})
        assert client.pause(False).success
        return process, Robot(client)

    return begin


def test_commands_come_by_topics_and_what_is_outside_of_a_range_is_clamped_and_said(robot):
    process, made = robot(ARM, WHEEL, FAN)
    made.send('/arm/commands', 0.4, -0.6)
    made.send('/wheel/commands', 1.5)
    made.send('/fan', 0.05)
    made.reach(lift=0.4, turn=-0.6)
    made.reach('velocity', wheel=1.5, fan=0.5)
    made.send('/wheel/commands', 0.0)
    made.send('/fan', 9.0)
    made.send('/arm/commands', 0.0, 50.0)
    made.reach('velocity', wheel=0.0, within=0.02)
    made.reach('effort', fan=1.0)
    made.reach(turn=3.0, within=0.02)
    process.wait_for_output(
        'arm: the position of joint turn must be from -3 to 3, got 50: clamped'
    )


def test_wrong_commands_move_nothing_and_are_said_once_a_second(robot):
    process, made = robot(ARM)
    told = 'a command must have 2 finite numbers, one for each of lift, turn; got 1 numbers'
    begin = time.monotonic()

    def flooded() -> bool:
        for _ in range(20):
            made.send('/arm/commands', 0.5)
        return process.output.count(told) >= 2

    wait_until(flooded, 'a flood', process=process)
    assert process.output.count(told) <= time.monotonic() - begin + 2
    made.reach(lift=0.0, turn=0.0, within=0.005)
    made.send('/arm/commands', 0.2, 0.3)
    made.reach(lift=0.2, turn=0.3)


def test_two_publishers_may_flood_a_controller_and_the_newest_command_counts(robot):
    _, made = robot(ARM, WHEEL)
    nodes = [made.client.new_node(f'publisher_{k}') for k in range(2)]
    publishers = [
        node.create_publisher(Float64MultiArray, '/wheel/commands', 10) for node in nodes
    ]
    for publisher in publishers:
        wait_until(publisher.get_subscription_count, 'the subscription')
    message = Float64MultiArray(data=[0.7])
    for _ in range(500):
        for publisher in publishers:
            publisher.publish(message)
    made.reach('velocity', wheel=0.7)
    assert made.client.trigger('reset').success, 'the server answers meanwhile'


def test_a_reset_forgets_commands(robot):
    _, made = robot(ARM, WHEEL)
    made.send('/arm/commands', 0.4, -0.6)
    made.send('/wheel/commands', 1.5)
    made.reach(lift=0.4, turn=-0.6)
    made.reach('velocity', wheel=1.5)
    assert made.client.trigger('reset').success
    made.later(1.0)
    made.reach(lift=0.0, turn=0.0)
    made.reach('velocity', wheel=0.0)


def test_after_a_reset_a_command_is_ignored_until_it_changes(robot):
    process, made = robot(ARM, FAN)
    made.send('/arm/commands', 0.3, -0.4)
    made.send('/fan', 0.05)
    made.reach(lift=0.3, turn=-0.4)
    made.reach('velocity', fan=0.5)
    assert made.client.trigger('reset').success
    made.send('/arm/commands', 0.3, -0.4)
    made.send('/fan', 0.05)
    for name in ('arm', 'fan'):
        process.wait_for_output(f'{name}: a command equals the last command before the reset')
    made.reach(lift=0.0, turn=0.0)
    made.reach('velocity', fan=0.0)
    made.send('/arm/commands', 0.3, -0.5)
    made.send('/fan', 0.1)
    made.reach(lift=0.3, turn=-0.5)
    made.reach('velocity', fan=1.0)


def test_an_emergency_stop_holds_all_until_it_is_released_and_tells_its_state(robot):
    _, made = robot(STOP, ARM, WHEEL, FAN)
    active = made.client.collect(Bool, '/emergency_stop/active', latched=True)
    wait_until(lambda: active, 'the latched state')
    assert not active[-1].data
    made.send('/wheel/commands', 2.0)
    made.send('/fan', 0.5)
    made.reach('velocity', wheel=2.0)

    answer = made.stop(True)
    assert (answer.success, answer.message) == (True, 'stopped arm, wheel, fan')
    wait_until(lambda: active[-1].data, 'the state')
    made.reach('velocity', wheel=0.0, within=0.02)
    made.reach('effort', fan=0.0)
    made.send('/wheel/commands', 2.0)
    made.later(1.0)
    made.reach('velocity', wheel=0.0, within=0.02)

    answer = made.stop(False)
    assert (answer.success, answer.message) == (True, 'released arm, wheel, fan')
    wait_until(lambda: not active[-1].data, 'the state')
    made.later(1.0)
    made.reach('velocity', wheel=0.0, within=0.02)
    made.send('/wheel/commands', 2.0)
    made.reach('velocity', wheel=2.0)


def test_a_stop_without_anything_to_stop_is_no_success(robot):
    _, made = robot(STOP)
    answer = made.stop(True)
    assert not answer.success
    assert answer.message == (
        'no ready plugin drives anything that can be stopped;'
        ' actuator fan belongs to no plugin and keeps its control'
    )


def test_in_eval_mode_the_stop_is_offered_if_the_organiser_says_so(start):
    plugins = json.dumps([{**STOP, 'in_eval_mode': True}, WHEEL])
    protected = {'eval_mode': True, 'admin_hash': 'swordfish'}
    _, client = start({**SERVER, **protected, 'MujocoPlugins': plugins})
    made = Robot(client)
    made.send('/wheel/commands', 1.0)
    made.reach('velocity', wheel=1.0)
    assert made.stop(True).success


def test_late_commands_end_and_live_values_of_the_drive_are_parameters(robot):
    process, made = robot({**WHEEL, 'command_timeout': 0.5}, {**ARM, 'use_servos': False})
    made.send('/wheel/commands', 1.5)
    process.wait_for_output('wheel: no command for 0.5 s: the last commands of wheel have ended')
    made.reach('velocity', wheel=0.0, within=0.02)
    made.reach(lift=0.0, within=0.001)
    (answer,) = made.client.set_parameters(arm__gravity_compensation=False)
    assert answer.successful, answer.reason
    wait_until(lambda: abs(made.now()['lift']) > 0.005, 'the weight to pull the joint down')
