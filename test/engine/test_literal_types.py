"""Functions called by compiled code are compiled once per type, whatever their constants."""

from __future__ import annotations

import numba
import pytest

from mujoco_ros_py.engine.compiled.literal_types import without_literals


@without_literals
@numba.njit
def scaled(value, factor):
    return value * factor


@without_literals
@numba.njit
def part_of(values, place):
    return values[place]  # works for a tuple of different types only with a literal


@numba.njit
def call(value):
    return scaled(value, 2) + scaled(value, 3) + scaled(value, factor=4)


@numba.njit
def call_with_tuple(value):
    pair = (value, 1)
    return part_of(pair, 0) + part_of(pair, 1)


def test_constants_of_one_type_share_the_code():
    assert call(1.5) == 13.5
    assert len(scaled.signatures) == 1


def test_what_needs_the_constant_gets_it():
    assert call_with_tuple(0.5) == 1.5
    assert len(part_of.signatures) == 2


def test_an_error_is_told_as_before():
    @numba.njit
    def wrong(value):
        return scaled(value, 'two')

    with pytest.raises(numba.TypingError, match='mul'):
        wrong(0.5)
