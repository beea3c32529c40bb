"""TopicBasedHardware over DDS, against what ros2_control's hardware sends and reads."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import pytest
from deadline import DEADLINE_S
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

from .harness import seconds, wait_until
from .qos import offered, shown
from .topic_hardware import KINDS, TopicHardware

pytestmark = pytest.mark.slow

ROBOT = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body>
      <joint name="lift" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.5"/>
    </body>
    <body pos="2 0 0"><joint name="wheel" axis="0 0 1"/><geom size="0.1" mass="1"/></body>
    <body pos="4 0 0"><joint name="fan" axis="0 0 1" damping="0.1"/><geom size="0.1"/></body>
    <body pos="6 0 0">
      <joint name="finger" type="slide" axis="0 1 0" range="0 0.05" limited="true"/>
      <geom size="0.02" mass="0.1"/>
    </body>
    <body pos="7 0 0">
      <joint name="follower" type="slide" axis="0 -1 0"/><geom size="0.02" mass="0.1"/>
    </body>
  </worldbody>
  <equality><joint joint1="follower" joint2="finger"/></equality>
  <actuator>
    <motor joint="lift"/><velocity joint="wheel" kv="1"/><motor joint="fan"/>
    <position joint="finger" kp="200" kv="20"/>
  </actuator>
</mujoco>
"""
JOINTS = {'wheel': ['velocity'], 'lift': ['position'], 'follower': [], 'fan': ['effort'],
          'finger': ['position']}  # fmt: skip
MIMICS = {'follower': ('finger', 1.0, 0.0)}
MODES = {name: kinds[0] if kinds else 'none' for name, kinds in reversed(JOINTS.items())}
PLUGIN = {'type': 'mujoco_ros_py/TopicBasedHardware', 'name': 'hardware', 'joints': MODES}


IGNORED = 'are the same as before the reset or the start, and are ignored until they change'
AT_REST = {
    'mujoco_xml': ROBOT,
    'MujocoPlugins': json.dumps([PLUGIN]),
    'unpause': False,
    'realtime': 2.0,
}
Make = Callable[..., TopicHardware]


@pytest.fixture
def connect() -> Iterator[Make]:
    """`connect(client, joints, ...)`: a hardware to which the server talks."""
    with ExitStack() as made:

        def begin(client: Any, joints: Any = JOINTS, **given: Any) -> TopicHardware:
            hardware = TopicHardware(client, joints, **{'mimics': MIMICS, **given})
            made.callback(hardware.close)
            wait_until(lambda: hardware.states or hardware.error, 'states')
            return hardware

        yield begin


@pytest.fixture
def server(share) -> tuple[Any, Any]:
    """The process and the client of a server that runs."""
    process, client = share(AT_REST)
    assert client.pause(False).success
    return process, client


def reach(hardware: TopicHardware, kind: str, within: float = 0.01, **wanted: float) -> None:
    def there() -> bool:
        return all(
            abs(hardware.state[joint, kind] - value) < within for joint, value in wanted.items()
        )

    wait_until(there, f'{kind} {wanted}')


def command_all(hardware: TopicHardware) -> None:
    hardware.command('position', lift=0.4, finger=0.03)
    hardware.command('velocity', wheel=1.5)
    hardware.command('effort', fan=0.05)


def reach_all(hardware: TopicHardware) -> None:
    reach(hardware, 'position', lift=0.4)
    reach(hardware, 'position', finger=0.03, within=0.001)
    reach(hardware, 'velocity', wheel=1.5, fan=0.5)


def later(hardware: TopicHardware, period_s: float) -> None:
    """Waits for a time of the simulation."""
    end = seconds(hardware.states[-1].header.stamp) + period_s
    wait_until(lambda: seconds(hardware.states[-1].header.stamp) > end, f'{period_s} s later')


def told(state: JointState, joint: str, kind: str = 'position') -> float:
    """Returns what the server says of a joint, which the hardware may compute by itself."""
    return float(getattr(state, kind)[state.name.index(joint)])


