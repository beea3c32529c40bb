"""Commands of bases: limits, time-out, refusals, reset and emergency stop."""

from __future__ import annotations

import logging
import math
from itertools import pairwise
from types import SimpleNamespace

import pytest
from builtin.controllers.bases.moving import NO_TIMEOUT, TIMESTEP_S, TWO_SIDES, TWO_WHEELS
from builtin.controllers.driving import said

from mujoco_ros_py.errors import ConfigError

LIMITED = {'x': {'max_velocity': 1.0, 'min_velocity': -0.5, 'max_acceleration': 2.0,
                 'max_deceleration': -4.0, 'max_acceleration_reverse': -1.0,
                 'max_deceleration_reverse': 8.0}}  # fmt: skip
STEP = 1e-9


@pytest.fixture
def planned(base):
    """`planned(**config)` creates a base whose odometry is the planned velocity (open loop)."""
    return lambda **config: base(TWO_WHEELS, TWO_SIDES, open_loop=True, **config)


def stamped(base, x: float, age_s: float | None, ros_offset: float = 0.0) -> None:
    """Passes a TwistStamped of this age in ROS time to a base; None for a stamp of 0."""

    def take(model, data):
        ros_time = data.time + ros_offset
        time_s = 0.0 if age_s is None else ros_time - age_s
        seconds = math.floor(time_s)
        stamp = SimpleNamespace(sec=seconds, nanosec=round((time_s - seconds) * 1e9))
        zero = SimpleNamespace(x=0.0, y=0.0, z=0.0)
        twist = SimpleNamespace(linear=SimpleNamespace(x=x, y=0.0, z=0.0), angular=zero)
        message = SimpleNamespace(header=SimpleNamespace(stamp=stamp), twist=twist)
        base.plugin.take_stamped_velocity(base.plugin.state, model, data, message, ros_time)

    base.session.call(take)


def test_a_velocity_outside_of_the_limits_is_the_nearest_one_and_is_said(planned, caplog):
    made = planned(**NO_TIMEOUT, linear={'x': {'max_velocity': 1.0}})
    told = 'linear.x of a velocity must be from -1 to 1, got 3: clamped'
    with caplog.at_level(logging.WARNING):
        made.drive(1.0, 3.0)
        assert made.twist[0] == 1.0
        assert said(caplog, made.session, told)
    made.drive(1.0, -3.0)
    assert made.twist[0] == -1.0


def test_limits_of_turns_hold_too(planned):
    made = planned(**NO_TIMEOUT, angular={'z': {'max_velocity': 1.0, 'max_acceleration': 0.5}})
    made.drive(1.0, 0.0, 0.0, 3.0)
    assert made.twist[2] == pytest.approx(0.5)
    made.run(2.0)
    assert made.twist[2] == pytest.approx(1.0)


CHANGES = [(0.0, 1.0, 2.0), (1.0, 0.0, -4.0), (0.0, -0.5, -1.0), (-0.5, 0.0, 8.0)]
"""A velocity, the next velocity, and the limit for this change: faster, slower and backwards."""


def test_each_change_of_the_velocity_has_a_limit_of_its_own(planned):
    made = planned(**NO_TIMEOUT, linear=LIMITED)
    for before, wanted, rate in CHANGES:
        assert made.twist[0] == before
        made.command(wanted)
        took = (wanted - before) / rate
        for step, velocity in enumerate(made.velocities(round(took / TIMESTEP_S)), start=1):
            assert velocity == pytest.approx(before + rate * step * TIMESTEP_S, abs=STEP)
        made.run(0.1)
        assert made.twist[0] == wanted


def test_a_limit_that_is_not_given_is_the_opposite_of_its_counterpart(planned):
    made = planned(**NO_TIMEOUT, linear={'x': {'max_velocity': 1.0, 'max_acceleration': 2.0}})
    made.drive(2.0, -3.0)
    assert made.twist[0] == -1.0
    made.drive(0.25, 0.0)
    assert made.twist[0] == pytest.approx(-0.5, abs=STEP)


