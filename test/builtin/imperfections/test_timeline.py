"""Timelines that are read, and the errors of wrong ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import yaml
from builtin.imperfections.timelines import by_name

from mujoco_ros_py.builtin.imperfections.distributions import Burst, Distribution, Drop, Normal
from mujoco_ros_py.builtin.imperfections.timeline import (
    Entry,
    NamedEntry,
    check_change,
    check_overlaps,
    named,
)
from mujoco_ros_py.config import read
from mujoco_ros_py.errors import ConfigError

EXAMPLE = """
- {of: arm_controller, latency: {normal: {mean: 0.006, stddev: 0.001}}}
- {of: /joint_states, latency: 0.004, drop: {burst: {enter: 0.001, leave: 0.2}}}
- {of: {topic: /imu, field: linear_acceleration.z}, offset: 0.1, quantise: 0.01}
- {of: {joint: joint3}, at: 4.0, offset: 0.02, quantise: 0.0005}
- {of: {sensor: wrist_force}, drift: 0.01}
- {of: {actuator: motor2}, at: 6.0, until: 8.0, scale: 0.5}
- {name: brownout, of: {actuators: [motor1, motor2]}, at: 9.0, scale: 0.3}
- {of: {actuator_group: 2}, stop: true, active: false}
- {of: {plugin: /odd}, at: 3.0, until: 3.5, disconnect: true}
- {of: {observations: [qpos, qvel], rate: 100}, latency: 0.02}
"""
"""An entry for each kind of target."""

WRONG = [
    ('3', 'timeline.e0 must be a struct, got 3'),
    ('{latency: 1}', 'timeline.e0.of must be given'),
    ('{of: 3, latency: 1}', 'timeline.e0.of must be a string or a struct, got 3'),
    ("{of: '', latency: 1}", "timeline.e0.of must name a target, got ''"),
    (
        '{of: {}, latency: 1}',
        'timeline.e0.of.plugin or topic or joint or sensor or actuator or actuators or'
        ' actuator_group or observation or observations must be given, got nothing',
    ),
    (
        '{of: {joint: a, sensor: b}, offset: 1}',
        'timeline.e0.of.sensor must not be given with joint: an entry has one target',
    ),
    (
        '{of: {joint: a, field: b}, offset: 1}',
        "timeline.e0.of.field needs a topic, got joint and field 'b'",
    ),
    (
        '{of: {joints: a}, offset: 1}',
        "timeline.e0.of: unknown parameter 'joints' (did you mean",
    ),
    (
        '{of: {actuators: [a, a]}, stop: true}',
        "timeline.e0.of.actuators must be different, got ['a', 'a']",
    ),
    (
        "{of: {actuators: [a, '']}, stop: true}",
        "timeline.e0.of.actuators[1] must not be empty, got ''",
    ),
    ('{of: {actuator_group: -1}, stop: true}', 'of.actuator_group must be at least 0, got -1'),
    (
        '{of: a}',
        "timeline.e0.of: plugin 'a' needs at least one effect; known: latency, jitter, drop,"
        ' duplicate, stale, disconnect',
    ),
    (
        '{of: a, lag: 1}',
        "timeline.e0: unknown parameter 'lag'; known: active, at, backlash,",
    ),
    (
        '{of: {joint: a}, latency: 1}',
        "timeline.e0.latency is not an effect on joint 'a'; known: scale, offset, drift, stick,"
        ' dead_zone, quantise',
    ),
    (
        '{of: /imu, offset: 1}',
        "timeline.e0.offset is not an effect on topic '/imu'; known: latency, jitter, drop,",
    ),
    (
        '{of: {actuator: a}, drift: 1}',
        "timeline.e0.drift is not an effect on actuator 'a'; known: scale, stop, delay, saturate,"
        ' backlash, dead_zone, offset',
    ),
    (
        '{of: {actuator: a}, stop: true, scale: 1}',
        'timeline.e0.scale must not be given with stop',
    ),
    (
        '{name: a.b, of: a, latency: 1}',
        'timeline: a name must consist of letters, digits and underscores, and begin',
    ),
    ('{of: a, at: -1, latency: 1}', 'timeline.e0.at must be at least 0, got -1'),
    (
        '{of: a, at: 2, until: 1, latency: 1}',
        'timeline.e0.until must be greater than at (2), got 1',
    ),
    ('{of: a, latency: -1}', 'timeline.e0.latency must be at least 0, got -1'),
    ('{of: a, latency: .nan}', 'timeline.e0.latency must be finite (at least 0), got nan'),
    (
        '{of: a, latency: soon}',
        'timeline.e0.latency must be a number or a struct or nothing, got',
    ),
    (
        '{of: a, latency: {}}',
        'timeline.e0.latency.normal, uniform, gamma or empirical must be given, got nothing',
    ),
    (
        '{of: a, latency: {gama: 1}}',
        "timeline.e0.latency: unknown parameter 'gama' (did you mean",
    ),
    (
        '{of: a, latency: {normal: {mean: 1, stddev: 1}, uniform: [0, 1]}}',
        'timeline.e0.latency.uniform must not be given with normal: give one of them',
    ),
    (
        '{of: a, latency: {normal: {mean: 1}}}',
        'timeline.e0.latency.normal.stddev must be given',
    ),
    (
        '{of: a, latency: {normal: {mean: 1, stddev: -1}}}',
        'timeline.e0.latency.normal.stddev must be at least 0, got -1',
    ),
    (
        '{of: a, latency: {uniform: [2, 1]}}',
        'timeline.e0.latency.uniform must be [low, high] with low <= high, got [2.0, 1.0]',
    ),
    (
        '{of: a, latency: {gamma: {shape: 0, scale: 1}}}',
        'timeline.e0.latency.gamma.shape must be greater than 0, got 0',
    ),
    (
        '{of: a, latency: {empirical: []}}',
        'timeline.e0.latency.empirical must have 1 to 10000 delays, got 0',
    ),
    (
        '{of: a, latency: {empirical: [0.1, -1]}}',
        'timeline.e0.latency.empirical[1] must be at least 0, got -1',
    ),
    ('{of: a, jitter: -1}', 'timeline.e0.jitter must be at least 0, got -1'),
    ('{of: a, drop: 2}', 'timeline.e0.drop must be at least 0 and at most 1, got 2'),
    (
        '{of: a, drop: {burst: {enter: 0, leave: 1}}}',
        'timeline.e0.drop.burst.enter must be greater than 0 and at most 1, got 0',
    ),
    (
        '{of: a, duplicate: 1.5}',
        'timeline.e0.duplicate must be at least 0 and at most 1, got 1.5',
    ),
    (
        '{of: a, stale: {probability: 0.5, stamp: now}}',
        "timeline.e0.stale.stamp must be one of new, old, got 'now'",
    ),
    (
        '{of: a, drop: 0.1, keep_order: false}',
        'timeline.e0.keep_order: false needs latency or jitter, got neither',
    ),
    ('{of: {joint: a}, quantise: 0}', 'timeline.e0.quantise must be greater than 0, got 0'),
    ('{of: {joint: a}, dead_zone: -1}', 'timeline.e0.dead_zone must be at least 0, got -1'),
    ('{of: {joint: a}, stick: 1}', 'timeline.e0.stick must be true or false, got 1'),
    ('{of: {actuator: a}, delay: -1}', 'timeline.e0.delay must be at least 0, got -1'),
    ('{of: {actuator: a}, backlash: -1}', 'timeline.e0.backlash must be at least 0, got -1'),
    (
        '{of: {actuator: a}, saturate: {}}',
        'timeline.e0.saturate.force or velocity must be given, got neither',
    ),
]

TOGETHER = [
    ('{of: {joint: a}, at: 1, until: 3, offset: 1}', '{of: {joint: a}, at: 3, offset: 2}'),
    ('{of: {joint: a}, offset: 1}', '{of: {joint: a}, scale: 1}'),
    ('{of: {joint: a}, offset: 1}', '{of: {joint: b}, offset: 1}'),
    ('{of: {joint: a}, offset: 1}', '{of: {sensor: a}, offset: 1}'),
    ('{of: a, latency: 1}', '{of: a, latency: {uniform: [0, 1]}}'),
    ('{of: a, drop: 0.1}', '{of: a, drop: {burst: {enter: 0.1, leave: 0.1}}}'),
]

OVERLAPPING = [
    (
        '{of: {joint: a}, until: 2, offset: 1}', '{name: b, of: {joint: a}, at: 1, offset: 2}',
        "timeline: 'e0' (from 0 s to 2 s) and 'b' (from 1 s) both have offset on joint 'a';"
        ' their times must not overlap',
    ),
    (
        '{of: {actuators: [a, b]}, scale: 2}', '{of: {actuator: b}, stop: true}',
        "both have scale or stop on actuator 'b'",
    ),
    (
        '{of: {topic: /a, field: b}, drift: 1}', '{of: {topic: /a, field: b}, drift: 1}',
        "both have drift on field '/a.b'",
    ),
    (
        '{of: {joint: a}, stick: true, active: false}', '{of: {joint: a}, stick: true}',
        "both have stick on joint 'a'",
    ),
]  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    """A configuration with a timeline."""

    timeline: Mapping[str, Entry]

    def __post_init__(self) -> None:
        named(self.timeline)


def timeline(*entries: str) -> tuple[NamedEntry, ...]:
    """Returns the entries of a configuration."""
    given = by_name([yaml.safe_load(each) for each in entries])
    return named(read(Config, {'timeline': given}).timeline)


def entries_of(text: str) -> tuple[NamedEntry, ...]:
    """Returns the entries of a list in YAML."""
    values: Any = yaml.safe_load(text)
    return named(read(Config, {'timeline': by_name(values)}).timeline)


def test_each_kind_of_target_is_read():
    entries = entries_of(EXAMPLE)
    assert [each.target.kind for each in entries] == [
        'plugin', 'topic', 'field', 'joint', 'sensor', 'actuators', 'actuators', 'actuator_group',
        'plugin', 'observations',
    ]  # fmt: skip
    assert [str(each.target) for each in entries] == [
        "plugin 'arm_controller'",
        "topic '/joint_states'",
        "field 'linear_acceleration.z' of topic '/imu'",
        "joint 'joint3'",
        "sensor 'wrist_force'",
        "actuator 'motor2'",
        "actuators 'motor1', 'motor2'",
        'actuator_group 2',
        "plugin '/odd'",
        "observations 'qpos', 'qvel'",
    ]
    assert [each.name for each in entries[5:8]] == ['e5', 'brownout', 'e7']


def test_effects_and_times_are_read():
    entries = entries_of(EXAMPLE)
    assert entries[0].latency == Distribution(normal=Normal(mean=0.006, stddev=0.001))
    assert entries[1].drop == Drop(burst=Burst(enter=0.001, leave=0.2))
    assert entries[1].effects == ('latency', 'drop')
    assert entries[3].effects == ('offset', 'quantise')
    assert (entries[4].at, entries[4].end) == (0.0, math.inf)
    assert (entries[5].at, entries[5].end) == (6.0, 8.0)


def test_an_effect_of_0_is_an_effect():
    assert timeline('{of: a, latency: 0, drop: 0}')[0].effects == ('latency', 'drop')


@pytest.mark.parametrize(('entry', 'words'), WRONG)
def test_a_wrong_entry_is_refused_with_its_place(entry, words):
    with pytest.raises(ConfigError) as refused:
        timeline(entry)
    assert words in str(refused.value)


@pytest.mark.parametrize(('one', 'other'), TOGETHER)
def test_entries_that_do_not_exclude_each_other_are_read(one, other):
    assert len(timeline(one, other)) == 2


@pytest.mark.parametrize(('one', 'other', 'words'), OVERLAPPING)
def test_one_effect_twice_at_a_time_is_refused(one, other, words):
    with pytest.raises(ConfigError) as refused:
        timeline(one, other)
    assert words in str(refused.value)


def test_an_actuator_of_a_group_is_refused_once_the_members_are_known():
    entries = timeline('{of: {actuator_group: 2}, delay: 1}', '{of: {actuator: a}, delay: 1}')
    members = {'2': ('b', 'a')}
    with pytest.raises(ConfigError, match="both have delay on actuator 'a'"):
        check_overlaps(entries, lambda entry: members.get(entry.target.names[0], ('a',)))
    check_overlaps(entries, lambda entry: entry.target.names)


def test_values_and_entries_on_messages_can_change_at_run_time():
    joint = '{name: b, of: {joint: j}, offset: 1, until: 3}'
    before = timeline('{of: a, latency: 1}', joint)
    after = timeline(
        '{of: /c, drop: 0.1, at: 2}', '{name: b, of: {joint: j}, offset: 2, active: false}',
        '{of: a, latency: {uniform: [0, 1]}}',
    )  # fmt: skip
    check_change(before, after)
    check_change(after, before)


@pytest.mark.parametrize(
    ('entry', 'words'),
    [
        ('{name: c, of: {joint: j}, offset: 1}', 'new entries must come last'),
        ('{of: a, latency: 1}', 'keep their places'),
        (
            '{of: {joint: k}, offset: 1}',
            "timeline.e0.of must be joint 'j' until a reload, got joint 'k'",
        ),
        (
            '{of: {joint: j}, offset: 1, drift: 0}',
            'timeline.e0 must have offset until a reload, got offset, drift',
        ),
    ],
)
def test_what_needs_a_reload_is_refused_at_run_time(entry, words):
    with pytest.raises(ConfigError) as refused:
        check_change(timeline('{of: {joint: j}, offset: 1}'), timeline(entry))
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ('entry', 'expected'),
    [
        ('{of: a, drop: 1}', [True, True, True]),
        ('{of: a, drop: 1, at: 1, until: 2}', [False, True, False]),
        ('{of: a, drop: 1, active: false}', [False, False, False]),
    ],
)
def test_an_entry_acts_in_its_time_while_it_is_active(entry, expected):
    assert [timeline(entry)[0].acts_at(time) for time in (0.0, 1.0 - 1e-9, 2.0 - 1e-9)] == expected
