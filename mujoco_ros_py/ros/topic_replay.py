"""Publishes the messages of a recording on their topics."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import Any

import rclpy
from builtin_interfaces.msg import Time
from rclpy.duration import Duration
from rclpy.executors import ExternalShutdownException
from rclpy.qos import DurabilityPolicy, QoSProfile
from rosgraph_msgs.msg import Clock

from ..config.wording import shown
from ..errors import ConfigError, RecordingError
from ..plugins.topic_qos import CLOCK
from ..recording import RecordedMessage, RecordedRun, RecordedTopic
from .fast_dds import remove_half_made_ports
from .node_end import end_node
from .rclpy_internals import refusal, refused

_CLOCK = '/clock'
_CLOCK_NS = 1_000_000
"""The minimum simulated time in ns between two clock messages, if the clock was not recorded."""
_LONGEST_S = 0.1
_DISCOVERY_S = 0.5
_DELIVERY_S = 2.0
_DEPTH = 100
_TYPE = re.compile(r'(?P<package>[a-z][a-z0-9_]*)/msg/(?P<name>[A-Z][A-Za-z0-9]*)')
_INDEX = 'share/ament_index/resource_index/rosidl_interfaces'


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplayOptions:
    """Selects the messages to play, and sets how they are played."""

    rate: float = 1.0
    """The simulated seconds per second of wall time; negative to play without waiting."""
    start: float | None = None
    """The simulated time in s at which playing begins; None for the start of the recording."""
    end: float | None = None
    """The simulated time in s at which playing ends; None for the end of the recording."""
    topics: tuple[str, ...] = ()
    """The names of topics, with * as a wildcard; empty for all topics."""
    loop: bool = False
    wait_for_subscribers: bool = False


def play(run: RecordedRun, given: ReplayOptions, ros_arguments: list[str]) -> int:
    """Plays a recording to its topics, and returns the exit code.

    Raises RecordingError if the recording lacks the requested topics or ROS refuses a topic, and
    ConfigError for invalid ROS arguments.
    """
    if given.rate == 0.0:
        raise RecordingError('--rate must be above 0, or negative to play without waiting, got 0')
    node = _node(ros_arguments)
    try:
        player = _Player(node, given.rate)
        if not player.announce(_topics(run, given)):
            raise RecordingError(f'{run.path} has no messages to play; --info lists its topics')
        print(f'playing {run.path}', flush=True)
        player.await_subscribers(each_topic=given.wait_for_subscribers)
        count = player.played(_chosen(run, given))
        while given.loop:
            player.played(_chosen(run, given))
        player.await_delivery()
    except ExternalShutdownException:
        return 0
    except refusal() as error:
        raise RecordingError(refused(error)) from error
    finally:
        end_node(node)
        rclpy.try_shutdown()
    for problem in run.problems:
        print(f'note: {problem}', file=sys.stderr)
    print(f'{count} messages played')
    return 0


def _node(ros_arguments: list[str]) -> Any:
    """Creates the node. Raises ConfigError for invalid ROS arguments."""
    try:
        remove_half_made_ports()
        rclpy.init(args=ros_arguments)
        return rclpy.create_node('mujoco_ros_py_replay')
    except Exception as error:  # rclpy raises many types for bad arguments
        rclpy.try_shutdown()
        text = ' '.join(str(error).split())
        raise ConfigError(f'the ROS arguments cannot be used: {text}') from error


def _topics(run: RecordedRun, given: ReplayOptions) -> set[RecordedTopic]:
    """Returns the topics that have a message to play.

    Without a start and an end time, the index of the file lists them. Otherwise, messages are read
    until each topic has had a message between these times.
    """
    topics = {topic for topic in run.topics() if _is_wanted(topic, given)}
    if not topics or (given.start is None and given.end is None):
        return topics
    found: set[RecordedTopic] = set()
    for message in _chosen(run, given):
        found.add(message.topic)
        if found >= topics:
            break
    return found


def _chosen(run: RecordedRun, given: ReplayOptions) -> Iterator[RecordedMessage]:
    """Yields the messages of the selected topics and times."""
    begin = float('-inf') if given.start is None else given.start * 1e9
    end = float('inf') if given.end is None else given.end * 1e9
    for message in run.messages():
        if begin <= message.time_ns <= end and _is_wanted(message.topic, given):
            yield message


def _is_wanted(topic: RecordedTopic, given: ReplayOptions) -> bool:
    """Returns whether a topic is selected."""
    return not given.topics or any(fnmatchcase(topic.name, name) for name in given.topics)


class _Player:
    """Publishes messages at their simulated times, with a clock."""

    def __init__(self, node: Any, rate: float) -> None:
        self._node, self._rate = node, rate
        self._publishers: dict[tuple[str, str], Any] = {}
        self._clock: Any = None
        self._clock_ns: int | None = None

    def announce(self, topics: Collection[RecordedTopic]) -> bool:
        """Creates the publishers, adding a clock; returns False if there are no topics."""
        for topic in topics:
            self._publisher(topic)
        if self._publishers and all(topic != _CLOCK for topic, _ in self._publishers):
            self._clock = self._node.create_publisher(Clock, _CLOCK, CLOCK)
        return bool(self._publishers)

    def await_subscribers(self, *, each_topic: bool) -> None:
        """Gives subscribers time for discovery; with `each_topic`, waits for one on each topic."""
        time.sleep(_DISCOVERY_S)
        publishers = self._publishers.values()
        while each_topic and not all(each.get_subscription_count() for each in publishers):
            if not rclpy.ok():
                raise ExternalShutdownException
            time.sleep(_LONGEST_S)

    def await_delivery(self) -> None:
        """Waits until reliable subscribers have received everything, at most `_DELIVERY_S`."""
        end = time.monotonic() + _DELIVERY_S
        for publisher in self._publishers.values():
            left = max(0.0, end - time.monotonic())
            publisher.wait_for_all_acked(Duration(seconds=left))

    def played(self, messages: Iterator[RecordedMessage]) -> int:
        """Publishes the messages, and returns the number of messages."""
        count, before = 0, None
        due = time.monotonic()
        for message in messages:
            if before is not None and self._rate > 0:
                due += max(0, message.time_ns - before) / 1e9 / self._rate
                _sleep_until(due)
            before = message.time_ns
            self._tell_time(message)
            self._publisher(message.topic).publish(bytes(message.data))
            count += 1
        return count

    def _publisher(self, topic: RecordedTopic) -> Any:
        key = topic.name, topic.kind
        if key not in self._publishers:
            self._publishers[key] = self._node.create_publisher(
                _class_of(topic), topic.name, _profile(topic)
            )
        return self._publishers[key]

    def _tell_time(self, message: RecordedMessage) -> None:
        """Publishes the time, unless the recording has a clock."""
        if self._clock is None:
            return
        last = self._clock_ns
        if last is not None and last <= message.time_ns < last + _CLOCK_NS:
            return
        self._clock_ns = message.time_ns
        seconds, nanoseconds = divmod(message.time_ns, 1_000_000_000)
        self._clock.publish(Clock(clock=Time(sec=seconds, nanosec=nanoseconds)))


def _sleep_until(due: float) -> None:
    """Sleeps until a time of the monotonic clock; Ctrl-C ends it at once."""
    while (left := due - time.monotonic()) > 0:
        time.sleep(min(left, _LONGEST_S))


def _class_of(topic: RecordedTopic) -> Any:
    """Returns the class of a topic's type. Raises RecordingError if it is not installed.

    A file could name any Python package, so only packages with message types are imported.
    """
    found = _TYPE.fullmatch(topic.kind)
    if found is not None and _has_messages(found['package']):
        with suppress(ImportError, AttributeError):
            return getattr(import_module(f'{found["package"]}.msg'), found['name'])
    raise RecordingError(
        f'{topic.name} has the type {shown(topic.kind)}, which is not installed;'
        ' --topics selects others'
    )


def _has_messages(package: str) -> bool:
    """Returns whether the ament index has an installed package with message types."""
    prefixes = [*os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep), sys.prefix]
    return any(Path(prefix, _INDEX, package).is_file() for prefix in filter(None, prefixes))


def _profile(topic: RecordedTopic) -> QoSProfile:
    """Returns a QoS profile that suits all subscribers; latched topics stay latched."""
    latched = 'durability: transient_local' in topic.qos
    durability = DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE
    return QoSProfile(depth=_DEPTH, durability=durability)