@pytest.mark.parametrize('kind', ['velocity', 'acceleration', 'jerk'])
def test_a_limit_may_be_switched_off(planned, kind):
    limits = {f'max_{kind}': 0.1, f'has_{kind}_limits': False}
    made = planned(**NO_TIMEOUT, linear={'x': limits})
    made.drive(TIMESTEP_S, 0.7)
    assert made.twist[0] == 0.7


def test_the_acceleration_grows_and_ends_within_the_jerk_without_overshoot(planned):
    limits = {'max_acceleration': 2.0, 'max_jerk': 10.0}
    made = planned(**NO_TIMEOUT, linear={'x': limits})
    made.command(1.0)
    velocities = [0.0, 0.0, *made.velocities(900)]
    rates = [(b - a) / TIMESTEP_S for a, b in pairwise(velocities)]
    jerks = [(b - a) / TIMESTEP_S for a, b in pairwise(rates)]
    assert max(velocities) <= 1.0 + STEP
    assert velocities[-1] == 1.0
    assert max(rates) == pytest.approx(2.0)
    assert max(map(abs, jerks)) <= 10.0 + 1e-6
    least_s = 1.0 / 2.0 + 2.0 / 10.0
    assert velocities[round(1000 * least_s) + 5] == pytest.approx(1.0, abs=1e-4)


def test_without_velocities_the_base_brakes_within_its_limits_and_this_is_said(planned, caplog):
    made = planned(cmd_vel_timeout=0.5, linear=LIMITED)
    with caplog.at_level(logging.WARNING):
        made.drive(0.5, 1.0)
        assert made.twist[0] == pytest.approx(1.0)
        made.run(0.126)
        assert made.twist[0] == pytest.approx(0.5, abs=0.01)
        made.run(0.5)
        assert made.twist[0] == 0.0
        made.run(0.5)
    assert len(said(caplog, made.session, 'no velocity received for 0.5 s: the base brakes')) == 1
    made.drive(0.25, 1.0)
    assert made.twist[0] == pytest.approx(0.5, abs=0.01)


def test_a_base_that_was_told_to_stand_still_may_be_told_nothing_more(planned, caplog):
    made = planned(cmd_vel_timeout=0.5, linear={'x': {'max_velocity': 1.0}})
    with caplog.at_level(logging.WARNING):
        made.drive(0.4, 1.0)
        made.drive(2.0, 0.0)
        made.session.configure('base', cmd_vel_timeout=0.0)
        made.command(3.0)
        assert said(caplog, made.session, 'linear.x'), 'which is said after what is not said here'
    assert 'no velocity' not in caplog.text


def test_the_time_out_may_be_changed_and_switched_off(planned):
    made = planned(cmd_vel_timeout=0.5)
    made.session.configure('base', cmd_vel_timeout=0.0)
    made.drive(3.0, 1.0)
    assert made.twist[0] == 1.0
    made.session.configure('base', cmd_vel_timeout=0.1)
    made.run(0.01)
    assert made.twist[0] == 0.0


@pytest.mark.parametrize('ros_offset', [0.0, 100.0])
def test_a_stamped_velocity_counts_from_its_stamp(planned, ros_offset):
    made = planned(cmd_vel_timeout=0.5)
    made.run(5.0)
    stamped(made, 1.0, 0.3, ros_offset)
    made.run(0.15)
    assert made.twist[0] == 1.0
    made.run(0.1)
    assert made.twist[0] == 0.0


def test_a_stamp_of_zero_is_now(planned):
    made = planned(cmd_vel_timeout=0.5)
    made.run(5.0)
    stamped(made, 1.0, age_s=None)
    made.run(0.45)
    assert made.twist[0] == 1.0


def test_a_velocity_that_is_too_old_is_refused_and_this_is_said(planned, caplog):
    made = planned(cmd_vel_timeout=0.5)
    made.run(5.0)
    with caplog.at_level(logging.WARNING):
        stamped(made, 1.0, age_s=0.6)
        made.run(0.5)
    assert made.twist[0] == 0.0
    told = 'a velocity was refused: its stamp is 0.6 s old, and cmd_vel_timeout is 0.5 s'
    assert said(caplog, made.session, told)


