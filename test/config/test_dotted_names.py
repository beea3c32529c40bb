"""Dotted names in structs: as keys, and in the form that native ROS parameters give to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from mujoco_ros_py.config import nested_struct, ranged, read, with_value
from mujoco_ros_py.errors import ConfigError


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """A struct inside of another one."""

    cutoff: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Gains:
    """A struct for each joint."""

    p: float = ranged(0.0, minimum=0.0)
    d: float = 0.0
    filter: Filter = field(default_factory=Filter)


@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    """Settings by joint."""

    gains: Mapping[str, Gains] = field(default_factory=dict)
    constraints: Mapping[str, float | Gains] = field(default_factory=dict)
    kinds: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    anything: Mapping[str, Any] = field(default_factory=dict)


@pytest.mark.parametrize(
    ('field_name', 'entries'),
    [
        ('gains', {'arm.1': {'p': 1.0}, 'arm.2.b': {'d': 2.0}}),
        (
            'gains',
            {'arm': {'p': 1.0}, 'arm.d.x': {'d': 2.0}, 'arm.1': {'filter': {'cutoff': 3.0}}},
        ),
        ('gains', {'arm.filter': {'p': 1.0}, 'filter.filter': {'filter': {'cutoff': 3.0}}}),
        ('constraints', {'goal_time': 1.5, 'arm.1': {'p': 1.0}, 'arm': {'d': 2.0}}),
        ('kinds', {'arm.1': 'position', 'arm.2.b': ['velocity', 'effort'], 'leg': 'effort'}),
    ],
    ids=['words', 'beside the short name', 'words of the struct', 'union', 'no structs'],
)
def test_keys_with_dots_are_read_alike_as_they_are_split_and_with_a_value_each(
    field_name, entries
):
    whole = read(Config, {field_name: entries})
    assert set(getattr(whole, field_name)) == set(entries)
    assert read(Config, nested_struct(flat({field_name: entries}))) == whole
    assert read(Config, {field_name: flat(entries)}) == whole


def test_structs_of_any_form_stay_as_they_are():
    given = {'arm.1': {'x.y': 1, 'z': {'w': 2}}, 'leg': 3}
    assert read(Config, {'anything': given}).anything == given


def flat(struct: Mapping[str, object]) -> dict[str, object]:
    """Returns the values by dotted names, like ROS parameters."""
    made: dict[str, object] = {}
    for key, value in struct.items():
        inside = flat(value) if isinstance(value, Mapping) else {'': value}
        made |= {f'{key}.{name}'.rstrip('.'): each for name, each in inside.items()}
    return made


@pytest.mark.parametrize(
    ('gains', 'said'),
    [
        ({'arm': {'x': {'q': 1.0}}}, "gains.arm.x: unknown parameter 'q'; known: d, filter, p"),
        ({'arm': {'pp': 1.0}}, "gains.arm: unknown parameter 'pp'"),
        ({'arm': {'x': {'p': -1.0}}}, 'gains.arm.x.p must be at least 0, got -1'),
        ({'arm': {'x': {'p': 1.0}}, 'arm.x': {'p': 2.0}}, 'gains.arm.x.p is given twice'),
        ({'arm': 3.0}, 'gains.arm must be a struct, got 3.0'),
    ],
)
def test_what_is_wrong_with_such_an_entry_is_said_with_its_whole_name(gains, said):
    with pytest.raises(ConfigError) as caught:
        read(Config, {'gains': gains})
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ('struct', 'name', 'made'),
    [
        ({'gains': {'arm.1': {'p': 1.0}}}, 'gains.arm.1.p', {'gains': {'arm.1': {'p': 7.0}}}),
        ({'gains': {'arm': {'p': 1.0}}}, 'gains.arm.p', {'gains': {'arm': {'p': 7.0}}}),
        ({}, 'gains.arm.p', {'gains': {'arm': {'p': 7.0}}}),
        ({'gains': None}, 'gains.arm.p', {'gains': {'arm': {'p': 7.0}}}),
        ({'kinds': {'arm': 1.0}}, 'kinds.arm.1', {'kinds': {'arm': 1.0, 'arm.1': 7.0}}),
        (
            {'gains': {'arm': {'p': 1.0}, 'arm.1': {'p': 2.0}}},
            'gains.arm.1.p',
            {'gains': {'arm': {'p': 1.0}, 'arm.1': {'p': 7.0}}},
        ),
    ],
)
def test_a_value_is_set_by_its_dotted_name_where_it_belongs(struct, name, made):
    assert with_value(struct, name, 7.0) == made
