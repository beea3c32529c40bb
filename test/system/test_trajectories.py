"""JointTrajectoryController over DDS, with a client that sends what MoveIt and others send."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from action_msgs.msg import GoalStatus
from builtin.controllers.trajectories.trajectory_messages import duration, trajectory
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool
from trajectory_msgs.msg import JointTrajectory

pytest.importorskip('control_msgs', reason='control_msgs is not there')
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance, JointTrajectoryControllerState
from control_msgs.srv import QueryTrajectoryState

from .harness import answered_goal, seconds, wait_until

pytestmark = pytest.mark.slow

ROBOT = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.001"/>
  <worldbody>
    <body>
      <joint name="turn" axis="0 0 1" range="-3 3" limited="true"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
      <body pos="0.3 0 0">
        <joint name="lift" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.5"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="turn"/><position joint="lift" kp="100" kv="8"/></actuator>
</mujoco>
"""
ARM = {
    'type': 'mujoco_ros_py/JointTrajectoryController',
    'name': 'arm',
    'joints': ['turn', 'lift'],
    'bandwidth': 60.0,
    'constraints': {'turn': {'trajectory': 0.1, 'goal': 0.02}},
}
STOP = {'type': 'mujoco_ros_py/EmergencyStop'}
REST = (0.0, 0.0)
THERE = (1.0, -0.5)
MOVE = trajectory((1.0, THERE, REST))
RETURN = trajectory((1.0, REST, REST))
SLOW = trajectory((60.0, THERE, REST))
SUCCEEDED, CANCELED, ABORTED = (
    GoalStatus.STATUS_SUCCEEDED,
    GoalStatus.STATUS_CANCELED,
    GoalStatus.STATUS_ABORTED,
)


class Goal:
    """A goal that was sent, with its feedback."""

    def __init__(self, robot: Robot, message: Any) -> None:
        self.feedback: list[Any] = []
        self.handle = answered_goal(
            robot.actions, message, lambda given: self.feedback.append(given.feedback)
        )
        self.accepted = self.handle.accepted
        if self.accepted:
            self._result = self.handle.get_result_async()

    def cancel(self) -> None:
        done = self.handle.cancel_goal_async()
        wait_until(done.done, 'an answer to the cancellation')
        assert done.result().goals_canceling

    @property
    def ended(self) -> bool:
        return bool(self._result.done())

    def end(self) -> tuple[int, int, str]:
        """Waits for the end; returns the status, the error code and the error."""
        wait_until(self._result.done, 'the result')
        given = self._result.result()
        return given.status, given.result.error_code, given.result.error_string


class Robot:
    """What a program that moves the robot sees."""

    def __init__(self, process: Any, client: Any) -> None:
        self.process, self.client = process, client
        self.states = client.collect(JointState, 'joint_states')
        self.actions = client.actions(FollowJointTrajectory, '/arm/follow_joint_trajectory')
        self._topic = client.node.create_publisher(JointTrajectory, '/arm/joint_trajectory', 10)
        assert self.actions.wait_for_server(60.0)
        wait_until(lambda: self.states, 'joint states')
        wait_until(self._topic.get_subscription_count, 'the subscription of trajectories')

    def goal(self, message: Any, **fields: Any) -> Goal:
        return Goal(self, FollowJointTrajectory.Goal(trajectory=message, **fields))

    def publish(self, message: Any) -> None:
        self._topic.publish(message)

    @property
    def time(self) -> float:
        return stamped(self.states[-1])

    @property
    def positions(self) -> list[float]:
        last = self.states[-1]
        return [last.position[last.name.index(joint)] for joint in ('turn', 'lift')]

    def reach(self, *wanted: float, within: float = 0.02) -> None:
        def there() -> bool:
            return bool(np.abs(np.subtract(self.positions, wanted)).max() < within)

        wait_until(there, f'positions {wanted}')

    def until(self, time: float) -> None:
        wait_until(lambda: self.time >= time, f'{time} s')

    def rest(self) -> None:
        """Waits until nothing has moved for a second, which begins when this is called."""
        self.until(self.time + 2.0)  # the states may come later than what was seen to happen

        def rests() -> bool:
            last = [each for each in list(self.states) if self.time - stamped(each) < 1.0]
            rows = np.array([each.position for each in last])
            return len(rows) > 10 and bool(np.ptp(rows, axis=0).max() < 0.002)

        wait_until(rests, 'a second of rest')

    def query(self, time: float) -> Any:
        request = QueryTrajectoryState.Request(time=duration(time, JointState().header.stamp))
        return self.client.call(QueryTrajectoryState, '/arm/query_state', request)


