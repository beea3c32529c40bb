"""Reads one number from each message of a topic, as a series over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ...config.wording import listed, unknown
from ...errors import RecordingError
from ..files.recorded_run import RecordedRun
from .cdr import read_cdr
from .fields import FieldReader

Array = np.ndarray[Any, np.dtype[np.float64]]
Times = np.ndarray[Any, np.dtype[np.int64]]
Clock = Literal['received', 'stamp']
TIMES = 'received', 'stamp'
"""The times at which a message can be placed: its receive time, or the stamp of its header."""
_MOST_BACK_NS = 100_000_000
"""Receivers with several threads can swap messages; a step back beyond this is a clock jump."""
_MOST_DRIFT_NS = 500_000_000
"""The maximum change of (receive time - stamp) between two messages; a larger change is a clock
jump."""


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
    own = 'mujoco_ros_py' in run.about.get('versions', {})
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
            received = message.time_ns if own else message.wall_time_ns
            row = received, message.time_ns or received, _stamp(fields), value
            rows[message.topic.name].append(row)
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


def _stamp(fields: dict[str, Any]) -> int:
    """Returns the stamp of a message in ns; 0 if the message has no header or stamp."""
    stamp = fields.get('header', {}).get('stamp', {'sec': 0, 'nanosec': 0})
    return int(stamp['sec']) * 1_000_000_000 + int(stamp['nanosec'])


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
    received, sent, stamps = np.array([row[:3] for row in rows], np.int64).T
    values = np.array([row[3] for row in rows])
    known = stamps > 0  # a message of the simulated time 0 looks as if it had no stamp
    stamped = bool(np.mean(known) > 0.5)
    if stamped:
        drift = np.abs(np.diff((received - stamps)[known]))
        what = 'of the receive times or the stamps'
        _check_jump(where, received[known], drift, _MOST_DRIFT_NS, what)
    times = received if clock == 'received' else sent
    if stamped and clock == 'stamp':
        times, values = stamps[known], values[known]
    _check_jump(where, times, -np.diff(times), _MOST_BACK_NS, 'back')
    times, first = np.unique(times, return_index=True)
    return Series(
        topic=name,
        what=reader.what,
        times=times,
        values=values[first],
        age=float(np.median((received - stamps)[known])) / 1e9 if stamped else None,
        stamped=stamped and clock == 'stamp',
    )


def _check_jump(where: str, times: Times, jumps: Times, most: int, what: str) -> None:
    """Raises RecordingError if a jump is larger than `most`."""
    if len(jumps) and (place := int(np.argmax(jumps))) >= 0 and jumps[place] > most:
        raise RecordingError(
            f'{where}: the clock jumps {what} by {jumps[place] / 1e9:.3g} s after message'
            f' {place + 1}, {(times[place] - times[0]) / 1e9:.6g} s after the first; record again,'
            ' or cut the recording there'
        )
