"""The schedule of a view, without a thread."""

from __future__ import annotations

from mujoco_ros_py.simulation import Owner
from mujoco_ros_py.simulation.rendering import Stream
from mujoco_ros_py.simulation.rendering.open_views import OpenView, ViewSchedule

from .screens import Screen, ball

NONE, TIMESTEP = Stream(0), 0.002
RGB, DEPTH = Stream.RGB, Stream.DEPTH
BOTH = RGB | DEPTH


def test_what_is_newly_wanted_waits_until_it_is_due_while_time_goes_on():
    schedule = ViewSchedule(10.0)
    schedule.note(0.0, TIMESTEP, RGB, 0.0)
    assert schedule.streams_at(0.05, TIMESTEP, BOTH, paused=False) == NONE
    assert schedule.streams_at(0.1, TIMESTEP, BOTH, paused=False) == BOTH


def test_what_is_newly_wanted_is_drawn_at_once_while_time_stands():
    schedule = ViewSchedule(10.0)
    schedule.note(0.0, TIMESTEP, RGB, 0.0)
    assert schedule.streams_at(0.0, TIMESTEP, RGB, paused=True) == NONE
    assert schedule.streams_at(0.0, TIMESTEP, BOTH, paused=True) == DEPTH
    schedule.note(0.0, TIMESTEP, BOTH, 0.0)
    assert schedule.streams_at(0.0, TIMESTEP, BOTH, paused=True) == NONE


def test_an_image_for_a_newcomer_in_a_pause_does_not_put_off_the_next():
    schedule = ViewSchedule(10.0)
    schedule.note(0.0, TIMESTEP, RGB, 0.0)
    schedule.note(0.06, TIMESTEP, BOTH, 0.0)
    assert schedule.streams_at(0.1, TIMESTEP, BOTH, paused=False) == BOTH


def test_after_starting_over_the_first_moment_of_the_epoch_is_due():
    schedule = ViewSchedule(10.0)
    schedule.note(5.0, TIMESTEP, RGB, 0.0)
    schedule.start_over()
    assert schedule.streams_at(0.0, TIMESTEP, RGB, paused=False) == RGB


def test_a_stream_that_somebody_new_looks_at_is_drawn_once_more_while_time_stands():
    screen = Screen()
    opened = OpenView(ball(), screen.view, Owner.of_no_plugin('the test'))

    def due() -> Stream:
        return opened.schedule.streams_at(0.0, TIMESTEP, opened.streams(), paused=True)

    def draw() -> None:
        for _ in range(2):  # the second image is for subscribers that missed the first
            opened.schedule.note(0.0, TIMESTEP, opened.streams(), 0.0)

    draw()
    assert due() == NONE
    screen.view.draw_again(RGB)
    assert due() == RGB
    draw()
    screen.view.draw_again(DEPTH)
    assert due() == NONE, 'nobody wants it'
