"""A controller in another process drives the simulation in lockstep, over DDS."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from deadline import DEADLINE_S

from .harness import Process, parameter_file, wait_until
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

STEPS = 10_000
BUSY = 4
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
import os
from dataclasses import dataclass

import numpy as np
from sensor_msgs.msg import JointState

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state


@dataclass(frozen=True, kw_only=True)
class Config:
    joint: int = 0


class Looped(MujocoPlugin[Config]):
    """Is driven by the answers to its states; writes what it went through into a file."""

    def load(self, model, data):
        self.state = new_state(
            joint=self.config.joint, force=0.0, last=-1_000_000, ordered=True,
            answers=0, steps=0,
            path=np.zeros((STEPS, 2)),
        )
        template = JointState(name=['joint'], position=[0.0], velocity=[0.0])
        self.ros.publish(
            JointState, '~/states', fill=self.fill, rate_hz=1000.0, template=template,
            state=self.state, copy_state=False,
        )
        self.ros.subscribe(JointState, '~/commands', self.take, state=self.state)

    @compiled
    def fill(state, model, data, message):
        message.position[0] = data.qpos[state.joint]
        message.velocity[0] = data.qvel[state.joint]

    @compiled
    def take(state, model, data, message):
        stamp = message.header.stamp
        now = stamp.sec * 1_000_000_000 + stamp.nanosec
        if now != state.last:  # the first state is repeated until it is answered
            state.ordered = state.ordered and now == state.last + 1_000_000
            state.answers += 1
            state.last = now
        state.force = message.effort[0]

    @compiled
    def control_callback(state, model, data):
        data.ctrl[state.joint] = state.force

    @compiled
    def last_stage_callback(state, model, data):
        if state.steps < len(state.path):
            state.path[state.steps, 0] = data.qpos[state.joint]
            state.path[state.steps, 1] = data.qvel[state.joint]
        state.steps += 1

    def unload(self):
        path = hashlib.sha256(self.state.path.tobytes()).hexdigest()
        swing = float(np.ptp(self.state.path[-2000:, 0]))
        with open(os.environ['PATHS'], 'a') as file:
            print(path, swing, self.state.answers, bool(self.state.ordered), file=file)
'''.replace('STEPS', str(STEPS))
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
LEFT, RIGHT = (CONTROLLER.replace('PLUGIN', name) for name in ('left', 'right'))


@contextmanager
def running(*codes: str, domain: int):
    """Processes that run such code in Python, inside the context."""
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain)}
    begun = [subprocess.Popen([sys.executable, '-c', code], env=environment) for code in codes]
    try:
        yield
    finally:
        for process in begun:
            process.kill()
            process.wait(DEADLINE_S)


@pytest.fixture
def paths(tmp_path, domain):
    """`paths(*codes, **parameters)`: what each plugin wrote at the end of a run with these."""
    site = PluginSite(tmp_path)
    site.add_module('loops', LOOPED)

    def run(*codes: str, **parameters: object) -> list[str]:
        file = tmp_path / 'paths.txt'
        file.unlink(missing_ok=True)
        given = {
            'mujoco_xml': AT_1_KHZ, 'MujocoPlugins': '[{type: loops/Looped, name: left}]',
            'realtime': -1.0, 'num_steps': STEPS, 'joint_states_rate': 0.0,
            'lockstep_period': 0.001, 'lockstep_topics': ['left/commands'],
            'lockstep_timeout': 0.0, **parameters,
        }  # fmt: skip
        args = ['--ros-args', '--params-file', str(parameter_file(tmp_path / 'run.yaml', given))]
        with running(*codes, domain=domain):
            server = Process('mujoco_ros_py', args, domain, **site.environment, PATHS=str(file))
            try:
                assert server.wait(2 * DEADLINE_S) == 0, server.output  # thousands of answers
            finally:
                server.end()
        return file.read_text().splitlines()

    return run


def test_runs_are_equal_to_the_bit_and_no_answer_is_lost_at_any_speed_and_load(paths):
    quiet = paths(LEFT)
    assert paths(LEFT, *['while True: pass'] * BUSY) == quiet
    assert paths(LEFT, realtime=2.0) == quiet
    _, swing, taken, ordered = quiet[0].split()
    assert (int(taken), ordered) == (STEPS, 'True')
    assert float(swing) > 0.5, 'it still moves at the end, so that each answer counts'


def test_several_controllers_take_part_and_each_answers_each_state(paths):
    both = {
        'MujocoPlugins': '[{type: loops/Looped, name: left},'
        ' {type: loops/Looped, name: right, joint: 1}]',
        'lockstep_topics': ['left/commands', 'right/commands'],
    }
    one, other = paths(LEFT, RIGHT, **both), paths(RIGHT, 'while True: pass', LEFT, **both)
    assert one == other
    assert [line.split()[2:] for line in one] == [[str(STEPS), 'True']] * 2


def test_a_controller_that_is_missing_is_named_and_the_simulation_is_paused(
    start, tmp_path, domain
):
    site = PluginSite(tmp_path)
    site.add_module('loops', LOOPED)
    parameters = {
        'mujoco_xml': AT_1_KHZ, 'MujocoPlugins': '[{type: loops/Looped, name: left}]',
        'lockstep_period': 0.001, 'lockstep_topics': ['/left/commands', '/other'],
        'lockstep_timeout': 0.2,
    }  # fmt: skip
    server, client = start(parameters, **site.environment, PATHS=str(tmp_path / 'paths.txt'))
    server.wait_for_output('no answer to the state of 0.000000 s has come on /left/commands')
    assert 'lockstep_topics: no plugin takes /other in compiled code' in server.output
    with running(LEFT, domain=domain):
        came = client.collect(_state_type(), '/left/states')
        wait_until(lambda: client.node.count_publishers('/left/commands') == 1, 'the controller')
        wait_until(lambda: client.pause(False).success and _later(came), 'steps again')


def test_without_a_controller_the_simulation_goes_on_where_that_is_configured(start, tmp_path):
    site = PluginSite(tmp_path)
    site.add_module('loops', LOOPED)
    parameters = {
        'mujoco_xml': AT_1_KHZ, 'MujocoPlugins': '[{type: loops/Looped, name: left}]',
        'lockstep_period': 0.001, 'lockstep_topics': ['/left/commands'],
        'lockstep_timeout': 0.02, 'lockstep_on_timeout': 'continue',
    }  # fmt: skip
    server, client = start(parameters, **site.environment, PATHS=str(tmp_path / 'paths.txt'))
    came = client.collect(_state_type(), '/left/states')
    server.wait_for_output('the simulation goes on without it')
    wait_until(lambda: _later(came), 'steps without answers')


def _state_type():
    from sensor_msgs.msg import JointState

    return JointState


def _later(states) -> bool:
    return bool(states) and states[-1].header.stamp.nanosec > 10_000_000
