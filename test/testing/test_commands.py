"""Tests command controllers and other plugins; a replay of the commands is equal to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError, PluginError
from mujoco_ros_py.plugins import Commandable, MujocoPlugin
from mujoco_ros_py.testing import serve
from mujoco_ros_py.testing.replay import main, replay

from .conftest import describe_plugins

ROBOT = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body name="cart">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="y" type="slide" axis="0 1 0"/>
      <joint name="yaw" axis="0 0 1"/>
      <geom size="0.1"/>
    </body>
    <body name="upper" pos="0 3 0">
      <joint name="shoulder" axis="0 1 0" armature="0.2" damping="1"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/>
      <body name="lower" pos="0.5 0 0">
        <joint name="elbow" axis="0 1 0" armature="0.2" damping="1"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/>
        <body name="finger" pos="0.5 0 0">
          <joint name="finger" type="slide" axis="0 1 0" range="0 0.1" armature="0.2" damping="1"/>
          <geom size="0.02"/>
        </body>
      </body>
    </body>
    <body name="crate" pos="0 -3 0"><joint name="slide" type="slide"/><geom size="0.1"/></body>
    <body name="wheel" pos="0 -6 0"><joint name="wheel"/><geom size="0.1"/></body>
    <body name="target" mocap="true"/>
  </worldbody>
  <actuator>
    <position name="shoulder" joint="shoulder" kp="200" kv="20"/>
    <position name="elbow" joint="elbow" kp="200" kv="20"/>
    <position name="finger" joint="finger" kp="200" kv="20"/>
    <motor name="slide" joint="slide"/>
    <motor name="wheel" joint="wheel"/>
  </actuator>
</mujoco>
"""


def plugin(kind, name, **values):
    return {'type': f'mujoco_ros_py/{kind}', 'name': name, **values}


PLUGINS = [
    plugin('PlanarDriveController', 'base', x_joint='x', y_joint='y', yaw_joint='yaw'),
    plugin('JointTrajectoryController', 'arm', joints=['shoulder', 'elbow']),
    plugin('ParallelGripperController', 'gripper', joint='finger'),
    plugin('ActuatorCommands', 'wheel', actuators=['wheel']),
    plugin('BodyWrench', 'push', body='crate'),
    plugin('MocapPose', 'target', body='target'),
    plugin('EmergencyStop', 'stop'),
]


def command_everything(server):
    """Sends a command of each kind between steps, and returns the last state."""
    server.command('base', linear_x=0.4)
    server.command('arm', points=[{'positions': np.array([0.5, 0.3]), 'time_from_start': 0.2}])
    server.command('gripper', position=0.05)
    server.command('push', force=[2.0, 0.0, 0.0])
    server.step(50, ctrl={'slide': 0.5})
    server.command('wheel', data=(0.1,))
    server.command('target', position=[1.0, 2.0, 3.0])
    server.command('base', linear_x=0.4, angular_z=np.float32(0.3))
    return server.step(100)


@pytest.fixture(scope='module')
def robot():
    with serve(ROBOT, PLUGINS) as server:
        yield server


@pytest.mark.slow
def test_each_kind_of_controller_takes_commands_and_a_recording_repeats_them_to_the_bit(
    robot, tmp_path
):
    robot.reset()
    robot.record_from_here()
    state = command_everything(robot)
    assert state.joint('x').position == pytest.approx(0.11, abs=0.02)
    assert state.joint('shoulder').position == pytest.approx(0.5, abs=0.05)
    assert state.joint('finger').position == pytest.approx(0.05, abs=0.01)
    assert state.actuator('wheel').ctrl == 0.1
    assert state.body('target').position.tolist() == [1.0, 2.0, 3.0]
    assert state.joint('slide').velocity != 0.0
    folder = robot.write_recording(tmp_path / 'recording')
    result = replay(folder)
    assert (result.difference, result.steps) == ('', 150)
    assert main([str(folder)]) == 0
    robot.command('stop', data=True)
    robot.wait_until(lambda state: abs(state.joint('x').velocity) < 1e-3, timeout_s=2.0)
    robot.command('stop', data=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ('name', 'fields', 'reason'),
    [
        (
            'bsae',
            {},
            r"unknown plugin 'bsae' \(did you mean 'base'\?\); known: arm, base, gripper",
        ),
        (
            'base',
            {'linearx': 1.0},
            r"command of base: unknown field 'linearx' \(did you mean 'lin",
        ),
        ('base', {'linear_x': 'fast'}, 'command of base: .*real number, not str'),
        ('base', {'linear_x': float('inf')}, 'must have finite numbers, got inf'),
        ('base', {'linear_x': object()}, 'linear_x must be numbers, strings, lists or structs'),
        ('wheel', {}, 'command of wheel: data must be given; known: data'),
        ('wheel', {'data': [1.0, 2.0]}, 'must have 1 finite numbers'),
        ('arm', {'points': []}, 'a trajectory needs points'),
        ('arm', {'points': [{'position': [0.1]}]}, "unknown field of point 0 'position'"),
        ('arm', {'points': [{'positions': [0.1]}]}, 'point 0 must have 2 positions'),
    ],
)
def test_a_command_that_is_refused_says_why_and_changes_nothing(robot, name, fields, reason):
    before = robot.state.sample.values.tobytes()
    with pytest.raises(ConfigError, match=reason):
        robot.command(name, **fields)
    assert robot.set().sample.values.tobytes() == before
    assert robot.problems == []