def rests(hardware: TopicHardware, period_s: float) -> None:
    """Waits for a time of the simulation, and checks that all commands were followed in it."""
    begin = len(hardware.states)
    later(hardware, period_s)
    for joint, kind in (('lift', 'position'), ('finger', 'position'), ('wheel', 'velocity')):
        values = [told(state, joint, kind) for state in hardware.states[begin:]]
        wanted = hardware.commands[joint, kind]
        assert values == pytest.approx([wanted] * len(values), abs=0.002), joint
    efforts = {round(told(state, 'fan', 'effort'), 9) for state in hardware.states[begin:]}
    assert efforts == {hardware.commands['fan', 'effort']}


def test_joints_are_driven_by_their_own_interfaces_and_states_name_all_of_them(server, connect):
    """The arrays of a command are shorter than its names, and those of a state as long."""
    made = connect(server[1])
    command_all(made)
    reach_all(made)
    reach(made, 'effort', fan=0.05, within=1e-9)
    assert made.written > 10, 'one velocity is never exact'
    for state in made.states:
        assert sorted(state.name) == sorted(JOINTS)
        assert all(len(getattr(state, kind)) == len(state.name) for kind in KINDS)
        assert all(math.isfinite(value) for kind in KINDS for value in getattr(state, kind))


def test_the_last_command_holds_while_the_hardware_is_silent_below_its_threshold(server, connect):
    made = connect(server[1], {'finger': ['position'], 'follower': []})
    made.command('position', finger=0.03)
    reach(made, 'position', finger=0.03, within=1e-6)
    later(made, 0.2)
    written = made.written
    later(made, 1.0)
    assert made.written == written
    reach(made, 'position', finger=0.03, within=1e-5)


def test_the_last_command_holds_when_the_hardware_is_gone(server, connect):
    made = connect(server[1])
    command_all(made)
    reach_all(made)
    later(made, 1.0)
    made.write = lambda header: None
    later(made, 0.1)  # no state is answered any more
    made.disappear()
    rests(made, 1.0)


def test_nan_of_interfaces_that_no_controller_has_claimed_is_no_command(server, connect):
    process, client = server
    made, said = connect(client), len(process.output)
    later(made, 0.5)
    assert made.written > 10, 'NaN is always sent'
    reach(made, 'position', lift=0.0, finger=0.0)
    made.command('position', lift=0.4)
    reach(made, 'position', lift=0.4)
    reach(made, 'position', finger=0.0)
    assert 'refused' not in process.output[said:]


def test_mimic_joints_are_named_without_a_command_and_are_where_the_hardware_computes_them(
    share, connect
):
    follows = 'joint2="finger" polycoef="0.005 -0.5 0 0 0"/>'
    robot = ROBOT.replace('joint2="finger"/>', follows)
    _, client = share(AT_REST, given={'mujoco_xml': robot})
    assert client.pause(False).success
    made = connect(client, mimics={'follower': ('finger', -0.5, 0.005)})
    made.command('position', finger=0.04)
    reach(made, 'position', finger=0.04, within=0.001)
    later(made, 0.5)
    computed = made.state['follower', 'position']
    assert computed == pytest.approx(0.005 - 0.5 * 0.04, abs=0.001)
    assert told(made.states[-1], 'follower') == pytest.approx(computed, abs=0.001)


def test_a_command_with_an_unknown_joint_is_refused_whole_and_said_and_the_last_one_holds(
    server, connect
):
    process, client = server
    made = connect(client)
    command_all(made)
    reach_all(made)
    later(made, 1.0)
    made.write = lambda header: None
    names = [*JOINTS, 'leg']
    shorter = {'position': [-0.4, 0.01], 'velocity': [-1.5], 'effort': [-0.05]}
    aligned = {kind: [0.01] * len(names) for kind in KINDS}
    for arrays in (shorter, aligned, {kind: [0.01] for kind in KINDS}):
        made.publisher.publish(JointState(name=names, **arrays))
    process.wait_for_output(
        'hardware: a command was refused: leg is not a joint of the hardware:'
        ' finger, fan, follower, lift, wheel'
    )
    rests(made, 1.0)
    del made.write
    made.command('position', lift=0.2)
    reach(made, 'position', lift=0.2)


