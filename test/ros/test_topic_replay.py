"""Which topics of a recording are played, which is known before any of their messages is."""

from argparse import Namespace

import pytest

from mujoco_ros_py.recording import TEXT, RecordedRun, RecordingFile, write_text

pytest.importorskip('mcap', reason='the extra `recording` is not installed')
pytest.importorskip('rclpy', reason='rclpy is not installed')

from mujoco_ros_py.ros.topic_replay import _topics


@pytest.fixture(scope='module')
def recording(tmp_path_factory):
    """A file with messages of three topics, from 0, 2 and 4 s on, a second each."""
    path = tmp_path_factory.mktemp('topics') / 'run.mcap'
    file = RecordingFile(path)
    for second in range(6):
        channel = file.channel(f'/topic{second // 2}', TEXT)
        file.add(channel, write_text('a'), second, second * 10**9)
        file.flush()
    file.close()
    return path


@pytest.mark.parametrize(
    ('start', 'end', 'names', 'played'),
    [
        (None, None, [], '012'),
        (None, None, ['/topic[01]'], '01'),
        (2.5, None, [], '12'),
        (None, 1.0, [], '0'),
        (1.0, 2.0, ['/topic1', '/topic2'], '1'),
        (7.0, None, [], ''),
        (None, None, ['/other'], ''),
    ],
)
def test_the_topics_are_those_with_a_message_in_time(recording, start, end, names, played):
    with RecordedRun(recording) as run:
        found = _topics(run, Namespace(start=start, end=end, topics=names))
    assert sorted(topic.name for topic in found) == [f'/topic{each}' for each in played]
