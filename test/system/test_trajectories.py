"""JointTrajectoryController over DDS: what trajectories do that MoveIt and others send."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from builtin.controllers.trajectories.trajectory_messages import trajectory
from rclpy.action import get_action_names_and_types

pytest.importorskip('control_msgs', reason='control_msgs is not there')
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance, JointTrajectoryControllerState

from .harness import wait_until
from .trajectory_robot import (
    ARM,
    MOVE,
    REST,
    RETURN,
    SLOW,
    SUCCEEDED,
    THERE,
    Robot,
    shared_robots,
    stamped,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def robot(share) -> Callable[..., Robot]:
    """Makes robots; see `shared_robots`."""
    return shared_robots(share)


def test_a_goal_of_the_action_is_followed_with_feedback_at_20_hz_and_succeeds(robot):
    """The names and types are those of ros2_controllers."""
    made = robot(realtime=1.0)
    goal = made.goal(trajectory((1.0, THERE, REST)))
    assert goal.accepted
    given = {
        '/arm/follow_joint_trajectory': 'control_msgs/action/FollowJointTrajectory',
        '/arm/joint_trajectory': 'trajectory_msgs/msg/JointTrajectory',
        '/arm/controller_state': 'control_msgs/msg/JointTrajectoryControllerState',
        '/arm/query_state': 'control_msgs/srv/QueryTrajectoryState',
    }
    node = made.client.node
    listed = (
        *get_action_names_and_types(node),
        *node.get_topic_names_and_types(),
        *node.get_service_names_and_types(),
    )
    found = {name: types for name, types in listed if name in given}
    assert found == {name: [kind] for name, kind in given.items()}
    assert goal.end() == (SUCCEEDED, 0, 'the goal has succeeded')
    made.reach(*THERE)
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
    made = robot()
    made.pause(True)
    rest, begin = [REST] * (fields - 1), round(made.time, 3) + 0.1
    message = trajectory((0.0, REST, *rest), (1.0, (0.5, 0.0), *rest), stamp=begin)
    loose = [JointTolerance(name='turn', position=-1.0)]
    goal = made.goal(message, path_tolerance=loose)
    made.pause(False)
    assert goal.end()[0] == SUCCEEDED
    made.until(begin + 1.0)
    rows = [
        (stamped(each) - begin, each.position[each.name.index('turn')])
        for each in list(made.states)
    ]
    moving = np.array([row for row in rows if 0.0 <= row[0] <= 1.0])
    assert len(moving) > 10
    assert np.abs(moving[:, 1] - form(moving[:, 0]) / 2).max() < 0.004


def test_a_trajectory_on_the_topic_replaces_the_running_one_without_aborting_a_goal(robot):
    made = robot()
    goal = made.goal(SLOW)
    made.publish(MOVE)
    assert goal.end()[:2] == (SUCCEEDED, 0)
    made.reach(*THERE)
    made.publish(RETURN)
    made.reach(*REST)


def test_partial_goals_are_accepted_where_that_is_permitted(robot):
    made = robot({**ARM, 'allow_partial_joints_goal': True})
    goal = made.goal(trajectory((0.5, (0.4,)), joints=['turn']))
    assert goal.end()[:2] == (SUCCEEDED, 0)
    made.reach(0.4, 0.0)


def test_a_stamp_in_the_future_waits_and_a_late_goal_begins_in_its_midst(robot):
    made = robot()
    made.pause(True)
    begin = made.time + 1.0
    goal = made.goal(trajectory((0.0, REST, REST), (1.0, THERE, REST), stamp=begin))
    made.pause(False)
    assert goal.end()[0] == SUCCEEDED
    made.pause(True)
    late = made.time - 1.0
    goal = made.goal(
        trajectory((0.0, THERE, REST), (2.0, THERE, REST), (6.0, REST, REST), stamp=late)
    )
    made.pause(False)
    assert goal.end()[0] == SUCCEEDED
    for state in made.states:
        place, time = made.positions_of(state), stamped(state)
        if time <= begin:
            assert place == pytest.approx(REST, abs=0.02)
        elif time > late + 1.0:
            u = min(1.0, max(0.0, (time - late - 2.0) / 4.0))
            share = 1.0 - 3 * u**2 + 2 * u**3
            assert place == pytest.approx(np.multiply(THERE, share), abs=0.02)


def test_a_stamp_of_0_means_now_and_an_end_in_the_past_is_rejected(robot):
    made = robot()
    made.until(2.0)
    assert not made.goal(trajectory((1.0, THERE, REST), stamp=0.5)).accepted
    assert made.goal(trajectory((1.0, THERE, REST), stamp=0.0)).end()[:2] == (SUCCEEDED, 0)


def test_the_last_point_may_have_a_velocity_where_that_is_permitted(robot):
    made = robot({**ARM, 'allow_nonzero_velocity_at_trajectory_end': True})
    assert made.goal(trajectory((1.0, THERE, (0.2, 0.0)))).end()[:2] == (SUCCEEDED, 0)


def test_what_moveit_sends_is_followed_in_the_time_and_from_the_start_that_it_allows(robot):
    """Many points from where the robot is, with everything, and the joints in another order."""
    made = robot(realtime=1.0)
    made.pause(True)
    assert made.positions == pytest.approx(REST, abs=0.01), 'allowed_start_tolerance'
    begin, points = made.time, []
    for time in np.arange(0.0, 2.01, 0.1):
        u = time / 2
        shape = (
            10 * u**3 - 15 * u**4 + 6 * u**5,
            (30 * u**2 - 60 * u**3 + 30 * u**4) / 2,
            (60 * u - 180 * u**2 + 120 * u**3) / 4,
        )
        points.append((time, *(np.multiply(THERE[::-1], each) for each in shape)))
    goal = made.goal(trajectory(*points, joints=['lift', 'turn']))
    made.pause(False)
    assert goal.end()[:2] == (SUCCEEDED, 0)
    allowed = 1.1 * 2.0 + 0.5  # the result comes within one period of the last feedback
    assert stamped(goal.feedback[-1]) < begin + allowed - 0.05
    made.reach(*THERE, within=0.01)
    there = [each for each in made.states
             if np.abs(np.subtract(made.positions_of(each), THERE)).max() < 0.01]  # fmt: skip
    assert begin + 1.7 < stamped(there[0]), 'not before the time of the plan'
    made.rest()
    assert made.positions == pytest.approx(THERE, abs=0.01), 'it begins here the next time'


URDF = """
<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial>
    <origin xyz="0.15 0 0"/><mass value="1"/>
    <inertia ixx="0.001" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>
  </inertial></link>
  <link name="fore"><inertial>
    <origin xyz="0.15 0 0"/><mass value="0.5"/>
    <inertia ixx="0.001" iyy="0.005" izz="0.005" ixy="0" ixz="0" iyz="0"/>
  </inertial></link>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="80" velocity="2"/>
  </joint>
  <joint name="lift" type="revolute">
    <parent link="upper"/><child link="fore"/><origin xyz="0.3 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="40" velocity="2"/>
  </joint>
</robot>
"""


def test_a_robot_of_a_urdf_without_actuators_follows_what_moveit_plans_for_the_same_urdf(
    robot, tmp_path
):
    (tmp_path / 'arm.urdf').write_text(URDF)
    made = robot(mujoco_xml='', modelfile=str(tmp_path / 'arm.urdf'))
    assert made.goal(MOVE).end()[:2] == (SUCCEEDED, 0)
    made.rest()
    assert made.positions == pytest.approx(THERE, abs=0.002)
    path = [JointTolerance(name='turn', position=0.02)]
    assert made.goal(RETURN, path_tolerance=path).end()[:2] == (SUCCEEDED, 0)
    made.reach(*REST)


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
