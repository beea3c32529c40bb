"""A controller manager in its own process, through jumps of the time that it knows nothing of."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import pytest
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from std_srvs.srv import SetBool

from .controller_manager import ManagerProcess
from .harness import Client, Process, seconds, wait_until

srv = pytest.importorskip('mujoco_ros_py_interfaces.srv', reason='the interfaces were not built')
pytestmark = pytest.mark.slow

ROBOT = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body>
      <joint name="lift" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.5"/>
    </body>
    <body pos="2 0 0"><joint name="turn" axis="0 0 1"/><geom size="0.1" mass="1"/></body>
  </worldbody>
  <actuator><motor joint="lift"/><position joint="turn" kp="2" kv="0.2"/></actuator>
</mujoco>
"""
JOINTS = {'lift': ['position'], 'turn': ['position']}
PLUGIN = {'type': 'mujoco_ros_py/TopicBasedHardware', 'name': 'hardware',
          'joints': {'lift': 'position', 'turn': 'position'}}  # fmt: skip
SERVER = {'mujoco_xml': ROBOT, 'MujocoPlugins': json.dumps([PLUGIN]), 'realtime': 1.0}
IGNORED = 'hardware: the commands of lift, turn are the same as before the reset or the start'

SILENT = 'hardware: no message has arrived from the publisher of /robot_joint_commands'


@pytest.fixture
def manager(domain: int) -> Iterator[ManagerProcess]:
    """The process of a manager, which is there before the server."""
    process = ManagerProcess(domain, joints=JOINTS)
    yield process
    process.end()


class Driven:
    """A server, its states, and the commands that the manager sends it."""

    def __init__(self, process: Process, client: Client) -> None:
        self.process, self.client = process, client
        self.states = client.collect(JointState, '/robot_joint_states')
        self.commands = client.collect(JointState, '/robot_joint_commands')
        topic = '/forward_controller/commands'
        self._forward = client.node.create_publisher(Float64MultiArray, topic, 1)

    def move(self, lift: float, turn: float) -> None:
        """Has the controller move the robot, and waits until it is there."""
        wait_until(lambda: self.states and self.commands[20:], 'NaN', process=self.process)
        wait_until(self._forward.get_subscription_count, 'the controller')

        sent_s = 0.0

        def there() -> bool:
            nonlocal sent_s
            if time.monotonic() > sent_s + 2.0:  # the first message may be lost
                sent_s = time.monotonic()
                self._forward.publish(Float64MultiArray(data=[lift, turn]))
            moved = list(self.states[-1].position) == pytest.approx([lift, turn], abs=0.01)
            return moved and seconds(self.states[-1].header.stamp) > 2.0

        wait_until(there, f'{lift} and {turn}', process=self.process)

    def assert_rest_after(self, jump: Callable[[], Driven]) -> None:
        """Has the time jump back; checks that the robot rests at 0 when the manager wakes.

        `jump` returns the robot, or that of another server.
        """
        before_s = seconds(self.states[-1].header.stamp)
        begin = len(self.states)
        robot = jump()
        sent = len(self.commands)  # those from before the jump may arrive late
        if robot is not self:
            begin = sent = 0
        assert robot.client.pause(False).success
        assert robot.client.set_parameters(realtime=10.0)[0].successful

        def after() -> list[int]:
            states = enumerate(robot.states)
            times = ((k, seconds(state.header.stamp)) for k, state in states if k >= begin)
            return [k for k, time in times if time < before_s - 0.5][:1]

        (first,) = wait_until(after, 'the jump', process=robot.process)
        last = self.states[-1] if robot is not self else self.states[first - 1]
        old_s = seconds(last.header.stamp)

        def again() -> list[JointState]:
            return [c for c in robot.commands[sent:] if seconds(c.header.stamp) > old_s + 0.5]

        wait_until(lambda: len(again()) > 10, 'the last commands', process=robot.process)
        ended = seconds(robot.states[-1].header.stamp)
        wait_until(lambda: seconds(robot.states[-1].header.stamp) > ended + 0.5, 'more states')
        assert len({tuple(command.position) for command in again()}) == 1
        stamps = [seconds(command.header.stamp) for command in robot.commands[sent:]]
        assert sum(stamp < before_s - 0.5 for stamp in stamps) <= 1, 'the manager has slept'
        for state in robot.states[first:]:
            assert list(state.position) == pytest.approx([0.0, 0.0], abs=0.005)
        assert robot.client.set_parameters(realtime=1.0)[0].successful


def test_after_a_reset_a_reload_and_a_restored_state_the_robot_waits_for_a_new_command(
    manager, start
):
    robot = Driven(*start(SERVER))
    request = srv.SaveState.Request(name='home')
    assert robot.client.call(srv.SaveState, 'save_state', request).success

    def jumped(name: str) -> Driven:
        if name == 'restore_state':
            home = srv.RestoreState.Request(name='home')
            assert robot.client.call(srv.RestoreState, name, home).success
        else:
            assert robot.client.trigger(name).success
        return robot

    for number, name in enumerate(('reset', 'reload', 'restore_state')):
        robot.move(0.4 + 0.1 * number, 0.3)
        robot.assert_rest_after(lambda name=name: jumped(name))
        robot.process.wait_for_output(IGNORED)
        assert robot.process.output.count(IGNORED) <= number + 1, 'once for each jump'
        robot.move(-0.2, -0.1)


