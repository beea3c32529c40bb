"""Controllers in other processes drive the simulation in lockstep, over DDS."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from .c_controller import c_controller, library_path
from .harness import PENDULUM, refusal_at_start, seconds, server_process, wait_until
from .plugin_site import PluginSite, as_text

pytestmark = pytest.mark.slow

STEPS, FEW = 10_000, 500
BUSY = 2
AT_1_KHZ = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body>
      <joint name="first" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
    </body>
    <body pos="1 0 0">
      <joint name="second" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
    </body>
  </worldbody>
  <actuator><motor joint="first"/><motor joint="second"/></actuator>
</mujoco>
"""
LOOPED = '''
import hashlib
from dataclasses import dataclass

import numpy as np
from sensor_msgs.msg import JointState

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state


@dataclass(frozen=True, kw_only=True)
class Config:
    file: str
    joint: int = 0


class Looped(MujocoPlugin[Config]):
    """Is driven by the answers to its states; writes what it went through into a file."""

    def load(self, model, data):
        self.state = new_state(
            joint=self.config.joint, force=0.0, last=-1_000_000, ordered=True,
            answers=0, steps=0,
            path=np.zeros((STEPS, 2)),  # position and velocity after each step
        )
        template = JointState(name=['joint'], position=[0.0], velocity=[0.0])
        self.ros.create_compiled_publisher(
            JointState, '~/states', self.fill, rate_hz=1000.0, template=template,
            state=self.state, copy_state=False,
        )
        state = self.state
        self.ros.create_compiled_subscription(JointState, '~/commands', self.take, state=state)

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        message.position[0] = data.qpos[state.joint]
        message.velocity[0] = data.qvel[state.joint]

    @staticmethod
    @compiled
    def take(state, model, data, message):
        stamp = message.header.stamp
        now = stamp.sec * 1_000_000_000 + stamp.nanosec
        if now != state.last:  # the first state is repeated until it is answered
            state.ordered = state.ordered and now == state.last + 1_000_000
            state.answers += 1
            state.last = now
        state.force = message.effort[0]

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[state.joint] = state.force

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        if state.steps < len(state.path):
            state.path[state.steps, 0] = data.qpos[state.joint]
            state.path[state.steps, 1] = data.qvel[state.joint]
        state.steps += 1

    def unload(self):
        path, last = self.state.path, self.state.path[:self.state.steps][-FEW:, 0]
        digests = [hashlib.sha256(part.tobytes()).hexdigest() for part in (path[:FEW], path)]
        told = *digests, np.ptp(last), self.state.answers, bool(self.state.ordered)
        with open(self.config.file, 'a') as file:
            print(*told, file=file)
'''.replace('STEPS', str(STEPS)).replace('FEW', str(FEW))
CONTROLLER = """
import contextlib
import math

import rclpy
from rclpy.executors import ExternalShutdownException
from sensor_msgs.msg import JointState

rclpy.init()
node = rclpy.create_node('controller')
commands = node.create_publisher(JointState, '/PLUGIN/commands', 10)


def answer(state):
    wanted = math.sin(5.0 * (state.header.stamp.sec + state.header.stamp.nanosec * 1e-9))
    effort = 20.0 * (wanted - state.position[0]) - 2.0 * state.velocity[0]
    commands.publish(JointState(header=state.header, name=state.name, effort=[effort]))


node.create_subscription(JointState, '/PLUGIN/states', answer, 10)
with contextlib.suppress(ExternalShutdownException):
    rclpy.spin(node)
"""
SPIN = 'while True: pass'
LEFT, RIGHT = (CONTROLLER.replace('PLUGIN', name) for name in ('left', 'right'))


def looped(file: Path, **joints: int) -> str:
    """Returns plugins with these names and joints, which write into the file."""
    plugins = [
        {'type': 'loops/Looped', 'name': name, 'joint': joint, 'file': str(file)}
        for name, joint in (joints or {'left': 0}).items()
    ]
    return as_text(*plugins)


def parameters(file: Path, **given: object) -> dict[str, object]:
    """The parameters of a server in lockstep, with changes."""
    return {
        'mujoco_xml': AT_1_KHZ, 'MujocoPlugins': looped(file), 'joint_states_rate': 0.0,
        'lockstep_period': 0.001, 'lockstep_topics': ['/left/commands'], **given,
    }  # fmt: skip


