from __future__ import annotations

import re

import pytest

from mujoco_ros_py.engine.engine_plugins import Attribute


@pytest.mark.parametrize(
    ('attribute', 'text', 'value'),
    [
        (Attribute(1.0), '2.5', 2.5),
        (Attribute(1.0), ' 3 ', 3.0),
        (Attribute(1.0), None, 1.0),
        (Attribute(1.0), '', 1.0),
        (Attribute(4), '-7', -7),
        (Attribute(False), 'true', True),
        (Attribute(True), 'false', False),
        (Attribute('linear', choices=('linear', 'cubic')), 'cubic', 'cubic'),
        (Attribute('here'), 'any where', 'any where'),
        (Attribute((0.0, 1.0)), '1 2.5  3', (1.0, 2.5, 3.0)),
        (Attribute((0.0, 1.0), length=2), '4 5', (4.0, 5.0)),
    ],
)
def test_a_text_becomes_a_value_of_the_defaults_type(attribute, text, value):
    read = attribute.read(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ('attribute', 'text', 'rule'),
    [
        (Attribute(1.0), 'fast', "must be a number, got 'fast'"),
        (Attribute(1.0), 'nan', "must be a number, got 'nan'"),
        (Attribute(1.0), '1 2', "must be a number, got '1 2'"),
        (Attribute(1.0, minimum=0.0), '-1', "must be a number at least 0, got '-1'"),
        (Attribute(1.0, minimum=0, maximum=2), '3', 'must be a number at least 0 and at most 2'),
        (Attribute(4), '4.5', "must be a whole number, got '4.5'"),
        (Attribute(True), '1', "must be true or false, got '1'"),
        (Attribute('a', choices=('a', 'b')), 'c', "must be one of a, b, got 'c'"),
        (
            Attribute((0.0,), length=2),
            '1 2 3',
            "must be 2 numbers separated by spaces, got '1 2 3'",
        ),
        (Attribute((0.0,)), '1 x', "must be numbers separated by spaces, got '1 x'"),
    ],
)
def test_what_is_not_allowed_is_told_with_the_rule(attribute, text, rule):
    with pytest.raises(ValueError, match=f'^{re.escape(rule)}'):
        attribute.read(text)