def test_a_stamp_of_another_clock_counts_as_now_and_is_said(planned, caplog):
    made = planned(cmd_vel_timeout=0.5)
    made.run(1.0)
    with caplog.at_level(logging.WARNING):
        stamped(made, 1.0, age_s=-1e9)
        made.run(0.45)
        assert made.twist[0] == 1.0
        made.run(0.5)
    assert made.twist[0] == 0.0, 'the time-out holds all the same'
    assert said(caplog, made.session, 'may lack use_sim_time')


def test_a_velocity_that_is_not_finite_is_refused_as_a_whole(planned):
    made = planned(**NO_TIMEOUT)
    made.drive(0.1, 0.5)
    for values in ((math.nan, 0.1, 0.1), (0.1, math.inf, 0.1), (0.1, 0.1, -math.inf)):
        with pytest.raises(ConfigError, match='a velocity must have finite numbers'):
            made.command(*values)
        made.run(0.1)
        assert made.twist == (0.5, 0.0, 0.0)


def test_a_message_that_is_not_finite_is_refused_and_said(planned, caplog):
    made = planned(**NO_TIMEOUT)
    with caplog.at_level(logging.WARNING):
        stamped(made, math.nan, age_s=None)
        made.run(0.5)
    assert made.twist == (0.0, 0.0, 0.0)
    assert said(caplog, made.session, 'a velocity must have finite numbers')


def test_a_reset_forgets_the_command_and_begins_the_odometry_at_zero(base):
    made = base(TWO_WHEELS, TWO_SIDES, **NO_TIMEOUT)
    made.drive(1.0, 0.5, 0.0, 1.0)
    made.session.reset()
    assert made.pose == (0.0, 0.0, 0.0)
    made.run(1.0)
    assert made.pose == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    assert made.twist == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def test_the_odometry_begins_anew_when_mujoco_resets_the_data(base):
    made = base(TWO_WHEELS, TWO_SIDES, **NO_TIMEOUT)
    made.drive(1.0, 0.5)

    def spoil(model, data):
        data.qpos[0] = math.nan

    made.session.call(spoil)
    made.run(0.1)
    assert made.pose == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def test_a_saved_state_has_command_and_odometry(base):
    made = base(TWO_WHEELS, TWO_SIDES, **NO_TIMEOUT)
    made.drive(1.0, 0.5, 0.0, 1.0)
    saved, pose = made.session.save(), made.pose
    made.run(1.0)
    later = made.pose
    made.session.restore(saved)
    assert made.pose == pose
    made.run(1.0)
    assert made.pose == later


def test_an_emergency_stop_holds_the_wheels_until_the_next_command(base):
    made = base(TWO_WHEELS, TWO_SIDES, **NO_TIMEOUT, linear={'x': {'max_acceleration': 0.5}})
    made.drive(2.0, 0.5)
    assert made.twist[0] == pytest.approx(0.5, abs=1e-3)
    environment = made.plugin.environment
    environment.emergency_stop(True).result()
    made.run(1.0)
    where = made.pose
    made.drive(1.0, 0.5)
    assert made.pose == pytest.approx(where, abs=1e-4), 'commands are dropped'
    environment.emergency_stop(False).result()
    made.run(1.0)
    assert made.pose == pytest.approx(where, abs=1e-4), 'old commands are forgotten'
    made.drive(0.5, 0.5)
    assert made.twist[0] == pytest.approx(0.25, abs=1e-2), 'from standstill'


def test_a_release_without_a_stop_changes_nothing(base):
    made = base(TWO_WHEELS, TWO_SIDES, **NO_TIMEOUT)
    made.drive(1.0, 0.5)
    made.plugin.environment.emergency_stop(False).result()
    made.run(1.0)
    assert made.twist[0] == pytest.approx(0.5, abs=1e-6)
