"""A controller in another process drives the simulation in lockstep, over DDS."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from deadline import DEADLINE_S

from .harness import PENDULUM, Process, parameter_file, wait_until
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

STEPS = 10_000
BUSY = 4
AT_1_KHZ = PENDULUM.replace('0.002', '0.001')
LOOPED = '''
import os

from sensor_msgs.msg import JointState

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state


class Looped(MujocoPlugin):
    """Is driven by the answers to its states; writes its end and what came into a file."""

    def load(self, model, data):
        self.state = new_state(force=0.0, last=-1, ordered=True, end=0.0)
        template = JointState(name=['hinge'], position=[0.0], velocity=[0.0])
        self.ros.publish(
            JointState, '~/states', fill=self.fill, rate_hz=1000.0, template=template,
            state=self.state,
        )
        self.commands = self.ros.subscribe(
            JointState, '~/commands', self.take, state=self.state
        )

    @compiled
    def fill(state, model, data, message):
        message.position[0] = data.qpos[0]
        message.velocity[0] = data.qvel[0]

    @compiled
    def take(state, model, data, message):
        stamp = message.header.stamp
        now = stamp.sec * 1_000_000_000 + stamp.nanosec
        state.ordered = state.ordered and (state.last < 0 or now == state.last + 1_000_000)
        state.last = now
        state.force = message.effort[0]

    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = state.force

    @compiled
    def last_stage_callback(state, model, data):
        state.end = data.qpos[0]

    def unload(self):
        with open(os.environ['ENDS'], 'a') as file:
            end, ordered = float(self.state.end), bool(self.state.ordered)
            file.write(f'{end.hex()} {self.commands.taken} {ordered}\\n')
'''
CONTROLLER = """
import contextlib

import rclpy
from rclpy.executors import ExternalShutdownException
from sensor_msgs.msg import JointState

rclpy.init()
node = rclpy.create_node('controller')
commands = node.create_publisher(JointState, '/looped/commands', 10)


def answer(state):
    effort = 2.0 - 5.0 * state.position[0] - 0.5 * state.velocity[0]
    commands.publish(JointState(header=state.header, name=state.name, effort=[effort]))


node.create_subscription(JointState, '/looped/states', answer, 10)
with contextlib.suppress(ExternalShutdownException):
    rclpy.spin(node)
"""


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
def ends(tmp_path, domain):
    """`ends(*more)`: what a run with the controller and more processes wrote at its end."""
    site = PluginSite(tmp_path)
    site.add_module('loops', LOOPED)
    file = tmp_path / 'ends.txt'

    def run(*more: str) -> str:
        parameters = {
            'mujoco_xml': AT_1_KHZ, 'MujocoPlugins': '[{type: loops/Looped, name: looped}]',
            'realtime': -1.0, 'num_steps': STEPS, 'joint_states_rate': 0.0,
            'lockstep_period': 0.001, 'lockstep_topics': ['looped/commands'],
            'lockstep_timeout': 0.0,
        }  # fmt: skip
        parameters_at = parameter_file(tmp_path / 'lockstep.yaml', parameters)
        args = ['--ros-args', '--params-file', str(parameters_at)]
        with running(CONTROLLER, *more, domain=domain):
            server = Process('mujoco_ros_py', args, domain, **site.environment, ENDS=str(file))
            try:
                assert server.wait() == 0, server.output
            finally:
                server.end()
        return file.read_text().splitlines()[-1]

    return run


def test_runs_are_equal_to_the_bit_and_no_answer_is_lost_whatever_else_runs(ends):
    quiet, busy = ends(), ends(*['while True: pass'] * BUSY)
    position, taken, ordered = quiet.split()
    assert quiet == busy
    assert (int(taken), ordered) == (STEPS, 'True')
    assert abs(float.fromhex(position)) > 1e-3, 'the controller has moved it'


def test_a_controller_that_is_missing_is_named_and_the_simulation_is_paused(
    start, tmp_path, domain
):
    site = PluginSite(tmp_path)
    site.add_module('loops', LOOPED)
    parameters = {
        'mujoco_xml': AT_1_KHZ, 'MujocoPlugins': '[{type: loops/Looped, name: looped}]',
        'lockstep_period': 0.001, 'lockstep_topics': ['/looped/commands', '/other'],
        'lockstep_timeout': 0.2,
    }  # fmt: skip
    server, client = start(parameters, **site.environment, ENDS=str(tmp_path / 'ends.txt'))
    server.wait_for_output('no answer to the state of 0.000000 s has come on /looped/commands')
    assert 'lockstep_topics: no plugin takes /other in compiled code' in server.output
    with running(CONTROLLER, domain=domain):
        came = client.collect(_state_type(), '/looped/states')
        wait_until(lambda: client.node.count_publishers('/looped/commands') == 1, 'the controller')
        wait_until(lambda: client.pause(False).success and _later(came), 'steps again')


def _state_type():
    from sensor_msgs.msg import JointState

    return JointState


def _later(states) -> bool:
    return bool(states) and states[-1].header.stamp.nanosec > 10_000_000