def stamped(message: Any) -> float:
    return seconds(message.header.stamp)


@pytest.fixture
def robot(start):
    """`robot(*plugins, **parameters)`: the robot of a server with these."""

    def begin(*plugins: Any, **parameters: Any) -> Robot:
        listed = json.dumps(plugins or (ARM,))
        given = {'mujoco_xml': ROBOT, 'MujocoPlugins': listed, 'realtime': 4.0,
                 'joint_states_rate': 25.0, **parameters}  # fmt: skip
        return Robot(*start(given))

    return begin


def test_a_goal_of_the_action_is_followed_with_feedback_at_20_hz_and_succeeds(robot):
    made = robot(realtime=1.0)
    goal = made.goal(trajectory((2.0, THERE, REST)))
    assert goal.accepted
    assert goal.end() == (SUCCEEDED, 0, 'the goal has succeeded')
    assert made.positions == pytest.approx(THERE, abs=0.02)
    stamps = [stamped(each) for each in goal.feedback]
    assert np.median(np.diff(stamps)) == pytest.approx(0.05, abs=0.002)
    last = goal.feedback[-1]
    assert last.joint_names == ['turn', 'lift']
    for kind in ('positions', 'velocities'):
        there = np.subtract(getattr(last.desired, kind), getattr(last.actual, kind))
        assert getattr(last.error, kind) == pytest.approx(there)


@pytest.mark.parametrize(
    ('fields', 'form'),
    [
        (1, lambda u: u),
        (2, lambda u: 3 * u**2 - 2 * u**3),
        (3, lambda u: 10 * u**3 - 15 * u**4 + 6 * u**5),
    ],
    ids=['linear', 'cubic', 'quintic'],
)
def test_positions_are_linear_with_velocities_cubic_with_accelerations_quintic(
    robot, fields, form
):
    made = robot(joint_states_rate=1000.0, realtime=1.0)
    rest, begin = [REST] * (fields - 1), round(made.time) + 1.0
    message = trajectory((0.0, REST, *rest), (2.0, (1.0, 0.0), *rest), stamp=begin)
    loose = [JointTolerance(name='turn', position=-1.0)]
    goal = made.goal(message, path_tolerance=loose)
    assert goal.end()[0] == SUCCEEDED
    rows = [
        (stamped(each) - begin, each.position[each.name.index('turn')])
        for each in list(made.states)
    ]
    moving = np.array([row for row in rows if 0.0 <= row[0] <= 2.0])
    assert len(moving) > 100
    assert np.abs(moving[:, 1] - form(moving[:, 0] / 2)).max() < 0.004


def test_a_trajectory_on_the_topic_replaces_the_running_one_without_aborting_a_goal(robot):
    made = robot()
    goal = made.goal(SLOW)
    made.publish(MOVE)
    assert goal.end()[:2] == (SUCCEEDED, 0)
    made.reach(*THERE)
    made.publish(RETURN)
    made.reach(*REST)


