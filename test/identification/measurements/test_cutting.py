"""Recordings are cut at rests, or by length, and every fourth sequence is held out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mujoco_ros_py.identification.measurements.cutting import held_out

robot = pytest.importorskip('measured_robot', reason='mcap or rosbags is not installed')
delayed = pytest.importorskip('delayed_robot', reason='mcap or rosbags is not installed')
STATES, COMMANDS = robot.STATES, robot.COMMANDS
PERIOD_S = robot.REST_S + robot.MOVE_S


def rests_at(time):
    return time % PERIOD_S <= robot.REST_S


def waves(length=30.0, rate=100.0):
    """Joint states that never rest."""
    return [
        (time, robot.joint_state(time, ['elbow', 'shoulder'], positions))
        for time in np.arange(0.0, length, 1.0 / rate)
        for positions in [[math.sin(3.0 * time), 0.5 * math.cos(2.0 * time)]]
    ]


@pytest.mark.parametrize('noise', [0.0, 1e-4, 3e-3])
def test_sequences_begin_at_rests_shortly_before_the_motion(tmp_path, noise):
    rows = {STATES: robot.states(20.0, noise=noise), COMMANDS: robot.commands([1.0, 2.0, 3.0], 20)}
    found = robot.sequences(tmp_path, rows, length=2.0)
    assert len(found) == 10
    for each in found:
        assert each.rests
        assert rests_at(each.begin)
        assert 0.1 < robot.REST_S - each.begin % PERIOD_S < 0.5
    assert [each.end for each in found[:-1]] == [each.begin for each in found[1:]]
    assert found[0].name == f'run.mcap, {found[0].begin:.1f} to {found[0].end:.1f} s'


def test_short_motions_are_joined_and_long_ones_are_cut(tmp_path):
    found = robot.sequences(tmp_path, {STATES: robot.states(20.0)}, length=8.0)
    assert [round(each.end - each.begin) for each in found] == [8, 8, 4]
    found = robot.sequences(tmp_path, {STATES: robot.states(20.0)}, length=0.5)
    assert all(0.45 < each.end - each.begin < 1.1 for each in found)
    assert {each.rests for each in found} == {True, False}
    assert all(each.rests <= rests_at(each.begin) for each in found)


def test_an_encoder_with_coarse_steps_rests(tmp_path):
    rows = []
    for time, state in robot.states(20.0, noise=2e-3):
        state.position = np.round(state.position / 5e-3) * 5e-3
        rows.append((time, robot.joint_state(time, state.name, state.position)))
    found = robot.sequences(tmp_path, {STATES: rows}, length=2.0)
    assert all(each.rests and rests_at(each.begin) for each in found)
    assert len(found) >= 8


def test_joints_with_velocities_alone_rest(tmp_path):
    rows = [
        (time, robot.joint_state(time, state.name, [], state.velocity))
        for time, state in robot.states(20.0)
    ]
    found = robot.sequences(tmp_path, {STATES: rows}, length=2.0)
    assert all(each.rests for each in found)


def test_after_a_motion_a_long_rest_is_cut_to_1_s(tmp_path):
    rows, shift = [], 0.0
    for time, state in robot.states(8.0):
        if abs(time - 4.3) < 1e-6:
            held = [(time + 0.01 * k, state) for k in range(1000)]
            rows += [(at, robot.joint_state(at, each.name, each.position)) for at, each in held]
            shift = 10.0
        rows.append((time + shift, robot.joint_state(time + shift, state.name, state.position)))
    found = robot.sequences(tmp_path, {STATES: rows}, length=4.0)
    assert found[0].end == pytest.approx(5.1, abs=0.2)
    assert found[1].begin == pytest.approx(14.4, abs=0.2)


def test_without_rests_the_length_decides(tmp_path):
    found = robot.sequences(tmp_path, {STATES: waves()}, length=5.0)
    assert [each.rests for each in found] == [False] * 6
    assert [each.end - each.begin for each in found] == pytest.approx([5.0] * 6, abs=0.1)


def test_joints_do_not_rest_while_their_command_changes(tmp_path):
    still = [
        (time, robot.joint_state(time, ['elbow'], [1.0])) for time in np.arange(0.0, 10.0, 0.01)
    ]
    moving = [(time, delayed.array([math.sin(time), 0.0, 0.0])) for time, _ in still]
    found = robot.sequences(tmp_path, {STATES: still, COMMANDS: moving})
    assert not any(each.rests for each in found)


def test_every_sequence_has_its_part_of_signals_and_the_command_at_its_begin(tmp_path):
    rows = {
        STATES: robot.states(20.0), robot.IMU: robot.stream(robot.imu, 20.0),
        COMMANDS: robot.commands([1.0, 2.0, 3.0], 20.0),
    }  # fmt: skip
    found = robot.sequences(tmp_path, rows, length=2.0)
    given = rows[COMMANDS]
    for each in found:
        for signal in each.signals:
            assert each.begin <= signal.times[0] < signal.times[-1] <= each.end
            assert (np.diff(signal.times) > 0.0).all()
        (commands,) = each.commands
        assert commands.times[0] == each.begin
        held = [message.data for time, message in given if time <= each.begin + 1e-9]
        assert commands.values[0].tolist() == held[-1].tolist()
        assert (commands.times[1:] < each.end).all()


def goals_of(rows, length=8.0):
    """A trajectory at the begin of each move."""
    starts = np.arange(robot.REST_S, length, PERIOD_S)
    return [(float(at), delayed.trajectory(at, 'elbow', 0.1 * at, rows)) for at in starts]


def test_sequences_contain_whole_trajectories_and_the_goal_before(tmp_path):
    rows = {STATES: robot.states(), '/goals': goals_of(robot.MOVE_S)}
    found = robot.sequences(tmp_path, rows, {'/goals': 'arm'}, length=2.0)
    assert [len(each.goals) for each in found] == [1, 2, 2, 2]
    for each in found[:-1]:
        assert each.rests
        assert all(goal.time < each.begin for goal in each.goals[:-1])
        assert each.begin < each.goals[-1].time
        assert each.goals[-1].time + robot.MOVE_S < each.end + 1e-6
    # trajectories that wait hold their sequences together, although the robot rests in them
    rows['/goals'] = goals_of(7.0)[:1]
    found = robot.sequences(tmp_path, rows, {'/goals': 'arm'}, length=2.0)
    assert len(found[0].goals) == 1
    assert not any(0.7 < each.begin < 7.5 for each in found)


def test_the_goal_that_holds_at_the_begin_is_the_first(tmp_path):
    twists = [(0.0, delayed.twist(0.0)), (4.5, delayed.twist(0.25))]
    rows = {STATES: robot.states(), '/cmd_vel': twists}
    found = robot.sequences(tmp_path, rows, {'/cmd_vel': 'base'}, length=2.0)
    first = [each.goals[0] for each in found]
    assert [each.time for each in first] == pytest.approx([0.0, 0.0, 0.0, 4.5])
    assert [each.message['angular']['x'] for each in first] == [0.0, 0.0, 0.0, 0.25]


def test_every_fourth_sequence_is_held_out(tmp_path):
    assert held_out(9, 0.25) == [False, False, False, True] * 2 + [False]
    assert held_out(3, 0.25) == [False, False, True]
    assert held_out(2, 0.5) == [False, True]
    assert held_out(1, 0.25) == [False]
    assert held_out(8, 0.0) == [False] * 8
    assert held_out(0, 0.25) == []
    for count in range(1, 50):
        for share in (0.1, 0.2, 0.25, 0.3, 0.5):
            held = held_out(count, share)
            assert not all(held)
            assert any(held) == (count > 1)
            assert sum(held) <= max(1, share * count)
    found = robot.sequences(tmp_path, {STATES: robot.states(20.0)}, length=2.0)
    assert [each.held_out for each in found] == held_out(len(found), 0.25)
