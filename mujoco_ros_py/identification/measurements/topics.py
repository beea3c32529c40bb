"""Reads the topics of a recording into signals, commands and goals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import mujoco
import numpy as np

from ...config.wording import listed
from ...errors import ConfigError, RecordingError
from ...recording import RecordedRun, RecordedTopic
from ...recording.files.cdr import read_cdr
from ...recording.files.message_times import times_of, topic_times
from ..sequences import Array
from . import goal_messages, sensor_signals
from .command_rows import ArrayCommands, JointCommands, actuators_of_model
from .goal_messages import Goals
from .joint_signals import JointSignals
from .measured import Measured, Topic
from .options import MeasurementOptions, TopicOptions
from .sensor_signals import SensorSignals

_ARRAY, _JOINTS = 'std_msgs/Float64MultiArray', 'sensor_msgs/JointState'
_S = 1e9
"""The ns in a second."""


class Reader(Protocol):
    """Reads the messages of a topic."""

    def add(self, fields: Mapping[str, Any]) -> None: ...  # noqa: D102

    def measured(self, times: Array) -> Measured: ...  # noqa: D102


@dataclass(kw_only=True, slots=True)
class Recording:
    """A recording, or a section of a recording of this package."""

    name: str
    kinds: set[str]
    """The topics with their types, for messages."""
    topics: set[str]
    joint_names: set[str]
    """The names in all joint states."""
    measured: Measured


@dataclass(kw_only=True, slots=True)
class _Read:
    """A topic while it is read."""

    topic: Topic
    reader: Reader
    rows: list[tuple[int, int, int]] = field(default_factory=list)
    count: int = 0
    damaged: list[str] = field(default_factory=list)


def recorded_parts(
    run: RecordedRun,
    model: mujoco.MjModel,
    options: MeasurementOptions,
    plugin_topics: Mapping[str, str],
) -> Iterator[Recording]:
    """Yields the content of a file; each section of a recording of this package by itself.

    Raises RecordingError if nothing can be read, and ConfigError for options that do not fit.
    """
    topics = [each for each in run.topics() if each.kind]
    if not topics:
        damage = f': {run.problems[0]}' if run.problems else ''
        raise RecordingError(f'{run.path} has no messages{damage}')
    sections: list[int | None] = [None]
    if 'mujoco_ros_py' in run.about.get('versions', {}):
        starts = [each['number'] for each in run.events() if each.get('event') == 'section']
        sections = starts if len(starts) > 1 else sections
    for section in sections:
        name = run.path.name if section is None else f'{run.path.name}, section {section}'
        reads: dict[str, _Read] = {}
        for each in topics:
            topic = _topic(run, each, model, options)
            reader = _reader(topic, plugin_topics)
            if reader is not None:
                reads[each.name] = _Read(topic=topic, reader=reader)
        begin = _read_messages(run, section, reads, options)
        used = [each for each in reads.values() if each.rows]
        yield Recording(
            name=name,
            kinds={f'{each.name} ({each.kind})' for each in topics},
            topics={each.name for each in topics},
            joint_names={
                name for each in used if isinstance(each.reader, JointSignals | JointCommands)
                for name in each.reader.names
            },
            measured=_measured(used, begin, options),
        )  # fmt: skip


def _topic(
    run: RecordedRun, found: RecordedTopic, model: mujoco.MjModel, options: MeasurementOptions
) -> Topic:
    return Topic(
        file=str(run.path), name=found.name, kind=found.kind.replace('/msg/', '/'),
        own=options.topics.get(found.name, TopicOptions()), common=options, model=model,
    )  # fmt: skip


def _reader(topic: Topic, plugin_topics: Mapping[str, str]) -> Reader | None:
    """Returns the reader of a topic; None if its messages are not used.

    Raises ConfigError if the use in the options does not fit the type.
    """
    use, kind = topic.own.use, topic.kind
    if use == 'nothing':
        return None
    if topic.name in plugin_topics:
        _check_kind(topic, goal_messages.KINDS, f'the plugin {plugin_topics[topic.name]}')
        return Goals(topic)
    if use == 'commands' or topic.own.actuators:
        _check_kind(topic, (_ARRAY, _JOINTS), 'commands')
        return ArrayCommands(topic) if kind == _ARRAY else JointCommands(topic)
    if use == 'signals':
        _check_kind(topic, (_JOINTS, *sensor_signals.KINDS), 'signals')
    if kind == _JOINTS:
        commands = use == 'auto' and 'command' in topic.name.rpartition('/')[2]
        return JointCommands(topic) if commands else JointSignals(topic)
    if kind in sensor_signals.KINDS:
        return SensorSignals(topic)
    return ArrayCommands(topic) if kind == _ARRAY and actuators_of_model(topic.model) else None


def _check_kind(topic: Topic, kinds: tuple[str, ...], what: str) -> None:
    if topic.kind not in kinds:
        raise ConfigError(
            f'{topic.where} has the type {topic.kind}, which is not for {what}; known:'
            f' {listed(kinds, len(kinds))}'
        )


def _read_messages(
    run: RecordedRun, section: int | None, reads: dict[str, _Read], options: MeasurementOptions
) -> int:
    """Reads the messages within the times of the options; returns the time of the first in ns."""
    first = None
    for message in run.messages(section):
        read = reads.get(message.topic.name)
        if read is None:
            continue
        read.count += 1
        try:
            fields = read_cdr(read.topic.kind, message.data)
        except RecordingError as error:
            read.damaged.append(f'message {read.count}: {error}')
            continue
        times = times_of(run, message, fields)
        first = times[0] if first is None else first
        time = (times[0] - first) / _S
        if time >= options.start and (options.end < 0.0 or time <= options.end):
            read.rows.append(times)
            read.reader.add(fields)
    for read in reads.values():
        if read.damaged and len(read.damaged) == read.count:
            raise RecordingError(f'{read.topic.where}: {read.damaged[0]}')
    if first is not None and not any(read.rows for read in reads.values()):
        raise RecordingError(
            f'{run.path} has no messages from {options.start:g} s on; they end at {time:.6g} s'
        )
    return first or 0


def _measured(reads: list[_Read], first: int, options: MeasurementOptions) -> Measured:
    """Returns the measurements of all topics; `first` is the first receive time in ns."""
    found = Measured()
    times = [topic_times(each.topic.where, each.rows, options.time) for each in reads]
    ages = [each.ages for each in times if each.stamped]
    begin = first - (int(np.median(np.concatenate(ages))) if ages else 0)
    for read, each in zip(reads, times, strict=True):
        seconds = np.where(each.used, (each.times - begin) / _S, np.nan)
        own = read.reader.measured(seconds)
        for name in ('signals', 'commands', 'goals', 'notes'):
            getattr(found, name).extend(getattr(own, name))
        if read.damaged:
            found.notes.append(
                f'{read.topic.where}: {len(read.damaged)} of {read.count} messages are skipped:'
                f' {read.damaged[0]}'
            )
    return found
