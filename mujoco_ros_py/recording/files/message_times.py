"""The times of the messages of a topic, with checks for jumps of the clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ...errors import RecordingError
from .recorded_parts import RecordedMessage
from .recorded_run import RecordedRun

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
class TopicTimes:
    """The times of messages in ns, in the order of the file."""

    times: Times
    """The times of the wanted clock."""
    used: np.ndarray[Any, np.dtype[np.bool_]]
    """Whether each message has a time of this clock."""
    ages: Times
    """The receive times minus the stamps, of the messages with stamps."""
    aged: bool
    """Whether most messages have stamps."""
    stamped: bool
    """Whether the times are stamps of headers."""


def times_of(
    run: RecordedRun, message: RecordedMessage, fields: Mapping[str, Any]
) -> tuple[int, int, int]:
    """Returns the receive time, the send time and the stamp of a message in ns.

    The stamp is 0 if the message has no header or stamp. In recordings of this package, all times
    are in ROS time.
    """
    own = 'mujoco_ros_py' in run.about.get('versions', {})
    received = message.time_ns if own else message.wall_time_ns
    stamp = fields.get('header', {}).get('stamp', {'sec': 0, 'nanosec': 0})
    return (
        received,
        message.time_ns or received,
        int(stamp['sec']) * 1_000_000_000 + int(stamp['nanosec']),
    )


def topic_times(where: str, rows: list[tuple[int, int, int]], clock: Clock) -> TopicTimes:
    """Returns the times of the messages of a topic, from the results of `times_of`.

    `where` is the file and the topic, for errors. Raises RecordingError if the clock jumps.
    """
    received, sent, stamps = np.array(rows, np.int64).T
    known = stamps > 0  # a message of the simulated time 0 looks as if it had no stamp
    stamped = bool(np.mean(known) > 0.5)
    ages = (received - stamps)[known]
    if stamped:
        what = 'of the receive times or the stamps'
        _check_jump(where, received[known], np.abs(np.diff(ages)), _MOST_DRIFT_NS, what)
    times, used = received if clock == 'received' else sent, np.ones(len(rows), bool)
    if stamped and clock == 'stamp':
        times, used = stamps, known
    _check_jump(where, times[used], -np.diff(times[used]), _MOST_BACK_NS, 'back')
    return TopicTimes(
        times=times, used=used, ages=ages, aged=stamped, stamped=stamped and clock == 'stamp'
    )


def _check_jump(where: str, times: Times, jumps: Times, most: int, what: str) -> None:
    """Raises RecordingError if a jump is larger than `most`."""
    if len(jumps) and (place := int(np.argmax(jumps))) >= 0 and jumps[place] > most:
        raise RecordingError(
            f'{where}: the clock jumps {what} by {jumps[place] / 1e9:.3g} s after message'
            f' {place + 1}, {(times[place] - times[0]) / 1e9:.6g} s after the first; record again,'
            ' or cut the recording there'
        )
