"""How goals of a JointTrajectoryController end over DDS: tolerances, codes, what holds then."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from builtin.controllers.trajectories.trajectory_messages import duration, trajectory
from std_srvs.srv import SetBool

pytest.importorskip('control_msgs', reason='control_msgs is not there')
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance

from .harness import wait_until
from .trajectory_robot import (
    ABORTED,
    ARM,
    CANCELED,
    MOVE,
    REST,
    RETURN,
    SLOW,
    STOP,
    SUCCEEDED,
    THERE,
    Robot,
    shared_robots,
)

pytestmark = pytest.mark.slow
HELD_RAD = 1e-3
"""How near a joint that holds rests to where it began to hold, after any motion."""


@pytest.fixture
def robot(share) -> Callable[..., Robot]:
    """Makes robots; see `shared_robots`."""
    return shared_robots(share)


def test_a_violated_path_aborts_with_minus_4_and_holds_where_the_joint_was_then(robot):
    made = robot(joint_states_rate=1000.0)
    made.pause(True)
    begin = made.time
    goal = made.goal(trajectory((0.01, (2.0, 0.0), REST)))

    def off() -> float:
        u = (made.time - begin) / 0.01
        return abs(2.0 * (3 * u**2 - 2 * u**3) - made.positions[0])

    while off() < 0.1:
        made.step()
    there, told = made.positions, off()
    assert made.time < begin + 0.01
    made.pause(False)
    status, code, text = goal.end()
    assert (status, code) == (ABORTED, FollowJointTrajectory.Result.PATH_TOLERANCE_VIOLATED)
    assert f'the position of joint turn is {told:.4g} off' in text
    made.process.wait_for_output('arm: the path tolerance was violated')
    made.rest()
    assert made.positions == pytest.approx(there, abs=HELD_RAD)


def test_a_goal_has_tolerances_of_its_own(robot):
    made = robot()
    for given, code, meaning in (
        ({'turn': 10.0}, 0, 'its own'),
        ({'turn': -1.0}, 0, 'none'),
        ({'turn': 0.0}, -4, 'the default'),
        ({'turn': -0.5}, -4, 'negative: the defaults'),
        ({'turn': 10.0, 'elbow': 0.1}, -4, 'unknown: the defaults'),
    ):
        path = [JointTolerance(name=name, position=size) for name, size in given.items()]
        goal = made.goal(trajectory((0.01, (2.0, 0.0), REST)), path_tolerance=path)
        assert goal.end()[1] == code, meaning
        assert made.client.trigger('reset').success


def test_an_unknown_joint_in_one_tolerance_means_all_defaults(robot):
    constraints = {'goal_time': 0.1, 'turn': {'goal': 0.02}}
    limits = {'turn': {'max_position': 0.5}}
    made = robot({**ARM, 'joint_limits': limits, 'constraints': constraints})
    loose, unknown = JointTolerance(name='turn', position=9.0), JointTolerance(name='elbow')
    assert made.goal(MOVE, goal_tolerance=[loose]).end()[0] == SUCCEEDED
    made.goal(RETURN).end()
    end = made.goal(MOVE, goal_tolerance=[loose], path_tolerance=[unknown]).end()
    assert end[1] == FollowJointTrajectory.Result.GOAL_TOLERANCE_VIOLATED


def test_an_end_that_is_not_reached_goal_time_after_it_aborts_with_minus_5_and_holds(robot):
    limited = {**ARM, 'joint_limits': {'turn': {'max_position': 0.5}}}
    made = robot(limited, joint_states_rate=1000.0)
    loose = [JointTolerance(name='turn', position=-1.0)]
    limit = duration(0.1, FollowJointTrajectory.Goal().goal_time_tolerance)
    made.pause(True)
    begin = made.time
    move = trajectory((0.3, THERE, REST))
    goal = made.goal(move, path_tolerance=loose, goal_time_tolerance=limit)
    made.step(397)
    assert made.query(begin + 0.1).success
    made.step(5)  # the first that is 0.4 s after the begin, or the next few
    assert not made.query(begin + 0.1).success
    there = made.positions
    status, code, _ = goal.end()
    assert (status, code) == (ABORTED, FollowJointTrajectory.Result.GOAL_TOLERANCE_VIOLATED)
    made.pause(False)
    made.rest()
    assert made.positions == pytest.approx(there, abs=HELD_RAD)
    assert made.positions[0] == pytest.approx(0.5, abs=HELD_RAD)


def test_goal_times_of_0_and_of_minus_1_wait_for_ever(robot):
    limited = {**ARM, 'joint_limits': {'turn': {'max_position': 0.5}}}
    made = robot(limited, realtime=10.0)
    goal = made.goal(MOVE, path_tolerance=[JointTolerance(name='turn', position=-1.0)])
    made.until(made.time + 4.0)
    assert not goal.ended

    constraints = {'goal_time': 0.1, 'turn': {'goal': 0.02}}
    made = robot({**limited, 'constraints': constraints}, realtime=10.0)
    for_ever = duration(-1.0, FollowJointTrajectory.Goal().goal_time_tolerance)
    waiting = made.goal(MOVE, goal_time_tolerance=for_ever)
    made.until(made.time + 3.0)
    assert not waiting.ended
    assert made.goal(MOVE).end()[1] == FollowJointTrajectory.Result.GOAL_TOLERANCE_VIOLATED


def test_a_goal_without_a_tolerance_at_its_end_succeeds_where_it_is(robot):
    made = robot({**ARM, 'joint_limits': {'turn': {'max_position': 0.5}}})
    none = [JointTolerance(name='turn', position=-1.0)]
    assert made.goal(MOVE, path_tolerance=none, goal_tolerance=none).end()[:2] == (SUCCEEDED, 0)


def test_the_end_is_reached_as_soon_as_the_velocities_are_below_0_01(robot):
    by_velocity = {
        **ARM,
        'command_interfaces': ['velocity'],
        'constraints': {'turn': {'goal': 0.02}},
    }
    made = robot(by_velocity, joint_states_rate=1000.0)
    made.pause(True)
    goal = made.goal(trajectory((0.2, (1.0, 0.0))))

    def still() -> bool:
        slow = max(map(abs, made.states[-1].velocity)) < 0.01
        if slow and abs(made.positions[0] - 1.0) < 0.02:
            return True
        assert not goal.ended
        made.step(10)
        return False

    made.step(200)
    wait_until(still, 'rest at the end')
    made.step()
    assert goal.end()[:2] == (SUCCEEDED, 0)
    made.pause(False)
    made.rest()
    assert made.positions == pytest.approx([1.0, 0.0], abs=HELD_RAD)


def test_a_new_goal_aborts_the_old_one_with_minus_1(robot):
    made = robot()
    first = made.goal(SLOW)
    second = made.goal(MOVE)
    assert first.end() == (ABORTED, -1, 'a newer goal has replaced this one')
    assert second.end()[:2] == (SUCCEEDED, 0)


def test_a_cancelled_goal_ends_as_canceled_and_the_joints_hold_where_they_were_then(robot):
    """They move at 2 rad/s when the goal is cancelled, in a pause, so that it is known where."""
    made = robot(joint_states_rate=1000.0)
    made.pause(True)
    goal = made.goal(trajectory((0.2, (0.25, -0.1), REST)))
    made.step(100)
    there = made.positions
    assert 0.1 < there[0] < 0.15
    goal.cancel()
    assert goal.end()[0] == CANCELED
    made.pause(False)
    made.rest()
    assert made.positions == pytest.approx(there, abs=HELD_RAD)


def test_a_goal_can_be_cancelled_while_it_runs(robot):
    made = robot()
    goal = made.goal(SLOW)
    wait_until(lambda: made.positions[0] > 0.02, 'a motion')
    goal.cancel()
    assert goal.end()[0] == CANCELED
    made.rest()
    held = made.positions
    last = goal.feedback[-1].actual.positions[0]
    assert held[0] == pytest.approx(last, abs=0.004), 'two periods at 0.025 rad/s, at most'
    assert max(made.positions_of(each)[0] for each in made.states) < held[0] + HELD_RAD
    made.until(made.time + 2.0)
    assert made.positions == pytest.approx(held, abs=HELD_RAD)


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
    assert goal.end() == (ABORTED, -1, 'the simulation was reset'), 'the controller stays'
    wait_until(lambda: made.actions.server_is_ready(), 'the action after the reload')
