"""Reloads and ends while clients publish commands and call actions: nothing is left behind."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import astuple
from typing import Any

import pytest
from builtin.controllers.trajectories.trajectory_messages import trajectory
from deadline import DEADLINE_S
from geometry_msgs.msg import TwistStamped
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory

pytest.importorskip('control_msgs', reason='control_msgs is not there')
from control_msgs.action import FollowJointTrajectory, ParallelGripperCommand

from .harness import Client, wait_until
from .plugin_site import PluginSite
from .test_soak import FLAT_MIB, ROUNDS, Use, use_of

READINGS = 5

JOINT = (
    '<body name="{1}_body" pos="{0} 0 0"><joint name="{1}" axis="0 1 0"/>'
    '<geom size="0.1" mass="1"/></body>'
)
BALL = '<body pos="{0} {1} 5"><freejoint/><geom size="0.6"/></body>'
JOINTS = ('turn', 'lift', 'finger', 'pan', 'left', 'right')
MODEL = (
    '<mujoco><option timestep="0.002" gravity="0 0 0"/><worldbody>'
    + ''.join(JOINT.format(number, joint) for number, joint in enumerate(JOINTS))
    + ''.join(BALL.format(number % 6, number // 6) for number in range(30))
    + '</worldbody><sensor><framelinacc objtype="body" objname="turn_body"/></sensor></mujoco>'
)
SENSING = """
from geometry_msgs.msg import Vector3Stamped

from mujoco_ros_py.plugins import MujocoPlugin, compiled