def test_after_a_reset_and_after_a_reload_each_joint_waits_until_its_command_changes(
    server, connect
):
    """The hardware repeats the last commands, as the states differ from them, and nobody moves."""
    process, client = server
    made = connect(client)
    for service in ('reset', 'reload'):
        command_all(made)
        reach_all(made)
        assert client.trigger(service).success
        reach(made, 'position', lift=0.0, finger=0.0)
        written = made.written
        later(made, 0.5)
        assert made.written > written
        reach(made, 'position', lift=0.0, finger=0.0)
        made.command('position', lift=0.2)
        reach(made, 'position', lift=0.2)
        reach(made, 'position', finger=0.0)
        reach(made, 'velocity', wheel=0.0, fan=0.0)
        made.command('position', finger=0.01)
        made.command('velocity', wheel=0.5)
        made.command('effort', fan=0.01)
        reach(made, 'velocity', wheel=0.5, fan=0.1)
    process.wait_for_output(IGNORED)


DECLARED = dict.fromkeys(JOINTS, KINDS[:2]) | {'fan': KINDS}
URDF = """
<robot name="robot">
  <link name="base"/><link name="rod">
    <inertial>
      <mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="lift" type="continuous"><parent link="base"/><child link="rod"/></joint>
  <ros2_control name="arm" type="system">
    <joint name="lift">
      <command_interface name="position"/>
      <state_interface name="position"/><state_interface name="velocity"/>
    </joint>
  </ros2_control>
</robot>
"""


def test_states_that_the_hardware_does_not_declare_would_unconfigure_it_and_are_left_out(
    server, share, connect
):
    made = connect(server[1], states=DECLARED)
    assert "/effort'" in made.error
    states = {name: list(kinds) for name, kinds in DECLARED.items()}
    plugins = json.dumps([{**PLUGIN, 'states': states}])
    _, client = share(AT_REST, given={'MujocoPlugins': plugins})
    assert client.pause(False).success
    made = connect(client, states=DECLARED)
    command_all(made)
    reach_all(made)
    assert made.error == ''


def test_states_are_those_that_the_urdf_of_the_robot_declares(share, connect):
    plugins = json.dumps([{**PLUGIN, 'joints': {'lift': 'position'}}])
    _, client = share(AT_REST, given={'mujoco_xml': URDF, 'MujocoPlugins': plugins})
    assert client.pause(False).success
    made = connect(client, {'lift': ['position']}, mimics={}, states={'lift': KINDS[:2]})
    made.command('position', lift=0.4)
    reach(made, 'position', lift=0.4)
    assert made.error == ''
    assert all(math.isnan(told(state, 'lift', 'effort')) for state in made.states)


LOCKSTEP = {'lockstep_period': 0.01, 'lockstep_timeout': 0.0, 'realtime': -1.0, 'unpause': True}


def assert_answered(hardware: TopicHardware) -> None:
    """Checks that the simulation waits for the answer to each of its states."""
    command_all(hardware)
    reach_all(hardware)
    later(hardware, 0.5)
    periods = [round(seconds(state.header.stamp) / 0.01) for state in hardware.states[-50:]]
    assert [after - before for before, after in pairwise(periods)] == [1] * 49


def test_the_simulation_waits_for_the_hardware_in_lockstep(start, connect):
    _, client = start({**AT_REST, **LOCKSTEP, 'lockstep_topics': ['/robot_joint_commands']})
    assert_answered(connect(client, threshold=-1.0))


