"""Selects the topics of a recording to play before reading any of their messages."""

from argparse import Namespace

import pytest

from mujoco_ros_py.errors import RecordingError
from mujoco_ros_py.recording import TEXT, RecordedRun, RecordedTopic, RecordingFile, write_text

pytest.importorskip('mcap', reason='the extra `recording` is not installed')
pytest.importorskip('rclpy', reason='rclpy is not installed')

from mujoco_ros_py.ros.topic_replay import _class_of, _topics


@pytest.fixture(scope='module')
def recording(tmp_path_factory):
    """A file with messages of three topics, which begin at 0, 2 and 4 s and last a second each."""
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


@pytest.mark.parametrize(
    'kind', ['evil/msg/Bomb', 'evil', '../evil/msg/Bomb', 'os/msg/Path', 'std_msgs/msg/Strin', '']
)
def test_a_file_has_nothing_imported_but_types_of_messages(tmp_path, monkeypatch, kind):
    package = tmp_path / 'evil/msg'
    package.mkdir(parents=True)
    (tmp_path / 'evil/__init__.py').write_text(f'open({str(tmp_path / "ran")!r}, "w")')
    (package / '__init__.py').write_text('class Bomb: pass')
    monkeypatch.syspath_prepend(tmp_path)
    topic = RecordedTopic(name='/topic', kind=kind, qos='')
    with pytest.raises(RecordingError, match=r'/topic has the type .*, which is not installed'):
        _class_of(topic)
    assert not (tmp_path / 'ran').exists()


def test_types_of_messages_are_found():
    topic = RecordedTopic(name='/topic', kind='std_msgs/msg/String', qos='')
    assert _class_of(topic).__name__ == 'String'
