"""Beats: everything with the same rate is due at the same steps, no matter when it started."""

from __future__ import annotations

import pytest

from mujoco_ros_py.simulation import Beat

TIMESTEP = 0.002


def moments(rate_hz: float, begin: float, end: float, timestep: float = TIMESTEP) -> list[float]:
    """Returns the moments in which something is due that sees each step from `begin` on."""
    beat, times, since = Beat(rate_hz), [], 0.0
    while since < end:
        if since >= begin and beat.is_due(since, timestep):
            beat.note(since, timestep, 0.0)
            times.append(since)
        since += timestep
    return times


@pytest.mark.parametrize('rate_hz', [10.0, 30.0, 33.0, 60.0, 100.0, 500.0])
def test_moments_are_the_first_steps_at_or_after_the_multiples_of_the_period(rate_hz):
    times = moments(rate_hz, 0.0, 2.0)
    assert len(times) == round(2.0 * rate_hz)
    for number, time in enumerate(times):
        assert -1e-9 <= time - number / rate_hz < TIMESTEP


@pytest.mark.parametrize('begin', [0.0311, 0.0999, 0.1, 0.7])
def test_a_beat_that_starts_later_has_the_moments_of_one_that_started_before(begin):
    assert moments(30.0, begin, 2.0) == [time for time in moments(30.0, 0.0, 2.0) if time >= begin]


def test_a_rate_above_that_of_the_steps_is_a_moment_in_each_step():
    assert len(moments(5000.0, 0.0, 1.0)) == 500


def test_times_that_are_rounded_lose_no_moment_and_add_none():
    assert len(moments(100.0, 0.0, 399.999)) == 40_000


def test_a_moment_that_was_missed_is_followed_by_the_next_one():
    beat = Beat(10.0)
    beat.note(0.0, TIMESTEP, 0.0)
    assert beat.next_due(0.05, TIMESTEP) == pytest.approx(0.1, abs=1e-4)
    assert beat.next_due(0.1, TIMESTEP) == pytest.approx(0.1, abs=1e-4)
    assert not beat.is_due(0.102, TIMESTEP)
    assert beat.next_due(0.102, TIMESTEP) == pytest.approx(0.2, abs=1e-4)


def test_a_moment_is_due_once_although_time_stands_in_it():
    beat = Beat(10.0)
    assert beat.is_due(0.1, TIMESTEP)
    beat.note(0.1, TIMESTEP, 0.0)
    assert not beat.is_due(0.1, TIMESTEP)
    assert beat.next_due(0.1, TIMESTEP) == pytest.approx(0.2, abs=1e-4)


def test_in_another_epoch_the_moments_of_the_last_one_do_not_count():
    beat = Beat(10.0)
    beat.note(7.3, TIMESTEP, 0.0)
    beat.start_over()
    assert beat.is_due(0.0, TIMESTEP)