class Sensing(MujocoPlugin):
    '''Publishes a sensor, for which each message needs a forward pass of the whole model.'''

    def load(self, model, data):
        self.ros.create_compiled_publisher(
            Vector3Stamped, '~/acceleration', self.fill, rate_hz=500.0, derived='sensors'
        )

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        message.vector.x = data.sensordata[0]
"""
PLUGINS = [
    {'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm', 'joints': ['turn', 'lift']},
    {'type': 'mujoco_ros_py/ParallelGripperController', 'name': 'hand', 'joint': 'finger'},
    {'type': 'mujoco_ros_py/ForwardCommandController', 'name': 'pan', 'joints': ['pan'],
     'interface_name': 'position'},
    {'type': 'mujoco_ros_py/DiffDriveController', 'name': 'base', 'left_wheel_names': ['left'],
     'right_wheel_names': ['right'], 'wheel_separation': 0.4, 'wheel_radius': 0.1},
    {'type': 'sensing/Sensing', 'name': 'sensing'},
    {'type': 'mujoco_ros_py/Transforms', 'name': 'frames', 'rate': 500.0},
]  # fmt: skip
RELOADS = 2 * ROUNDS
WARM_UP = 10
PAUSE_S = 0.01


class Caller:
    """A client that publishes all the time, or sends goals, until it is told to end."""

    def __init__(self, domain: int, work: Callable[[Client], Callable[[], bool]]) -> None:
        self._client = Client(domain)
        self._end = threading.Event()
        self.count = 0
        """The number of messages that were sent, or of goals that were accepted."""
        self._pool = ThreadPoolExecutor(1)
        self._work = self._pool.submit(self._run, work(self._client))

    def check(self) -> None:
        """Raises what has ended the work."""
        if self._work.done():
            self._work.result()

    def close(self) -> None:
        self._end.set()
        self._work.result(DEADLINE_S)
        self._pool.shutdown()
        self._client.close()

    def _run(self, call: Callable[[], bool]) -> None:
        while not self._end.wait(PAUSE_S):
            self.count += bool(call())


def publishing(kind: Any, topic: str, message: Any) -> Callable[[Client], Callable[[], bool]]:
    def work(client: Client) -> Callable[[], bool]:
        publisher = client.node.create_publisher(kind, topic, 10)

        def publish() -> bool:
            publisher.publish(message)
            return True

        return publish

    return work


def sending(kind: Any, name: str, goal: Any) -> Callable[[Client], Callable[[], bool]]:
    def work(client: Client) -> Callable[[], bool]:
        actions = client.actions(kind, name)

        def send() -> bool:
            """Sends a goal; a reload may take away the answer, so nobody waits for long."""
            if not actions.server_is_ready():
                return False
            answered = threading.Event()
            sent = actions.send_goal_async(goal)
            sent.add_done_callback(lambda _: answered.set())
            accepted = answered.wait(1.0) and sent.result() and sent.result().accepted
            if accepted:
                sent.result().get_result_async()
            return bool(accepted)

        return send

    return work


MOVE = trajectory((30.0, (1.0, -0.5), (0.0, 0.0)))
GRIP = ParallelGripperCommand.Goal()
GRIP.command.name, GRIP.command.position = ['finger'], [0.5]
GOAL = FollowJointTrajectory.Goal(trajectory=MOVE)
WORKS = [
    sending(FollowJointTrajectory, '/arm/follow_joint_trajectory', GOAL),
    sending(ParallelGripperCommand, '/hand/gripper_cmd', GRIP),
    publishing(Float64MultiArray, '/pan/commands', Float64MultiArray(data=[0.3])),
    publishing(TwistStamped, '/cmd_vel', TwistStamped()),
    publishing(JointTrajectory, '/arm/joint_trajectory', MOVE),
]


@pytest.fixture
def server(start, tmp_path):
    """A server with all these plugins, and a client."""
    site = PluginSite(tmp_path)
    site.add_module('sensing', SENSING)
    given = {'mujoco_xml': MODEL, 'MujocoPlugins': json.dumps(PLUGINS), 'joint_states_rate': 50.0}
    process, client = start(given, **site.environment)
    assert 'refused' not in process.output
    return process, client


@pytest.mark.nightly
def test_reloads_under_commands_and_goals_leave_nothing_behind(server, domain, record_property):
    process, client = server
    used, counts = [], []
    for reloads in (WARM_UP, RELOADS):
        with traffic(domain) as callers:
            reload_under(client, callers, reloads)
        counts = [caller.count for caller in callers]
        used.append(at_rest(client, process.pid))
    before, after = most(used[0]), least(used[1])
    figure = (
        f'{RELOADS} reloads beside {sum(counts)} commands and accepted goals:'
        f' {least(used[0]).memory_mib:.1f} to {after.memory_mib:.1f} MiB,'
        f' {before.threads} to {after.threads} threads, {before.files} to {after.files} files'
    )
    print(figure)
    record_property('figure', figure)
    assert 'Traceback' not in process.output
    assert after.threads <= before.threads
    assert after.files <= before.files
    assert after.memory_mib - least(used[0]).memory_mib < FLAT_MIB
    process.signal(signal.SIGTERM)
    assert process.wait() == 0


@pytest.mark.parametrize(
    'by',
    [
        pytest.param('SIGINT', marks=pytest.mark.nightly),
        pytest.param('SIGTERM', marks=pytest.mark.slow),
        pytest.param('shutdown', marks=pytest.mark.nightly),
    ],
)
def test_a_server_reloads_and_ends_well_under_commands_and_goals(server, domain, by):
    process, client = server
    with traffic(domain) as callers:
        reload_under(client, callers, 3)
        if by == 'shutdown':
            assert client.trigger('shutdown').success
        else:
            process.signal(signal.Signals[by])
        assert process.wait() == 0
    assert 'Traceback' not in process.output


@contextmanager
def traffic(domain: int) -> Iterator[list[Caller]]:
    """Clients that work at the same time until the end."""
    with ThreadPoolExecutor(len(WORKS)) as pool:
        callers = list(pool.map(lambda work: Caller(domain, work), WORKS))
    try:
        yield callers
    finally:
        for caller in callers:
            caller.close()


def reload_under(client: Client, callers: list[Caller], reloads: int) -> None:
    """Reloads so often; each client gets on with its work, also in the last reloads."""
    last = max(reloads // 10, 1)
    reload_so_often(client, reloads - last)
    before = [caller.count for caller in callers]
    reload_so_often(client, last)

    def gone_on() -> bool:
        for caller in callers:
            caller.check()
        return all(caller.count > count for caller, count in zip(callers, before, strict=True))

    wait_until(gone_on, 'the work of each client')


def at_rest(client: Client, pid: int) -> list[Use]:
    """What the process uses after each of some reloads without traffic."""
    readings = []
    for _ in range(READINGS):
        reload_so_often(client, 1)
        client.diagnostics()
        client.diagnostics()  # a second later: the timers of plugins have begun
        readings.append(use_of(pid))
    return readings


def least(readings: list[Use]) -> Use:
    """The least of each: what a leak has left is in every reading."""
    return Use(*(min(column) for column in zip(*map(astuple, readings), strict=True)))


def most(readings: list[Use]) -> Use:
    """The most of each."""
    return Use(*(max(column) for column in zip(*map(astuple, readings), strict=True)))


def reload_so_often(client: Client, count: int) -> None:
    for _ in range(count):
        answer = client.trigger('reload')
        assert answer.success, answer.message