@pytest.mark.slow
def test_the_control_of_an_actuator_that_a_controller_drives_is_refused(robot):
    reason = (
        r"actuator 'wheel' belongs to the plugin wheel \(ActuatorCommands\), which sets its"
        r' control in each step: use `server.command` instead'
    )
    for set_controls in (robot.set, robot.step):
        with pytest.raises(ConfigError, match=reason):
            set_controls(ctrl={'slide': 0.1, 'wheel': 0.2})
    with pytest.raises(ConfigError, match=r'shoulder.*belongs to the plugin arm'):
        robot.set(ctrl=np.zeros(5))
    assert robot.set(ctrl={'slide': 0.25}).actuator('slide').ctrl == 0.25


class Worn(MujocoPlugin, Commandable):
    """Drives the motor by its commands, and fails at the third command."""

    driven_actuators = ('slide',)
    calls = 0

    def take_command(self, model, data, /, **fields):
        self.calls += 1
        data.ctrl[3] = fields['push']
        if self.calls == 3:
            raise RuntimeError('worn out')


def test_a_plugin_of_a_user_takes_commands_until_it_fails_and_owns_nothing_after_that(tmp_path):
    with serve(ROBOT, [Worn], strict=False) as server:
        server.command('worn', push=0.5)
        with pytest.raises(ConfigError, match='command of worn: could not convert string'):
            server.command('worn', push='much')
        with pytest.raises(ConfigError, match='belongs to the plugin worn'):
            server.set(ctrl={'slide': 1.0})
        with pytest.raises(
            PluginError, match='take_command of worn raised RuntimeError: worn out'
        ):
            server.command('worn', push=0.5)
        assert 'worn out' in server.problems[0]
        assert server.set(ctrl={'slide': 1.0}).actuator('slide').ctrl == 1.0
        with pytest.raises(ConfigError, match="unknown plugin 'worn'"):
            server.command('worn', push=0.5)


def test_the_command_over_which_a_plugin_fails_is_repeated_at_the_end(tmp_path):
    with serve(ROBOT, [Worn]) as server:
        for push in (0.1, 0.2):
            server.command('worn', push=push)
            server.step()
        with pytest.raises(PluginError, match='worn out'):
            server.command('worn', push=0.3)
        folder = server.write_recording(tmp_path / 'recording')
    result = replay(folder)
    assert result.difference == ''
    assert 'worn out' in result.failure


def test_a_plugin_without_the_method_takes_no_commands_where_there_is_no_ros():
    class Deaf(MujocoPlugin):
        """Cannot take commands."""

    with (
        serve(ROBOT, [Deaf]) as server,
        pytest.raises(ConfigError, match=r'take_command needs ROS: .* or derive .* Commandable'),
    ):
        server.command('deaf', data=1.0)


LISTENERS = """
from geometry_msgs.msg import Twist
from mujoco_ros_py.plugins import Commandable, MujocoPlugin, compiled, new_state
from std_msgs.msg import Float64, Float64MultiArray

class Listener(MujocoPlugin):
    def load(self, model, data):
        self.state = new_state(push=0.0)
        self.ros.create_compiled_subscription(
            Float64MultiArray, '~/push', self.take, state=self.state
        )
        self.ros.create_subscription(Twist, '~/turn', self.turn)

    @staticmethod
    @compiled
    def take(state, model, data, message):
        state.push = message.data[1]

    def turn(self, message):
        self.environment.submit(lambda model, data: data.ctrl.put(4, message.angular.z))

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[3] = state.push
"""


@pytest.mark.slow
def test_a_process_takes_the_same_commands_and_messages_on_topics_of_any_plugin(
    robot, tmp_path, monkeypatch
):
    pytest.importorskip('rclpy', reason='rclpy is not installed')
    describe_plugins(LISTENERS, ['Listener'], tmp_path, monkeypatch)
    robot.reset()
    there = command_everything(robot).qpos
    mine = {'type': 'robot/Listener', 'name': 'ear'}
    with serve(ROBOT, [*PLUGINS, mine], process=True) as server:
        assert command_everything(server).qpos[:3].tolist() == there[:3].tolist()
        server.command('ear', '~/push', data=[0, 0.7])
        server.command('ear', '/ear/turn', angular={'z': 2})
        state = server.step()
        assert (state.actuator('slide').ctrl, state.actuator('wheel').ctrl) == (0.7, 0.1)
        with pytest.raises(ConfigError, match=r"unknown topic '/ear/psuh' .*known: /ear/push"):
            server.command('ear', '~/psuh', data=[1.0])
        with pytest.raises(ConfigError, match="Float64MultiArray: unknown field 'date'"):
            server.command('ear', '~/push', date=[1.0])
        with pytest.raises(ConfigError, match=r"data must be a list .*, got 'x'"):
            server.command('ear', '~/push', data='x')
        with pytest.raises(ConfigError, match='belongs to the plugin wheel'):
            server.set(ctrl={'wheel': 1.0})
        folder = server.write_recording(tmp_path / 'recording')
    assert replay(folder).difference == ''