@contextmanager
def running(*controllers: str | list[str], domain: int):
    """Processes that run code in Python, or a command, inside the context."""
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain)}
    begun = []
    for each in controllers:
        if isinstance(each, str):
            begun.append(subprocess.Popen([sys.executable, '-c', each], env=environment))
        else:
            found = {**environment, 'LD_LIBRARY_PATH': library_path()}
            begun.append(subprocess.Popen(each, env=found))
    try:
        yield
    finally:
        for process in begun:
            process.kill()
            process.wait(DEADLINE_S)


@pytest.fixture
def site(tmp_path) -> PluginSite:
    """The packages of plugins that the servers find, with the plugin `loops/Looped`."""
    made = PluginSite(tmp_path)
    made.add_module('loops', LOOPED)
    return made


@pytest.fixture
def paths(tmp_path, domain, site):
    """`paths(**parameters)`: what each plugin wrote at the end of a run with these.

    That is the digest of the first steps, that of all, the swing at the end, the number of answers
    that were read, and whether each was that to the next state.
    """

    def run(**changed: object) -> list[list[str]]:
        file = tmp_path / 'paths.txt'
        file.unlink(missing_ok=True)
        given = {'realtime': -1.0, 'num_steps': FEW, 'lockstep_timeout': 0.0, **changed}
        server = server_process(tmp_path, domain, parameters(file, **given), **site.environment)
        try:
            assert server.wait(2 * DEADLINE_S) == 0, server.output  # thousands of answers
        finally:
            server.end()
        return read_paths(file)

    return run


def read_paths(file: Path) -> list[list[str]]:
    return [line.split() for line in file.read_text().splitlines()]


@pytest.mark.parametrize('steps', [FEW, pytest.param(STEPS, marks=pytest.mark.nightly)])
def test_runs_are_equal_to_the_bit_and_no_answer_is_lost_at_any_speed_and_load(
    paths, domain, steps
):
    with running(LEFT, domain=domain):
        quiet = paths(num_steps=steps)
        with running(*[SPIN] * BUSY, domain=domain):
            assert paths(num_steps=steps) == quiet
        (slower,) = paths(realtime=2.0)
    ((_, whole, swing, taken, ordered),) = quiet
    assert (int(taken), ordered) == (steps, 'True')
    assert float(swing) > 0.5, 'it still moves at the end, so that each answer counts'
    assert slower[3:] == [str(FEW), 'True']
    if steps == FEW:
        assert slower[1] == whole


def test_late_and_lost_commands_repeat_to_the_bit_at_any_speed_and_load(paths, tmp_path, domain):
    def plugins(seed: int) -> dict[str, str]:
        latency = {'normal': {'mean': 0.004, 'stddev': 0.002}}
        timeline = {
            'late': {'of': 'left', 'latency': latency, 'drop': 0.1},
            'worn': {'of': {'joint': 'first'}, 'quantise': 0.001},
        }
        bus = {'type': 'mujoco_ros_py/Imperfections', 'name': 'bus'}
        left = {'type': 'loops/Looped', 'name': 'left', 'file': str(tmp_path / 'paths.txt')}
        return {'MujocoPlugins': as_text(left, {**bus, 'seed': seed, 'timeline': timeline})}

    with running(LEFT, domain=domain):
        ((_, quiet, swing, *_),) = paths(**plugins(7))
        ((_, again, *_),) = paths(**plugins(7), realtime=2.0)
        with running(*[SPIN] * 4, domain=domain):
            ((_, busy, *_),) = paths(**plugins(7))
        ((_, other, *_),) = paths(**plugins(8))
        ((_, clean, *_),) = paths()
    assert float(swing) > 0.1, 'it moves'
    assert quiet == again == busy
    assert len({quiet, other, clean}) == 3


def test_several_controllers_in_python_and_c_take_part_and_each_answers_each_state(
    paths, tmp_path, domain
):
    both = {
        'MujocoPlugins': looped(tmp_path / 'paths.txt', left=0, right=1),
        'lockstep_topics': ['left/commands', 'right/commands'],
    }
    in_c = [str(c_controller(tmp_path)), '/right/states', '/right/commands']
    with running(LEFT, domain=domain):
        with running(RIGHT, domain=domain):
            one = paths(**both)
        with running(in_c, domain=domain):
            assert paths(**both) == one
    assert [line[3:] for line in one] == [[str(FEW), 'True']] * 2