@pytest.mark.parametrize(
    ('message', 'reason'),
    [
        (trajectory((1.0, THERE), joints=['turn', 'elbow']), 'unknown joints: elbow'),
        (trajectory((1.0, (1.0,)), joints=['turn']), 'joints are missing: lift'),
        (trajectory((1.0, THERE), joints=['turn', 'turn']), 'must not name the same twice'),
        (trajectory(), 'needs points'),
        (trajectory((1.0, THERE), (1.0, REST)), 'must increase strictly'),
        (trajectory((0.001, THERE), stamp=0.001), 'ends in the past'),
        (trajectory((1.0, (1.0,))), 'must have 2 positions'),
        (trajectory((1.0, THERE, (0.0, 0.5))), 'velocities of the last point must be 0'),
        (trajectory((1.0, (math.nan, 0.0))), 'must be finite'),
    ],
    ids=['unknown', 'missing', 'duplicate', 'no points', 'times', 'past', 'sizes', 'end', 'NaN'],
)
def test_goals_that_ros2_controllers_reject_are_rejected_and_said(robot, message, reason):
    made = robot()
    made.until(0.1)
    running = made.goal(SLOW)
    assert not made.goal(message).accepted
    made.process.wait_for_output('arm: a goal was rejected: ')
    assert reason in made.process.output
    made.publish(message)
    made.process.wait_for_output('arm: a trajectory was refused: ')
    assert not running.ended, 'what is refused changes nothing'


def test_partial_goals_are_accepted_where_that_is_permitted(robot):
    made = robot({**ARM, 'allow_partial_joints_goal': True})
    goal = made.goal(trajectory((0.5, (0.4,)), joints=['turn']))
    assert goal.end()[:2] == (SUCCEEDED, 0)
    made.reach(0.4, 0.0)


def test_a_stamp_in_the_future_waits_and_a_late_goal_begins_in_its_midst(robot):
    made = robot(realtime=1.0)
    begin = made.time + 1.0
    goal = made.goal(trajectory((0.0, REST, REST), (1.0, THERE, REST), stamp=begin))
    made.until(begin - 0.1)
    assert made.positions == pytest.approx(REST, abs=0.02)
    assert goal.end()[0] == SUCCEEDED
    late = made.time - 1.0
    goal = made.goal(
        trajectory((0.0, THERE, REST), (2.0, THERE, REST), (6.0, REST, REST), stamp=late)
    )
    assert goal.end()[0] == SUCCEEDED
    assert late + 5.99 < made.time < late + 6.5


def test_a_violated_path_aborts_with_minus_4_and_holds(robot):
    made = robot()
    goal = made.goal(trajectory((0.01, (2.0, 0.0), REST)))
    status, code, text = goal.end()
    assert (status, code) == (ABORTED, FollowJointTrajectory.Result.PATH_TOLERANCE_VIOLATED)
    assert 'the position of joint turn is' in text
    made.process.wait_for_output('arm: the path tolerance was violated')
    made.rest()
    assert 0.1 < made.positions[0] < 1.0, 'it is back where the path was violated'


@pytest.mark.parametrize(
    ('given', 'code'),
    [
        ({'turn': 10.0}, 0),
        ({'turn': -1.0}, 0),
        ({'turn': 0.0}, -4),
        ({'turn': -0.5}, -4),
        ({'turn': 10.0, 'elbow': 0.1}, -4),
    ],
    ids=['own', '-1 is none', '0 is the default', 'negative: defaults', 'unknown: defaults'],
)
def test_a_goal_has_tolerances_of_its_own(robot, given, code):
    path = [JointTolerance(name=name, position=size) for name, size in given.items()]
    goal = robot().goal(trajectory((0.01, (2.0, 0.0), REST)), path_tolerance=path)
    assert goal.end()[1] == code


def test_an_end_that_is_not_reached_aborts_with_minus_5_after_goal_time(robot):
    made = robot({**ARM, 'joint_limits': {'turn': {'max_position': 0.5}}})
    loose = [JointTolerance(name='turn', position=-1.0)]
    limit = duration(0.5, FollowJointTrajectory.Goal().goal_time_tolerance)
    begin = made.time
    goal = made.goal(MOVE, path_tolerance=loose, goal_time_tolerance=limit)
    status, code, _ = goal.end()
    assert (status, code) == (ABORTED, FollowJointTrajectory.Result.GOAL_TOLERANCE_VIOLATED)
    assert made.time > begin + 1.4


