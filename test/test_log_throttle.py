"""Refusals of requests from outside: each reason is logged once a second, and shortened."""

from __future__ import annotations

import pytest

from mujoco_ros_py.config.wording import listed
from mujoco_ros_py.log_throttle import LONGEST, PERIOD_S, SUBJECTS, Throttle, subject_of


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def caught(text: str, refuse) -> Exception:
    try:
        refuse(text)
    except ValueError as error:
        return error
    raise AssertionError('nothing was raised')


def one(text: str) -> None:
    raise ValueError(text)


def other(text: str) -> None:
    raise ValueError(text)


def test_a_reason_is_told_once_a_second_with_how_many_were_left_out():
    clock = Clock()
    throttle = Throttle(clock)
    lines = []
    for number in range(2000):
        clock.now = number * 5e-4 * PERIOD_S
        lines.append(throttle.line(f'number {number}', caught(f'number {number}', one)))
    assert [line for line in lines if line] == ['number 0']
    clock.now = PERIOD_S
    told = throttle.line('the last', caught('the last', one))
    assert told == 'the last (1,999 more since it was last logged)'
    clock.now = 2 * PERIOD_S
    assert throttle.line('one more', caught('', one)) == 'one more'


def test_a_flood_of_one_reason_does_not_hide_another():
    throttle = Throttle(Clock())
    assert throttle.line('a', caught('a', one)) == 'a'
    assert throttle.line('b', caught('b', other)) == 'b'
    assert throttle.line('c', 'reset') == 'c'
    assert throttle.line('d', 'reset') is None


def test_a_reason_is_told_for_each_subject_and_a_flood_of_subjects_is_not():
    clock = Clock()
    throttle = Throttle(clock)
    joints = [f'joint{number}' for number in range(SUBJECTS)]
    for joint in joints:
        assert throttle.line(joint, 'clamped', joint) == joint
        assert throttle.line(joint, 'clamped', joint) is None
    assert throttle.line('another', 'clamped', 'another') is None
    clock.now = PERIOD_S
    assert throttle.line('last', 'clamped', joints[-1]) == 'last (2 more since it was last logged)'
    for number in range(10 * SUBJECTS):
        throttle.line('flood', 'clamped', f'sent {number}')
    (subjects,) = throttle._told.values()
    assert len(subjects) == SUBJECTS


@pytest.mark.parametrize(
    ('one', 'other', 'same'),
    [
        ('joint j1 to -0.5', 'joint j1 to 1.25e-3', True),
        ('got nan at 3', 'got inf at 12,000', True),
        ('unknown joint j1', 'unknown joint j2', False),
        ("unknown frame 'a'", "unknown frame 'b'", False),
        ('unknown joint arm.1', 'unknown joint arm.2', False),
    ],
)
def test_messages_are_about_the_same_if_only_numbers_differ(one, other, same):
    assert (subject_of(one) == subject_of(other)) is same


def test_what_senders_write_makes_no_reasons():
    throttle = Throttle(Clock())
    for number in range(100):
        throttle.line('text', caught(str(number), one))
    assert len(throttle._told) == 1


def test_a_line_is_cut_short():
    line = Throttle(Clock()).line('x' * 10 * LONGEST, 'reason')
    assert line == 'x' * LONGEST + ' ...'


def test_of_many_names_the_first_are_told_and_the_others_counted():
    assert listed(['elbow', 'wrist']) == 'elbow, wrist'
    many = [f'joint{number}' for number in range(10_000)]
    assert listed(many, 2) == 'joint0, joint1 and 9,998 more'
    assert len(listed(['x' * 1_000_000])) < 100
    assert listed(['two\nlines']) == r'two\nlines'
