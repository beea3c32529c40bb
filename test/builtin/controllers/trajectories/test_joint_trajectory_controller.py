"""JointTrajectoryController without ROS; tests over DDS are in system/test_trajectories.py."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.controllers.driving import said
from builtin.controllers.trajectories.trajectory_messages import trajectory
from deadline import until

from mujoco_ros_py.builtin.controllers.trajectories.following import MOVING
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.session import Session
from mujoco_ros_py.simulation import read_state, write_state

ACTUATORS = {
    'motors': '<motor joint="turn"/><motor joint="lift"/>',
    'servos': '<position joint="turn" kp="100" kv="8"/><position joint="lift" kp="100" kv="8"/>',
    'velocity servos': '<velocity joint="turn" kv="10"/><velocity joint="lift" kv="10"/>',
    'none': '',
}
MODEL = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.001" integrator="{integrator}"/>
  <worldbody>
    <body>
      <joint name="turn" axis="0 0 1" range="-3 3" limited="true"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
      <body pos="0.3 0 0">
        <joint name="lift" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.5"/>
      </body>
    </body>
    <body pos="0 0 5"><geom name="weight" size="0.05"/></body>
  </worldbody>
  <actuator>{actuators}</actuator>
</mujoco>
"""
REST = (0.0, 0.0)
THERE = (1.0, -0.5)
MOVE = trajectory((1.0, THERE, REST))