def test_goal_time_of_0_waits_for_ever(robot):
    made = robot({**ARM, 'joint_limits': {'turn': {'max_position': 0.5}}})
    goal = made.goal(MOVE, path_tolerance=[JointTolerance(name='turn', position=-1.0)])
    made.until(made.time + 10.0)
    assert not goal.ended


def test_a_goal_time_of_minus_1_waits_for_ever(robot):
    limited = {'joint_limits': {'turn': {'max_position': 0.5}}}
    made = robot({**ARM, **limited, 'constraints': {'goal_time': 0.1, 'turn': {'goal': 0.02}}})
    for_ever = duration(-1.0, FollowJointTrajectory.Goal().goal_time_tolerance)
    waiting = made.goal(MOVE, goal_time_tolerance=for_ever)
    made.until(made.time + 5.0)
    assert not waiting.ended
    assert made.goal(MOVE).end()[1] == FollowJointTrajectory.Result.GOAL_TOLERANCE_VIOLATED


def test_a_goal_without_a_tolerance_at_its_end_succeeds_where_it_is(robot):
    made = robot({**ARM, 'joint_limits': {'turn': {'max_position': 0.5}}})
    none = [JointTolerance(name='turn', position=-1.0)]
    assert made.goal(MOVE, path_tolerance=none, goal_tolerance=none).end()[:2] == (SUCCEEDED, 0)


def test_the_last_point_may_have_a_velocity_where_that_is_permitted(robot):
    made = robot({**ARM, 'allow_nonzero_velocity_at_trajectory_end': True})
    assert made.goal(trajectory((1.0, THERE, (0.2, 0.0)))).end()[:2] == (SUCCEEDED, 0)


def test_a_stamp_of_0_means_now_and_an_end_in_the_past_is_rejected(robot):
    made = robot()
    made.until(2.0)
    assert not made.goal(trajectory((1.0, THERE, REST), stamp=0.5)).accepted
    assert made.goal(trajectory((1.0, THERE, REST), stamp=0.0)).end()[:2] == (SUCCEEDED, 0)


def test_an_unknown_joint_in_one_tolerance_means_all_defaults(robot):
    constraints = {'goal_time': 0.1, 'turn': {'goal': 0.02}}
    limits = {'turn': {'max_position': 0.5}}
    made = robot({**ARM, 'joint_limits': limits, 'constraints': constraints})
    loose, unknown = JointTolerance(name='turn', position=9.0), JointTolerance(name='elbow')
    assert made.goal(MOVE, goal_tolerance=[loose]).end()[0] == SUCCEEDED
    made.goal(RETURN).end()
    end = made.goal(MOVE, goal_tolerance=[loose], path_tolerance=[unknown]).end()
    assert end[1] == FollowJointTrajectory.Result.GOAL_TOLERANCE_VIOLATED


def test_the_end_is_reached_when_the_velocities_are_below_0_01(robot):
    by_velocity = {**ARM, 'command_interfaces': ['velocity'], 'constraints': {}}
    made = robot(by_velocity, joint_states_rate=1000.0, realtime=0.5)
    goal = made.goal(trajectory((0.2, (1.0, 0.0))))
    assert goal.end()[:2] == (SUCCEEDED, 0)
    made.rest()
    assert made.positions[0] == pytest.approx(1.0, abs=0.1)


def test_what_moveit_sends_is_followed(robot):
    """Many points from where the robot is, with everything, and the joints in another order."""
    made = robot(realtime=1.0)
    points = []
    for time in np.arange(0.0, 2.01, 0.1):
        u = time / 2
        shape = (
            10 * u**3 - 15 * u**4 + 6 * u**5,
            (30 * u**2 - 60 * u**3 + 30 * u**4) / 2,
            (60 * u - 180 * u**2 + 120 * u**3) / 4,
        )
        points.append((time, *(np.multiply(THERE[::-1], each) for each in shape)))
    goal = made.goal(trajectory(*points, joints=['lift', 'turn']))
    assert goal.end()[:2] == (SUCCEEDED, 0)
    made.reach(*THERE)


