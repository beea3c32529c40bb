"""All stamps of all shipped plugins are ROS time, in a session where ROS time continues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from builtin.without_ros import BASES, CONFIGS, XML, listed

from mujoco_ros_py.plugins.host.unconnected_ros import UnconnectedRos
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

TOGETHER = {name: each for name, each in CONFIGS.items() if name != 'Recorder'}
ALONE = [{name: {**each, 'enable_odom_tf': True}} for name, each in BASES.items()]


@pytest.fixture
def publishers(monkeypatch) -> list[Any]:
    """All compiled publishers that plugins create during the test."""
    made: list[Any] = []
    create = UnconnectedRos.create_compiled_publisher

    def noted(self: Any, *arguments: Any, **options: Any) -> Any:
        made.append(create(self, *arguments, **options))
        return made[-1]

    monkeypatch.setattr(UnconnectedRos, 'create_compiled_publisher', noted)
    return made


def stamps(message: Any) -> Iterator[float]:
    """Yields all nonzero times in a message, in s."""
    if hasattr(message, 'nanosec'):
        if message.sec or message.nanosec:
            yield message.sec + message.nanosec * 1e-9
    elif isinstance(message, list | tuple):
        for each in message:
            yield from stamps(each)
    elif hasattr(message, 'get_fields_and_field_types'):
        for name in message.get_fields_and_field_types():
            if name != 'lifetime':
                yield from stamps(getattr(message, name))


@pytest.mark.parametrize('configs', [TOGETHER, *ALONE], ids=['together', *BASES])
def test_all_stamps_are_ros_time_after_a_reset(publishers, configs):
    options = {'plugins': listed(configs), 'time_after_reset': 'continue'}
    with Session(mujoco_xml=XML, **options) as session:
        assert session.problems == []
        session.step(500)
        session.reset()
        session.step(500)
        now, found = session.ros_time, {}
        for publisher in publishers:
            message = publisher.read()
            if message is not None:
                found[publisher.topic_name] = list(stamps(message))
    assert now == pytest.approx(2.002)
    assert found
    for topic, times in found.items():
        assert times, topic
        assert times == pytest.approx([now] * len(times)), topic