def test_the_topics_of_a_group_have_overrides_and_take_part_in_lockstep(start, connect):
    own = {'joint_commands_topic': 'commands', 'joint_states_topic': 'states'}
    group = {'namespace': 'one', 'prefix': '', 'plugins': [{**PLUGIN, **own}]}
    process, client = start({
        **AT_REST, **LOCKSTEP, 'lockstep_topics': ['one/commands'],
        'MujocoPlugins': json.dumps([group]),
        'qos_overrides./one/commands.subscription.depth': 3,
        'qos_overrides./one/states.publisher.reliability': 'best_effort',
    })  # fmt: skip
    assert_answered(connect(client, threshold=-1.0, topics='/one/'))
    (profile,) = offered(client, '/one/states')
    assert profile.reliability == ReliabilityPolicy.BEST_EFFORT
    assert shown(client, '/one/commands', 'subscription')['depth'] == 3
    assert 'has no effect' not in process.output
    assert 'no plugin subscribes to' not in process.output


def test_two_robots_need_topics_of_their_own(share):
    def group(name: str, joint: str, **topics: str) -> dict[str, Any]:
        plugin = {**PLUGIN, 'joints': {joint: 'position'}, **topics}
        return {'namespace': name, 'prefix': '', 'plugins': [plugin]}

    own = {'joint_commands_topic': 'commands', 'joint_states_topic': 'states'}
    groups = [group('one', 'lift'), group('two', 'finger'), group('three', 'fan', **own)]
    process, client = share(AT_REST, given={'MujocoPlugins': json.dumps(groups)})
    assert client.pause(False).success
    process.wait_for_output('two/hardware')
    refused = 'one/hardware already uses /robot_joint_commands, /robot_joint_states'
    process.wait_for_output(refused)
    states = client.collect(JointState, '/three/states')
    wait_until(lambda: states, 'the states of the third robot')
    commands = client.node.create_publisher(JointState, '/three/commands', 1)
    wait_until(commands.get_subscription_count, 'the subscription of the third robot')
    commands.publish(JointState(name=['fan'], position=[0.5]))
    wait_until(lambda: abs(states[-1].position[0] - 0.5) < 0.01, 'the third robot at 0.5 rad')


@pytest.fixture
def publishers(server) -> Iterator[list[Any]]:
    """Two publishers of commands, whose subscription is there."""
    node = server[1].node
    made = [
        node.create_publisher(JointState, '/robot_joint_commands', QoSProfile(depth=1))
        for _ in range(2)
    ]
    for publisher in made:
        wait_until(publisher.get_subscription_count, 'the subscription')
    yield made
    for publisher in made:
        server[1].run_in_executor(node.destroy_publisher, publisher)


def test_what_fits_no_reading_moves_nothing_and_is_said_once_a_second(server, connect, publishers):
    process, client = server
    made = connect(client)
    made.write = lambda header: None
    for command, said, times in (
        ({'name': ['lift', 'toe'], 'position': [0.5]}, 'toe is not a joint of the hardware', 2),
        ({'name': ['lift', 'lift'], 'position': [0.5, 0.5]}, 'it names lift twice', 1),
        ({'name': ['lift', 'finger', 'fan'], 'position': [0.5]}, 'position has 1 numbers', 1),
        ({'name': ['lift'], 'position': [math.inf]}, 'position has an infinite number', 1),
        ({'position': [0.5]}, 'position has 1 numbers', 1),
    ):
        message, begin = JointState(**command), time.monotonic()
        before = process.output.count(said)
        while process.output.count(said) < before + times:
            for publisher in publishers:
                publisher.publish(message)
            assert time.monotonic() < begin + DEADLINE_S, said
        assert process.output.count(said) - before <= time.monotonic() - begin + 2
    reach(made, 'position', lift=0.0, finger=0.0, within=0.005)
    del made.write
    command_all(made)
    reach_all(made)


def test_of_two_publishers_at_a_high_rate_the_newest_command_counts(server, connect, publishers):
    _, client = server
    made = connect(client)
    made.write = lambda header: None
    for number in range(300):
        for publisher in publishers:
            publisher.publish(JointState(name=['lift'], position=[number / 300 * 0.4]))
    assert all(publisher.wait_for_all_acked() for publisher in publishers)
    publishers[1].publish(JointState(name=['lift'], position=[0.3]))
    reach(made, 'position', lift=0.3)
    assert client.trigger('reset').success, 'the server answers meanwhile'
