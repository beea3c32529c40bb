"""Reads one number from each message of a topic, as a series over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...config.wording import listed, unknown
from ...errors import RecordingError
from ..files.cdr import read_cdr
from ..files.message_times import Clock, Times, times_of, topic_times
from ..files.recorded_run import RecordedRun
from .fields import FieldReader

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Response:
    """The states around a change of the command; times are in s since the change."""

    times: Array
    values: Array


@dataclass(frozen=True, kw_only=True, slots=True)
class Series:
    """One number from each message of a topic, in the order of time."""

    topic: str
    what: str
    """The number, for example `position of elbow`."""
    times: Times
    """Times in ns, each greater than the one before."""
    values: Array
    age: float | None
    """The median of receive time minus stamp in s; None without stamps."""
    stamped: bool
    """Whether the times are stamps of headers."""


def read_series(
    run: RecordedRun, topics: dict[str, FieldReader], clock: Clock
) -> dict[str, Series]:
    """Reads a number of each topic, in one pass through the file.

    Raises RecordingError if a message or a field is missing, or if the clock jumps.
    """
    rows: dict[str, list[tuple[int, int, int, float]]] = {name: [] for name in topics}
    for message in run.messages():
        reader = topics.get(message.topic.name)
        if reader is None:
            continue
        try:
            fields = read_cdr(reader.kind, message.data)
        except RecordingError as error:
            number = len(rows[message.topic.name]) + 1
            raise RecordingError(
                f'{run.path}: {message.topic.name}: message {number}: {error}'
            ) from None
        value = reader.value(fields)
        if value is not None and np.isfinite(value):
            rows[message.topic.name].append((*times_of(run, message, fields), value))
    return {name: _series(run, name, reader, rows[name], clock) for name, reader in topics.items()}


def check_topic(run: RecordedRun, name: str, kinds: tuple[str, ...], option: str) -> str:
    """Returns the message type of a topic, such as `sensor_msgs/JointState`.

    Raises RecordingError if the recording lacks the topic, or its type is not one of `kinds`.
    """
    topics = {topic.name: topic.kind for topic in run.topics()}
    if not topics:
        damage = f': {run.problems[0]}' if run.problems else ''
        raise RecordingError(f'{run.path} has no messages{damage}')
    if name not in topics:
        raise RecordingError(f'{run.path}: {option}: {unknown("topic", name, topics)}')
    kind = topics[name].replace('/msg/', '/')
    if kind not in kinds:
        raise RecordingError(
            f'{run.path}: {option} {name} has the type {topics[name] or "unknown"}; known:'
            f' {listed(kinds, len(kinds))}'
        )
    return kind


def _series(
    run: RecordedRun,
    name: str,
    reader: FieldReader,
    rows: list[tuple[int, int, int, float]],
    clock: Clock,
) -> Series:
    """Returns the series of a topic."""
    where = f'{run.path}: {name}'
    if not rows:
        raise RecordingError(f'{where}: {reader.missing()}')
    found = topic_times(where, [row[:3] for row in rows], clock)
    values = np.array([row[3] for row in rows])[found.used]
    times, first = np.unique(found.times[found.used], return_index=True)
    return Series(
        topic=name,
        what=reader.what,
        times=times,
        values=values[first],
        age=float(np.median(found.ages)) / 1e9 if found.aged else None,
        stamped=found.stamped,
    )