def test_a_new_goal_aborts_the_old_one_with_minus_1(robot):
    made = robot()
    first = made.goal(SLOW)
    second = made.goal(MOVE)
    assert first.end() == (ABORTED, -1, 'a newer goal has replaced this one')
    assert second.end()[:2] == (SUCCEEDED, 0)


def test_a_cancelled_goal_ends_as_canceled_and_the_joints_hold(robot):
    made = robot()
    goal = made.goal(SLOW)
    wait_until(lambda: made.positions[0] > 0.02, 'a motion')
    goal.cancel()
    assert goal.end()[0] == CANCELED
    made.rest()
    assert made.positions[0] < 0.9


def test_a_goal_can_be_cancelled_in_a_pause(robot):
    made = robot()
    goal = made.goal(SLOW)
    made.client.pause(True)
    goal.cancel()
    assert goal.end()[0] == CANCELED


def test_a_reset_a_reload_and_an_emergency_stop_end_a_goal_with_an_answer(robot):
    made = robot(ARM, STOP)
    goal = made.goal(SLOW)
    assert made.client.trigger('reset').success
    assert goal.end() == (ABORTED, -1, 'the simulation was reset')
    goal = made.goal(SLOW)
    stop = SetBool.Request(data=True)
    assert made.client.call(SetBool, '/emergency_stop/set', stop).success
    assert goal.end() == (ABORTED, -1, 'an emergency stop is on')
    assert not made.goal(MOVE).accepted
    assert made.client.call(SetBool, '/emergency_stop/set', SetBool.Request(data=False)).success
    goal = made.goal(SLOW)
    assert made.client.trigger('reload').success
    assert goal.end()[0] == ABORTED
    wait_until(lambda: made.actions.server_is_ready(), 'the action after the reload')


def test_the_state_is_published_and_a_service_tells_the_trajectory_at_a_time(robot):
    made = robot(realtime=1.0)
    states = made.client.collect(JointTrajectoryControllerState, '/arm/controller_state')
    assert made.query(1.0).message == 'no trajectory is followed'
    begin = made.time + 0.5
    made.goal(trajectory((0.0, REST, REST), (2.0, THERE, REST), stamp=begin))
    wait_until(lambda: made.query(begin + 1.0).success, 'the trajectory has begun')
    asked = made.query(begin + 1.0)
    assert list(asked.name) == ['turn', 'lift']
    assert list(asked.position) == pytest.approx([0.5, -0.25])
    assert list(asked.velocity) == pytest.approx([0.75, -0.375])
    assert not made.query(0.001).success
    made.until(begin + 2.1)
    by_time = {round(stamped(each) - begin, 3): each for each in list(states)}
    moving = [each for time, each in by_time.items() if 0.0 < time < 2.0]
    assert len(moving) > 20
    for time, each in by_time.items():
        u = min(1.0, max(0.0, time / 2))
        assert each.reference.positions[0] == pytest.approx(3 * u**2 - 2 * u**3, abs=1e-3)
        off = np.subtract(each.reference.positions, each.feedback.positions)
        assert list(each.error.positions) == pytest.approx(list(off), abs=1e-9)
        assert each.joint_names == ['turn', 'lift']


def test_gains_and_tolerances_are_parameters_that_change_while_it_runs(robot):
    gains = {'turn': {'p': 400.0, 'd': 40.0}}
    made = robot({**ARM, 'gains': gains})
    assert made.client.get_parameter('arm.gains.turn.p').double_value == 400.0
    assert made.goal(MOVE).end()[:2] == (SUCCEEDED, 0)
    set_ = made.client.set_parameters
    assert set_(arm__gains__turn__p=0.001, arm__gains__turn__d=0.0)[0].successful
    assert made.goal(RETURN).end()[1] == FollowJointTrajectory.Result.PATH_TOLERANCE_VIOLATED
    assert set_(arm__gains__turn__p=400.0, arm__gains__turn__d=40.0)[1].successful
    assert set_(arm__constraints__turn__trajectory=0.0)[0].successful
    assert made.goal(RETURN).end()[:2] == (SUCCEEDED, 0)
    assert not set_(arm__gains__turn__p=-1.0)[0].successful