def test_where_the_time_continues_the_manager_goes_on_and_moves_nothing(manager, start):
    robot = Driven(*start({**SERVER, 'time_after_reset': 'continue'}))
    home = srv.SaveState.Request(name='home')
    assert robot.client.call(srv.SaveState, 'save_state', home).success

    def restore() -> None:
        request = srv.RestoreState.Request(name='home')
        assert robot.client.call(srv.RestoreState, 'restore_state', request).success

    jumps = (
        lambda: robot.client.trigger('reset'),
        lambda: robot.client.trigger('reload'),
        restore,
    )
    for number, jump in enumerate(jumps):
        robot.move(0.4 + 0.1 * number, 0.3 + 0.1 * number)
        assert robot.states[-1].position[0] > 0.3
        begin, sent = len(robot.states), len(robot.commands)
        jump()
        wait_until(
            lambda first=begin: robot.states[first:] and abs(robot.states[-1].position[0]) < 0.005,
            'the start', process=robot.process,
        )  # fmt: skip
        (first, *_) = (
            k for k in range(begin, len(robot.states)) if abs(robot.states[k].position[0]) < 0.005
        )
        jumped_s = seconds(robot.states[first].header.stamp)
        wait_until(
            lambda end=jumped_s + 1.0: seconds(robot.states[-1].header.stamp) > end, 'a second'
        )

        assert all(abs(state.position[0]) < 0.005 for state in robot.states[first:])
        stamps = [seconds(state.header.stamp) for state in robot.states[begin:]]
        assert stamps == sorted(stamps)
        assert len(robot.commands) > sent + 50, 'the manager does not sleep'
        wait_until(
            lambda count=number + 1: robot.process.output.count(IGNORED) == count, 'a line',
            process=robot.process,
        )  # fmt: skip


def test_a_manager_in_wall_time_goes_on_and_moves_nothing_either(start, domain):
    manager = ManagerProcess(domain, joints=JOINTS, use_sim_time=False)
    try:
        robot = Driven(*start(SERVER))
        robot.move(0.4, 0.3)
        assert robot.client.trigger('reset').success
        robot.process.wait_for_output(IGNORED)
        wait_until(lambda: abs(robot.states[-1].position[0]) < 0.005, 'the start')
        begin = len(robot.states)
        manager.updates(100)
        wait_until(lambda: len(robot.states) > begin + 50, 'states')
        assert all(abs(state.position[0]) < 0.005 for state in robot.states[begin:])
        robot.move(-0.2, -0.1)
    finally:
        manager.end()


def test_controllers_cannot_be_switched_in_a_pause(start, domain):
    """As the manager switches in an update, which a pause does not let come."""
    manager = ManagerProcess(domain, joints=JOINTS, switch_timeout_s=0.5)
    try:
        robot = Driven(*start(SERVER))
        robot.move(0.4, 0.3)
        assert robot.client.pause(True).success
        off = SetBool.Request(data=False)
        refused = robot.client.call(SetBool, '/forward_controller/activate', off)
        assert (refused.success, refused.message) == (False, 'Switch controller timed out')
        assert robot.client.pause(False).success
        wait_until(
            lambda: robot.client.call(SetBool, '/forward_controller/activate', off).success, 'off'
        )
    finally:
        manager.end()


def test_after_a_restart_of_the_server_an_inactive_controller_moves_nothing(manager, start):
    first = Driven(*start(SERVER))
    first.move(0.4, 0.3)
    off = SetBool.Request(data=False)
    assert first.client.call(SetBool, '/forward_controller/activate', off).success

    def restarted() -> Driven:
        first.process.kill()
        second = Driven(*start({**SERVER, 'unpause': False}))
        second.process.wait_for_output(SILENT)
        return second

    first.assert_rest_after(restarted)


def test_a_plugin_that_a_reload_makes_anew_ignores_the_commands_from_before_too(manager, start):
    robot = Driven(*start(SERVER))
    robot.move(0.4, 0.3)

    def reloaded() -> Driven:
        other = json.dumps([{**PLUGIN, 'update_rate': 50.0}])
        assert robot.client.set_parameters(MujocoPlugins=other)[0].successful
        assert robot.client.pause(True).success
        assert robot.client.trigger('reload').success
        robot.process.wait_for_output(SILENT)
        return robot

    robot.assert_rest_after(reloaded)


def test_with_the_parameter_off_the_robot_goes_back_as_soon_as_the_manager_wakes(manager, start):
    plugins = json.dumps([{**PLUGIN, 'ignore_old_commands_after_reset': False}])
    robot = Driven(*start({**SERVER, 'MujocoPlugins': plugins}))
    robot.move(0.4, 0.3)
    assert robot.client.trigger('reset').success
    wait_until(lambda: abs(robot.states[-1].position[0]) < 0.01, 'the start')
    wait_until(lambda: abs(robot.states[-1].position[0] - 0.4) < 0.01, 'the old command')


def test_the_log_says_what_a_pause_does_to_a_manager_that_is_there(manager, start):
    process, client = start({**SERVER, 'unpause': False})
    hint = 'hardware: the simulation is paused, and /robot_joint_commands has a publisher'
    process.wait_for_output(hint)
    assert client.pause(False).success
    robot = Driven(process, client)
    robot.move(0.4, 0.3)
    assert client.pause(True).success
    assert client.trigger('reset').success
    assert process.output.count(hint) == 1
