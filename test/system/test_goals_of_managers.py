"""Goals of a trajectory controller in a controller manager: errors, pauses, steps and speeds."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import pytest
from builtin_interfaces.msg import Duration
from mujoco_ros_py_interfaces.srv import GetState
from rclpy.time import Time
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from .controller_manager import FOLLOWING, ManagerProcess, begin_periods
from .harness import Client, Process, seconds, wait_until

pytestmark = pytest.mark.slow

PERIOD_NS = 5_000_000
JOINTS, GOAL, DURATION_S = ['joint1', 'joint2'], (0.4, -0.3), 2
TOP_SPEED = 1.5 * max(map(abs, GOAL)) / DURATION_S
"""In rad/s, of a cubic spline."""
SERVER = {'modelfile': 'package://mujoco_ros_py/examples/arm.xml'}
LOCKSTEP = {'lockstep_period': 0.005, 'lockstep_topics': ['/robot_joint_commands'],
            'lockstep_timeout': 100.0, 'realtime': -1.0}  # fmt: skip
BOTH = ('position', 'velocity')


class Driven:
    """An arm, its states, and the commands that the manager sends it."""

    def __init__(self, process: Process, client: Client, manager: ManagerProcess) -> None:
        self.process, self.client, self.manager = process, client, manager
        self.states = client.collect(JointState, '/robot_joint_states')
        self.commands = client.collect(JointState, '/robot_joint_commands')
        topic = '/trajectory_controller/joint_trajectory'
        self._goals = client.node.create_publisher(JointTrajectory, topic, 1)

    def pursue(self, goal: Sequence[float] = GOAL) -> None:
        """Waits until the controller has begun to pursue a goal."""
        wait_until(lambda: self.states and self.commands, 'the manager', process=self.process)
        wait_until(self._goals.get_subscription_count, 'the controller')
        point = JointTrajectoryPoint(positions=goal, time_from_start=Duration(sec=DURATION_S))
        begun, sent_s = self.manager.output.count(FOLLOWING), 0.0

        def begins() -> bool:
            nonlocal sent_s
            if time.monotonic() > sent_s + 2.0:  # the first message may be lost
                sent_s = time.monotonic()
                self._goals.publish(JointTrajectory(joint_names=JOINTS, points=[point]))
            assert self.manager.running(), self.manager.output
            return self.manager.output.count(FOLLOWING) > begun

        wait_until(begins, 'the goal', process=self.manager)

    def wait_until_moved(self, share: float) -> None:
        """Waits until the arm has made a share of its way from 0."""
        wait_until(
            lambda: abs(self.states[-1].position[0]) > share * GOAL[0], f'{share} of the way',
            process=self.process,
        )  # fmt: skip

    def arrive(self, goal: Sequence[float] = GOAL) -> None:
        """Waits until the arm rests at the goal."""

        def there() -> bool:
            state = self.states[-1]
            return list(state.position) == pytest.approx(goal, abs=0.01) and list(
                state.velocity
            ) == pytest.approx([0.0] * len(goal), abs=0.01)

        wait_until(there, f'the goal {goal}', process=self.process)


Drive = Callable[..., Driven]


@pytest.fixture
def drive(start, domain) -> Iterator[Drive]:
    """`drive(kinds, own_stamps=..., **parameters)`: an arm whose joints get these commands."""
    with ExitStack() as running:

        def begin(
            kinds: Sequence[str] = BOTH, own_stamps: bool = True, **parameters: Any
        ) -> Driven:
            joints = {name: list(kinds) for name in JOINTS}
            plugin = {'type': 'mujoco_ros_py/TopicBasedHardware', 'name': 'hardware',
                      'joints': joints, 'update_rate': 200.0}  # fmt: skip
            given = {**SERVER, 'MujocoPlugins': json.dumps([plugin]), **parameters}
            process, client = start(given)
            manager = ManagerProcess(
                domain, joints=joints, period_s=PERIOD_NS / 1e9, threshold=-1.0,
                own_stamps=own_stamps,
            )  # fmt: skip
            running.callback(manager.end)
            if 'lockstep_period' in parameters:
                begin_periods(client, JOINTS[0])
            manager.updates(1)  # it begins when somebody hears it, which must be the server
            return Driven(process, client, manager)

        yield begin


@pytest.mark.parametrize(
    ('kinds', 'least', 'most'),
    [(BOTH, 0.0, 0.005), (('position',), 0.06 * TOP_SPEED, 0.1 * TOP_SPEED)],
    ids=['velocities too', 'positions alone'],
)
def test_velocities_beside_positions_keep_the_arm_on_its_way(drive, kinds, least, most):
    """With positions alone it is 80 ms late. In lockstep the machine has no part in it."""
    arm = drive(kinds, own_stamps=False, **LOCKSTEP)
    arm.pursue()
    arm.arrive()
    asked = {seconds(command.header.stamp): command.position for command in arm.commands}
    errors = [
        abs(state.position[0] - asked[stamp][0])
        for state in arm.states
        if (stamp := seconds(state.header.stamp)) in asked
    ]
    assert len(errors) > 300
    assert least < max(error for error in errors if error == error) < most


@pytest.mark.parametrize('paused_s', [0.5, pytest.param(8.0, marks=pytest.mark.nightly)])
def test_after_a_pause_in_a_goal_the_motion_goes_on(drive, paused_s):
    arm = drive()
    arm.pursue()
    arm.wait_until_moved(0.2)
    assert arm.client.pause(True).success
    wait_until(lambda: abs(arm.states[-1].position[0]) < 0.8 * GOAL[0], 'a state on the way')
    time.sleep(paused_s)
    paused, updates = arm.states[-1], len(arm.manager.all_updates())
    since = arm.states[arm.states.index(paused) :]
    assert all(state == paused for state in since), 'it is only repeated'

    assert arm.client.pause(False).success
    arm.arrive()
    assert arm.manager.output.count(FOLLOWING) == 1
    assert len(arm.manager.all_updates()) > updates
    for one, next_one in pairwise(arm.states):
        passed_s = seconds(next_one.header.stamp) - seconds(one.header.stamp)
        assert passed_s >= 0.0
        moved = abs(next_one.position[0] - one.position[0])
        assert moved < TOP_SPEED * passed_s + 0.02, 'the arm does not jump'


def test_in_single_steps_the_manager_makes_an_update_as_soon_as_its_period_has_passed(drive):
    arm = drive()
    arm.pursue()
    arm.wait_until_moved(0.1)
    assert arm.client.pause(True).success
    before = arm.states[-1].position[0]
    stamp = arm.client.call(GetState, 'get_state', GetState.Request()).state.stamp
    paused_ns = Time.from_msg(stamp).nanoseconds
    due_ns = paused_ns + PERIOD_NS  # not later than this
    now_ns = paused_ns
    for _ in range(61):
        while now_ns < due_ns:
            assert arm.client.trigger('step').success
            now_ns += 1_000_000
        wait_until(
            lambda last=due_ns - PERIOD_NS: arm.manager.all_updates()[-1] > last,
            'an update', process=arm.manager,
        )  # fmt: skip
        # No step follows before the update, so it sees the time at which it was due.
        due_ns = arm.manager.all_updates()[-1] + PERIOD_NS
    times = arm.manager.all_updates()[-60:]
    assert [later - earlier for earlier, later in pairwise(times)] == [PERIOD_NS] * 59
    moved = arm.states[-1].position[0] - before
    assert 0.1 * 0.3 < moved < TOP_SPEED * 0.3
    assert arm.client.pause(False).success
    arm.arrive()


def test_goals_are_reached_at_all_speeds(drive):
    arm = drive()
    for number, realtime in enumerate((0.5, 1.0, 2.0, 10.0, -1.0)):
        assert arm.client.set_parameters(realtime=realtime)[0].successful
        goal = GOAL if number % 2 == 0 else (0.0, 0.1)
        arm.pursue(goal)
        arm.arrive(goal)
    assert 'refused' not in arm.process.output
