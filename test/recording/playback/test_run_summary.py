"""The summary of a recording, including its missing parts."""

import json

import pytest

from mujoco_ros_py.recording import BYTES, EVENTS, TEXT, RecordedRun, RecordingFile, write_text
from mujoco_ros_py.recording.playback.timeline import summary_lines

pytest.importorskip('mcap', reason='the extra `recording` is not installed')


def test_topics_and_what_was_left_out_are_counted(tmp_path):
    path = tmp_path / 'run.mcap'
    file = RecordingFile(path)
    file.describe('versions', {'mujoco': '4.0.0'})
    for number in range(3):
        file.add(file.channel('/numbers', BYTES), b'1', number, number)
        lost = {'event': 'lost', 'states': number, 'messages': 10 * number}
        events = file.channel('/recorder/events', TEXT, EVENTS)
        file.add(events, write_text(json.dumps(lost)), number, number)
        file.flush()
    shares, size = [], path.stat().st_size
    with RecordedRun(path) as run:
        first, *lines = summary_lines(run, shares.append)
    size = path.stat().st_size
    assert first == f'{path}: 0.0 MiB, not closed'
    assert lines == [
        'saved states: 0',
        'states dropped: 3',
        'messages dropped: 30',
        'topic /numbers (std_msgs/msg/UInt8MultiArray): 3 messages',
        'versions: mujoco 4.0.0',
        f'note: the file ends at byte {size} without an end mark: it was not closed',
    ]
    assert shares == [0.0, pytest.approx(1 / 3), pytest.approx(2 / 3), 1.0]
    file.close()