def test_a_controller_that_was_killed_and_started_again_goes_on_as_if_nothing_had_happened(
    start, paths, site, tmp_path, domain
):
    file = tmp_path / 'paths_with_a_break.txt'
    # So slow that it does not end before it is looked at.
    given = parameters(file, num_steps=FEW, realtime=0.02, lockstep_timeout=1.0)
    server, client = start(given, **site.environment)
    came = client.collect(JointState, '/left/states')
    with running(LEFT, domain=domain):
        wait_until(lambda: client.node.count_publishers('/left/commands') == 1, 'the controller')
        # It may have waited for too long, more than once.
        wait_until(lambda: client.pause(False).success and _later(came), 'steps')
    pauses = server.output.count('; the simulation is paused')
    wait_until(lambda: server.output.count('; the simulation is paused') > pauses, 'a pause')
    before = len(came)
    wait_until(lambda: len(came) > before + 2, 'the state again, in the pause')
    assert client.set_parameters(realtime=1.0)[0].successful
    with running(LEFT, domain=domain):

        def ends() -> bool:
            """Has the server go on, again where it has waited too long for the controller."""
            nonlocal pauses
            if server.output.count('; the simulation is paused') > pauses:
                pauses += 1
                client.call_async(SetBool, 'set_pause', SetBool.Request(data=False))
            return not server.running()

        wait_until(ends, 'the end')
        assert server.wait() == 0, server.output
        assert read_paths(file) == paths()


def test_strict_refuses_a_topic_that_no_plugin_takes(tmp_path, domain):
    given = {
        'mujoco_xml': PENDULUM, 'lockstep_period': 0.01, 'lockstep_topics': ['cmd'], 'strict': True
    }  # fmt: skip
    line = refusal_at_start(tmp_path, domain, given)
    assert 'lockstep_topics: no plugin subscribes to /cmd in compiled code' in line


def test_with_strict_a_reload_that_leaves_nobody_who_takes_a_topic_is_refused(share):
    hardware = {'type': 'mujoco_ros_py/TopicBasedHardware', 'joints': {'hinge': 'position'}}
    given = {
        'mujoco_xml': PENDULUM, 'unpause': False, 'strict': True, 'lockstep_period': 0.01,
        'lockstep_topics': ['/robot_joint_commands'], 'MujocoPlugins': as_text(hardware),
    }  # fmt: skip
    _, client = share(given, given={'MujocoPlugins': given['MujocoPlugins']})
    (result,) = client.set_parameters(MujocoPlugins='[]')
    assert result.successful, result.reason
    answer = client.trigger('reload')
    assert not answer.success
    assert 'no plugin subscribes to /robot_joint_commands' in answer.message


def test_a_controller_that_is_missing_is_named_and_the_simulation_is_paused(
    start, site, tmp_path, domain
):
    given = parameters(
        tmp_path / 'paths.txt', lockstep_topics=['/left/commands', '/other'], lockstep_timeout=0.2
    )
    server, client = start(given, **site.environment)
    server.wait_for_output('received no answer to the state of 0.000000 s on /left/commands')
    assert 'lockstep_topics: no plugin subscribes to /other in compiled code' in server.output
    assert server.output.count('no plugin subscribes to') == 1
    with running(LEFT, domain=domain):
        came = client.collect(JointState, '/left/states')
        wait_until(lambda: client.node.count_publishers('/left/commands') == 1, 'the controller')
        wait_until(lambda: client.pause(False).success and _later(came), 'steps again')


def test_without_a_controller_the_simulation_goes_on_where_that_is_configured(
    start, site, tmp_path
):
    given = parameters(
        tmp_path / 'paths.txt', lockstep_timeout=0.02, lockstep_on_timeout='continue'
    )
    server, client = start(given, **site.environment)
    came = client.collect(JointState, '/left/states')
    server.wait_for_output('the simulation continues without it')
    wait_until(lambda: _later(came), 'steps without answers')


def test_a_lockstep_goes_on_over_a_reset_where_ros_time_continues(start, site, tmp_path, domain):
    given = parameters(
        tmp_path / 'paths.txt', realtime=0.2, lockstep_timeout=0.0, time_after_reset='continue'
    )
    _, client = start(given, **site.environment)
    came = client.collect(JointState, '/left/states')
    wait_until(lambda: came, 'the first state, which is repeated until it is answered')
    with running(LEFT, domain=domain):
        wait_until(lambda: _later(came), 'steps')
        assert client.trigger('reset').success
        later_s = seconds(came[-1].header.stamp) + 0.02
        # Each period is answered until then, as the lockstep waits for ever.
        wait_until(lambda: seconds(came[-1].header.stamp) > later_s, 'steps after the reset')
    stamps_s = [seconds(each.header.stamp) for each in came]
    assert stamps_s == sorted(stamps_s)


def _later(states) -> bool:
    return bool(states) and states[-1].header.stamp.nanosec > 10_000_000
