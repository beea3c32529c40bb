"""When a view is drawn: rules without a thread."""

from __future__ import annotations

from itertools import pairwise

import pytest

from mujoco_ros_py.rendering import Stream
from mujoco_ros_py.rendering.view_schedule import ViewSchedule

NONE = Stream(0)
RGB, DEPTH = Stream.RGB, Stream.DEPTH
BOTH = RGB | DEPTH


def times_of_images(rate_hz: float, timestep: float, end: float) -> list[float]:
    """Of a view that sees each step and always has somebody who wants it."""
    schedule, times = ViewSchedule(), []
    time = 0.0
    while time < end:
        if schedule.streams_at(time, RGB, paused=False):
            schedule.note(time, RGB, rate_hz)
            times.append(time)
        time += timestep
    return times


@pytest.mark.parametrize('rate_hz', [10.0, 30.0, 33.0, 60.0, 100.0, 500.0])
def test_the_first_is_at_zero_and_the_next_a_period_later_never_before(rate_hz):
    times = times_of_images(rate_hz, 0.002, 2.0)
    differences = [b - a for a, b in pairwise(times)]
    assert times[0] == 0
    assert min(differences) >= 1 / rate_hz - 1e-6
    assert max(differences) < 1 / rate_hz + 0.002 + 1e-6


def test_a_rate_that_is_a_multiple_of_the_step_loses_nothing_to_rounding():
    assert len(times_of_images(100.0, 0.002, 19.999)) == 2000


def test_a_rate_above_that_of_the_steps_is_an_image_a_step():
    assert len(times_of_images(5000.0, 0.002, 1.0)) == 500


def test_what_is_newly_wanted_waits_until_it_is_due_while_time_goes_on():
    schedule = ViewSchedule()
    schedule.note(0.0, RGB, 10.0)
    assert schedule.streams_at(0.05, BOTH, paused=False) == NONE
    assert schedule.streams_at(0.1, BOTH, paused=False) == BOTH


def test_what_is_newly_wanted_is_drawn_at_once_while_time_stands():
    schedule = ViewSchedule()
    schedule.note(0.0, RGB, 10.0)
    assert schedule.streams_at(0.0, RGB, paused=True) == NONE
    assert schedule.streams_at(0.0, BOTH, paused=True) == DEPTH
    schedule.note(0.0, BOTH, 10.0)
    assert schedule.streams_at(0.0, BOTH, paused=True) == NONE


def test_an_image_for_a_newcomer_in_a_pause_does_not_put_off_the_next():
    schedule = ViewSchedule()
    schedule.note(0.0, RGB, 10.0)
    schedule.note(0.06, BOTH, 10.0)
    assert schedule.streams_at(0.1, BOTH, paused=False) == BOTH


def test_starting_over_makes_the_next_come_at_once():
    schedule = ViewSchedule()
    schedule.note(5.0, RGB, 10.0)
    schedule.start_over()
    assert schedule.streams_at(0.0, RGB, paused=False) == RGB