class Arm:
    """A session with a controller of two joints."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.plugin: Any = session.plugins['arm']
        self.timestep = float(session.snapshot().model.opt.timestep)

    def read(self, message: Any) -> Any:
        return self.plugin.reader.read(message, self.session.snapshot().time)

    def pursue(self, message: Any) -> Any:
        made = self.read(message)
        return self.session.call(lambda model, data: self.plugin.pursue(made, data))

    def follow(self, message: Any) -> None:
        """Follows a trajectory without a goal, like a message on the topic."""
        made = self.read(message)
        self.session.call(lambda model, data: self.plugin.begin(made, data))

    def run(self, seconds: float) -> None:
        self.session.step(round(seconds / self.timestep))

    def result(self, pursuit: Any) -> Any:
        """Steps until the goal has a result, and returns it."""

        def ended() -> bool:
            self.run(0.05)
            return pursuit.ended

        until(ended, 'the end of the goal')
        return pursuit.result

    @property
    def positions(self) -> Any:
        return self.session.snapshot().data.qpos

    def worst(self, seconds: float) -> float:
        """Steps for this time, and returns the largest distance from the trajectory."""
        found = 0.0
        for _ in range(round(seconds / 0.01)):
            self.run(0.01)
            data = self.session.snapshot().data
            wanted = self.plugin.trajectory.sample(data.time).position
            found = max(found, float(np.abs(wanted - data.qpos).max()))
        return found


@pytest.fixture
def arm() -> Iterator[Callable[..., Arm]]:
    """`arm(actuators, **config)` creates a session with the controller."""
    sessions: list[Session] = []

    def begin(actuators: str = 'motors', integrator: str = 'Euler', **config: Any) -> Arm:
        xml = MODEL.format(actuators=ACTUATORS[actuators], integrator=integrator)
        given = {'joints': ['turn', 'lift'], 'bandwidth': 60.0, **config}
        plugin = {'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm', **given}
        session = Session(mujoco.MjModel.from_xml_string(xml), plugins=[plugin])
        sessions.append(session)
        assert not session.problems, session.problems
        return Arm(session)

    yield begin
    for session in sessions:
        session.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ('actuators', 'integrator'),
    [('motors', 'RK4'), ('servos', 'implicitfast'), ('velocity servos', 'Euler'), ('none', 'RK4')],
)
def test_any_actuators_follow_a_trajectory(arm, actuators, integrator):
    made = arm(actuators, integrator)
    made.pursue(MOVE)
    limit = 0.02 if actuators == 'servos' else 0.004  # the weight bends a servo
    assert made.worst(1.5) < limit
    assert made.positions == pytest.approx(THERE, abs=limit)


@pytest.mark.slow
@pytest.mark.parametrize('interfaces', [['velocity'], ['effort'], ['position', 'velocity']])
def test_joints_can_be_driven_by_velocity_or_effort(arm, interfaces):
    made = arm('motors', command_interfaces=interfaces)
    made.pursue(MOVE)
    assert made.worst(1.5) < 0.03
    assert made.positions == pytest.approx(THERE, abs=0.03)


def test_a_goal_succeeds_when_the_joints_are_there_and_still(arm):
    made = arm(constraints={'turn': {'trajectory': 0.05, 'goal': 0.01}})
    goal = made.pursue(MOVE)
    made.run(0.9)
    assert not goal.ended
    result = made.result(goal)
    assert (result.error_code, result.error_string) == (0, 'the goal has succeeded')


def test_a_goal_succeeds_only_when_the_joints_stand_still(arm):
    made = arm(command_interfaces=['position', 'velocity'])
    goal = made.pursue(trajectory((0.1, (1.0, 0.0), REST)))
    made.run(0.1)
    assert abs(made.session.snapshot().data.qvel[0]) > 0.1, 'its controller is behind'
    while not (goal.ended or made.plugin.goals.has_ended):
        made.run(made.timestep)
    assert np.abs(made.session.snapshot().data.qvel).max() <= 0.01
    assert made.result(goal).error_code == 0


def test_velocities_are_not_judged_where_positions_alone_are_commanded(arm):
    made = arm(command_interfaces=['position'])
    made.pursue(trajectory((0.1, (1.0, 0.0), REST)))
    while not made.plugin.goals.has_ended and made.plugin.goals.present:
        made.run(made.timestep)
    assert abs(made.session.snapshot().data.qvel[0]) > 0.05


@pytest.mark.parametrize('goal_time', [0.02, 0.0])
def test_a_goal_may_end_with_the_velocity_of_its_last_point(arm, goal_time):
    made = arm(
        command_interfaces=['position', 'velocity'],
        allow_nonzero_velocity_at_trajectory_end=True,
        constraints={'stopped_velocity_tolerance': 0.05, 'goal_time': goal_time},
    )
    goal = made.pursue(trajectory((0.0, REST, (0.5, 0.0)), (1.0, (0.5, 0.0), (0.5, 0.0))))
    made.run(1.0)
    assert abs(made.session.snapshot().data.qvel[0] - 0.5) < 0.05
    assert made.result(goal).error_code == 0
    made.run(1.0)
    assert made.positions == pytest.approx([0.5, 0.0], abs=0.004), 'then it holds'


def test_a_goal_is_aborted_off_its_path_and_the_joints_hold_where_they_are_then(arm):
    made = arm('servos', constraints={'turn': {'trajectory': 0.05}})
    goal = made.pursue(trajectory((0.02, (1.0, 0.0), REST)))
    while made.plugin.trajectory is not None:
        made.run(0.001)
    there = made.positions.copy()
    result = made.result(goal)
    assert result.error_code == -4
    assert result.error_string.startswith('the path tolerance was violated: the position of joint')
    made.run(2.0)
    assert made.positions == pytest.approx(there, abs=1e-3)
    assert abs(made.session.snapshot().data.qvel).max() < 1e-3


def test_a_goal_is_aborted_if_its_end_is_not_reached_in_time(arm):
    limits = {'turn': {'max_position': 0.5}}
    constraints = {'turn': {'goal': 0.01}, 'goal_time': 0.3}
    made = arm(joint_limits=limits, constraints=constraints)
    goal = made.pursue(MOVE)
    made.run(1.25)
    assert not goal.ended
    result = made.result(goal)
    assert result.error_code == -5
    assert 'the position of joint turn is 0.5 off' in result.error_string


def test_without_goal_time_a_goal_waits_for_ever(arm):
    made = arm(joint_limits={'turn': {'max_position': 0.5}}, constraints={'turn': {'goal': 0.01}})
    goal = made.pursue(MOVE)
    made.run(5.0)
    assert not goal.ended


@pytest.mark.slow
def test_a_new_goal_aborts_the_old_one_and_the_joints_go_on(arm):
    made = arm()
    first = made.pursue(MOVE)
    made.run(0.5)
    second = made.pursue(trajectory((1.0, REST, REST)))
    assert made.result(first).error_code == -1
    assert first.result.error_string == 'a newer goal has replaced this one'
    assert made.result(second).error_code == 0
    assert made.positions == pytest.approx(REST, abs=0.004)


@pytest.mark.slow
def test_a_trajectory_without_a_goal_replaces_that_of_a_goal_which_goes_on(arm):
    made = arm()
    goal = made.pursue(MOVE)
    made.run(0.5)
    made.follow(trajectory((2.0, REST, REST)))
    made.run(1.0)
    assert not goal.ended
    assert made.result(goal).error_code == 0
    assert made.positions == pytest.approx(REST, abs=0.004)


def test_a_trajectory_can_begin_at_what_the_one_before_wants(arm):
    made = arm('servos', interpolate_from_desired_state=True)
    made.follow(MOVE)
    made.run(0.5)
    wanted = made.plugin.trajectory.sample(made.session.snapshot().time)
    made.follow(trajectory((1.0, REST, REST)))
    begun = made.plugin.trajectory.sample(made.session.snapshot().time)
    assert begun.position == pytest.approx(wanted.position, abs=1e-12)
    assert begun.velocity == pytest.approx(wanted.velocity, abs=1e-12)


@pytest.mark.parametrize(
    ('actuators', 'velocities'),
    [('motors', REST), pytest.param('motors', (), marks=pytest.mark.slow), ('servos', ())],
    ids=['curved', 'linear', 'linear, by servos'],
)
def test_a_trajectory_outside_of_the_range_is_clamped_and_said(arm, caplog, actuators, velocities):
    made = arm(actuators, joint_limits={'turn': {'max_position': 2.0}})
    made.follow(trajectory((0.5, (50.0, 0.0), velocities)))
    highest = 0.0
    for _ in range(200):
        made.run(0.01)
        highest = max(highest, made.positions[0])
    assert highest <= 2.001
    assert made.positions[0] == pytest.approx(2.0, abs=1e-3)
    assert said(caplog, made.session, 'the position of joint turn must be from')


OUTSIDE = (0.5, (50.0, -0.5), REST)
LIMITS = {'turn': {'max_position': 2.0}, 'lift': {'min_position': -0.3, 'max_position': 0.3}}
CLAMPED = (
    'clamped to the limits: position of joint turn (asked for 50, limits -3 to 2), position of'
    ' joint lift (asked for -0.5, limits -0.3 to 0.3)'
)


def test_every_joint_that_is_clamped_is_named_in_the_log_and_in_the_result(arm, caplog):
    made = arm(joint_limits=LIMITS)
    goal = made.pursue(trajectory(OUTSIDE))
    while made.plugin.state.phase == MOVING:
        made.run(made.timestep)  # none follows the one that ends the goal
    until(lambda: goal.ended, 'the end of the goal')
    result = goal.result
    assert (result.error_code, result.error_string) == (0, f'the goal has succeeded; {CLAMPED}')
    for joint, asked in (('turn', '-3 to 2'), ('lift', '-0.3 to 0.3')):
        assert said(caplog, made.session, f'position of joint {joint} must be from {asked}')


def test_a_result_tells_what_was_clamped_of_its_own_goal(arm):
    made = arm(joint_limits=LIMITS)
    first = made.pursue(trajectory(OUTSIDE))
    made.run(0.6)
    inside = trajectory((0.5, (2.0, -0.3), REST))
    second = made.pursue(inside)
    assert made.result(first).error_string.endswith(CLAMPED)
    assert made.result(second).error_string == 'the goal has succeeded', 'a limit is inside'
    third = made.pursue(inside)
    made.run(0.1)
    made.follow(trajectory(OUTSIDE))
    assert made.result(third).error_string.endswith(CLAMPED), 'of a topic, which a goal follows'
    made.session.call(lambda model, data: made.plugin.emergency_stop(model, data, True))
    assert made.pursue(inside).result.error_string == 'an emergency stop is on'


def clamped(text: str, name: str) -> tuple[float, str]:
    """Returns the value that was commanded for the joint `lift`, and its limits."""
    found = re.search(rf'{name} of joint lift \(asked for (.*?), limits (.*?)\)', text)
    assert found, text
    return float(found[1]), found[2]


def test_clamped_velocities_accelerations_and_efforts_are_told(arm, caplog):
    limits = {'max_velocity': 1.0, 'max_acceleration': 2.0, 'max_effort': 20.0}
    made = arm(joint_limits={'lift': limits})
    begin = (0.0, REST, REST, REST, REST)
    text = made.result(
        made.pursue(trajectory(begin, (1.0, THERE, REST, REST, (0.0, -40.0))))
    ).error_string
    peak = 0.5 * 10 / math.sqrt(3)  # of a quintic over 0.5 rad in 1 s, at 0.94 rad/s
    assert 'velocity' not in text
    asked, allowed = clamped(text, 'acceleration')
    assert (abs(asked), allowed) == (pytest.approx(peak, rel=1e-4), '-2 to 2')
    assert clamped(text, 'effort') == (-40.0, '-20 to 20')
    text = made.result(made.pursue(trajectory((0.0, THERE), (0.5, (1.0, 0.5))))).error_string
    assert clamped(text, 'velocity') == (2.0, '-1 to 1')
    for what in ('velocity of joint lift must be from', 'effort of joint lift must be from'):
        assert said(caplog, made.session, what)


def test_positions_beyond_the_limits_are_said_where_velocities_are_commanded(arm, caplog):
    made = arm(command_interfaces=['velocity'], joint_limits=LIMITS)
    made.follow(trajectory((1.0, (2.5, -0.5), REST)))
    for joint in ('turn', 'lift'):
        assert said(caplog, made.session, f'the position of joint {joint} must be')


def test_a_violation_without_a_goal_is_said(arm, caplog):
    made = arm('servos', constraints={'turn': {'trajectory': 0.05}})
    made.follow(trajectory((0.02, (1.0, 0.0), REST)))
    assert said(caplog, made.session, 'the joints hold where they are')


def test_a_reset_in_the_middle_ends_the_goal_with_an_answer(arm):
    made = arm()
    goal = made.pursue(MOVE)
    made.run(0.5)
    made.session.reset()
    result = made.result(goal)
    assert (result.error_code, result.error_string) == (-1, 'the simulation was reset')
    made.run(1.0)
    assert made.positions == pytest.approx(REST, abs=1e-3)


def test_an_emergency_stop_ends_the_goal_and_holds_within_one_step(arm):
    made = arm()
    goal = made.pursue(MOVE)
    made.run(0.5)
    session = made.session
    session.call(lambda model, data: made.plugin.emergency_stop(model, data, True))
    stopped = made.positions.copy()
    assert made.result(goal).error_string == 'an emergency stop is on'
    made.run(0.5)
    assert made.positions == pytest.approx(stopped, abs=1e-3)
    assert made.pursue(MOVE).result.error_code == -1
    session.call(lambda model, data: made.plugin.emergency_stop(model, data, False))
    assert made.result(made.pursue(MOVE)).error_code == 0


def test_a_restored_state_goes_on_with_its_trajectory_to_the_bit(arm):
    made = arm()
    made.follow(MOVE)
    made.run(0.4)
    saved = made.session.save()
    made.run(0.7)
    expected = made.positions.copy()
    goal = made.pursue(trajectory((5.0, REST, REST)))
    made.run(0.3)
    made.session.restore(saved)
    assert made.result(goal).error_string == 'another state of the simulation was restored'
    made.session.restore(saved)
    made.run(0.7)
    assert list(made.positions) == list(expected)


def test_a_trajectory_of_many_points_goes_through_bytes_and_on_to_the_bit(arm):
    made = arm()
    made.follow(trajectory((0.3, (0.2, 0.1)), (0.6, (0.5, -0.3)), (1.0, THERE, REST)))
    made.run(0.4)
    written = write_state(made.session.save())
    made.run(0.7)
    expected = write_state(made.session.save())
    made.session.restore(read_state(written))
    made.run(0.7)
    assert write_state(made.session.save()) == expected


NO_TRAJECTORIES = [
    ('times', np.array([1.0, 0.0]), 'at least 2 times in order'),
    ('times', 1.0, r'must have times of float64 with the shape \(1,\), got 1.0'),
    ('coefficients', np.zeros((2, 1, 8)), r'with the shape \(2, 2, 8\)'),
    ('coefficients', np.full((2, 2, 8), math.nan), 'must have finite coefficients'),
    ('given', np.zeros(2), 'must have given of bool'),
    ('start', math.inf, 'must have a finite start, got inf'),
    ('more', 0, 'must have start, times'),
]


def test_a_saved_trajectory_that_is_none_is_refused_before_it_is_followed(arm):
    made = arm()
    made.follow(MOVE)
    made.run(0.1)
    state, parts = made.plugin.save()
    for part, value, told in NO_TRAJECTORIES:
        with pytest.raises(ConfigError, match=f'a saved trajectory .*{told}'):
            made.plugin.check_saved((state, {**parts, part: value}))
    for wrong in (None, (state,), (None, parts)):
        with pytest.raises(ConfigError, match='must'):
            made.plugin.check_saved(wrong)
    made.plugin.check_saved((state, parts))
    made.plugin.check_saved((state, None))


def test_unstable_data_that_mujoco_resets_end_the_goal(arm):
    made = arm()
    goal = made.pursue(MOVE)
    made.run(0.5)
    made.session.call(lambda model, data: data.qvel.fill(math.nan))
    assert made.result(goal).error_string == 'the time went back'


def test_partial_goals_move_only_what_they_name(arm):
    made = arm(allow_partial_joints_goal=True)
    made.follow(trajectory((0.5, (0.4,)), joints=['turn']))
    made.run(1.0)
    assert made.positions == pytest.approx([0.4, 0.0], abs=0.004)


@pytest.mark.parametrize('actuators', ACTUATORS)
def test_joints_that_partial_goals_leave_out_keep_their_place(arm, actuators):
    made = arm(actuators, allow_partial_joints_goal=True)
    made.run(0.5)
    before = made.positions[1]
    for turn in (0.2, 0.4) * 4:
        made.follow(trajectory((0.1, (turn,)), joints=['turn']))
        made.run(0.2)
    assert made.positions[1] == pytest.approx(before, abs=0.002)


def test_hinges_without_limits_turn_the_shorter_way_round(arm):
    made = arm(constraints={'lift': {'trajectory': 0.05, 'goal': 0.01}})
    made.session.call(lambda model, data: data.qpos.put(1, 6.5))
    there = 6.5 - 2 * math.pi
    goal = made.pursue(trajectory((0.0, (0.0, there), REST), (0.5, (0.0, there + 0.2), REST)))
    assert made.result(goal).error_code == 0
    assert made.positions[1] == pytest.approx(6.7, abs=0.01)


def test_a_hinge_that_lags_by_more_than_half_a_turn_goes_all_the_way_of_the_points(arm):
    """The joint turns at 2 rad/s, but the trajectory at 4.5 rad/s."""
    made = arm(
        'servos',
        joint_limits={'lift': {'max_velocity': 2.0}},
        constraints={'lift': {'goal': 0.05}, 'goal_time': 3.0},
    )
    goal = made.pursue(trajectory((0.0, REST), (2.0, (0.0, 9.0))))
    made.run(2.0)
    assert made.positions[1] == pytest.approx(4.0, abs=0.2)
    assert not goal.ended
    assert made.result(goal).error_code == 0
    made.run(3.0)
    assert made.positions[1] == pytest.approx(9.0, abs=0.05)


@pytest.mark.parametrize('interfaces', [['velocity'], ['effort']])
def test_a_hinge_that_is_held_up_by_more_than_half_a_turn_goes_all_the_way_afterwards(
    arm, interfaces
):
    made = arm('motors', command_interfaces=interfaces)
    made.follow(trajectory((0.0, REST), (2.0, (0.0, 9.0))))
    for _ in range(110):
        made.session.call(lambda model, data: (data.qpos.put(1, 0.0), data.qvel.put(1, 0.0)))
        made.session.step(20)
    made.run(6.0)
    assert made.positions[1] == pytest.approx(9.0, abs=0.02)


@pytest.mark.parametrize(
    ('config', 'reason'),
    [
        ({}, 'joints must be given'),
        (
            {'joints': ['turn'], 'command_interfaces': ['acceleration']},
            'must include position, or',
        ),
        ({'joints': ['turn'], 'command_interfaces': ['torque']}, 'command_interfaces'),
        ({'joints': ['turn'], 'command_interfaces': []}, 'must list at least one interface'),
        ({'joints': ['turn'], 'constraints': {'lift': {'goal': 1.0}}}, 'unknown joint or constr'),
    ],
)
def test_a_wrong_configuration_is_refused(config, reason):
    plugin = {'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm', **config}
    xml = MODEL.format(actuators='', integrator='Euler')
    with Session(mujoco.MjModel.from_xml_string(xml), plugins=[plugin]) as session:
        assert reason in session.problems[0]


@pytest.mark.slow
def test_gains_tolerances_and_rules_change_while_it_runs(arm):
    made = arm(constraints={'turn': {'trajectory': 0.05}})
    assert made.result(made.pursue(MOVE)).error_code == 0
    weak = {joint: {'p': 1e-6} for joint in ('turn', 'lift')}
    made.session.configure('arm', gains=weak, gravity_compensation=False)
    assert made.result(made.pursue(trajectory((0.5, REST, REST)))).error_code == -4
    made.session.configure('arm', gains={}, gravity_compensation=True, constraints={})
    assert made.result(made.pursue(trajectory((0.5, REST, REST)))).error_code == 0
    with pytest.raises(ConfigError, match='velocities of the last point'):
        made.read(trajectory((1.0, THERE, (0.1, 0.0))))
    made.session.configure('arm', allow_nonzero_velocity_at_trajectory_end=True)
    made.read(trajectory((1.0, THERE, (0.1, 0.0))))


UNFIT = [
    ({'gains': {'elbow': {'p': 1.0}}}, "gains: unknown joint 'elbow'"),
    ({'gains': {'turn': {'p': 1.0, 'angle_wraparound': True}}}, 'without position limits'),
    ({'constraints': {'elbow': {'goal': 0.1}}}, 'unknown joint or constraint'),
    ({'joint_limits': {'turn': {'max_velocity': 1.0}}}, 'without a reload'),
]


def test_what_does_not_fit_changes_nothing_while_it_runs(arm):
    made = arm(gains={'turn': {'p': 40.0, 'd': 4.0}})
    before = made.plugin.state.drive.tobytes()
    for change, reason in UNFIT:
        with pytest.raises(ConfigError, match=reason):
            made.session.configure('arm', **change)
    assert made.plugin.state.drive.tobytes() == before
    assert made.plugin.config.gains['turn'].p == 40.0
