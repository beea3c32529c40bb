"""Times of messages, jumps of clocks, gaps, damaged files and recordings of the server."""

from __future__ import annotations

import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError, RecordingError
from mujoco_ros_py.identification.measurements import MeasurementOptions, read_sequences
from mujoco_ros_py.recording import (
    EVENTS,
    TEXT,
    MessageType,
    RecordingFile,
    write_text,
)

robot = pytest.importorskip('measured_robot', reason='mcap or rosbags is not installed')
delayed = pytest.importorskip('delayed_robot', reason='mcap or rosbags is not installed')
STATES = robot.STATES


def position_of(found, joint='elbow'):
    return robot.signals(found)['position', joint, 0]


@pytest.mark.parametrize('rate', [10.0, 50.0, 250.0, 1000.0])
def test_rates_from_10_to_1000_hz_are_read(tmp_path, rate):
    notes = []
    found = robot.sequences(tmp_path, {STATES: robot.states(rate=rate)}, notes=notes)
    position = position_of(found)
    assert np.allclose(np.diff(position.times), 1.0 / rate)
    assert np.allclose(position.values, robot.move(position.times, 1)[0])
    assert all(each.rests for each in found)
    assert not any('gap' in note for note in notes)


def test_equal_and_unordered_stamps_are_put_in_order(tmp_path):
    rows = robot.states()
    rows[100], rows[101] = (rows[100][0], rows[101][1]), (rows[101][0], rows[100][1])
    rows.insert(50, (rows[50][0], rows[50][1]))
    position = position_of(robot.sequences(tmp_path, {STATES: rows}, time='stamp'))
    assert (np.diff(position.times) > 0.0).all()
    assert np.allclose(position.values, robot.move(position.times, 1)[0])


def test_stamps_exclude_the_delay_of_the_recorder(tmp_path):
    late = [
        (time + 0.02 + 0.005 * (k % 2), state) for k, (time, state) in enumerate(robot.states())
    ]
    rows = {STATES: late, robot.COMMANDS: robot.commands([1.0, 2.0, 3.0])}
    for time, exact in (('received', False), ('stamp', True)):
        position = position_of(robot.sequences(tmp_path, rows, time=time))
        late = 0.0225 if time == 'stamp' else 0.0  # the first message has no stamp
        error = np.abs(position.values - robot.move(position.times - late, 1)[0])
        assert bool(np.max(error) < 1e-6) is exact, time


def jumped(rows, place, seconds, received=True):
    """The rows with a jump of the receive times or the stamps after some messages."""
    made = []
    for k, (time, state) in enumerate(rows):
        shift = seconds if k >= place else 0.0
        if not received:
            state.header.stamp.sec += int(shift)
        made.append((time + (shift if received else 0.0), state))
    return made


def test_jumps_of_the_clock_name_the_message_and_the_time(tmp_path):
    for received in (True, False):
        rows = {STATES: jumped(robot.states(), 500, 3.0, received)}
        with pytest.raises(RecordingError) as raised:
            robot.sequences(tmp_path, rows)
        assert str(raised.value) == (
            f'{tmp_path}/run.mcap: /joint_states: the clock jumps of the receive times or the'
            ' stamps by 3 s after message 500, 4.99 s after the first; record again, or cut the'
            ' recording there'
        )
        found = robot.sequences(tmp_path, rows, end=4.9)
        assert found[-1].end == pytest.approx(4.9, abs=0.02)
    zeros = [(time, delayed.array([1.0, 2.0, 3.0])) for time in (0.0, 1.0)]
    rows = {STATES: jumped(robot.states(), 500, 3.0, False), robot.COMMANDS: zeros}
    found = robot.sequences(tmp_path, rows, start=5.5)
    assert (found[0].begin, found[-1].end) == (pytest.approx(6.3, abs=0.3), pytest.approx(7.99))


def test_the_start_and_the_end_select_a_part(tmp_path):
    rows = {
        STATES: robot.states(length=20.0),
        robot.COMMANDS: robot.commands([1.0, 2.0, 3.0], 20.0),
    }
    found = robot.sequences(tmp_path, rows, start=4.0, end=12.1)
    assert found[0].begin >= 4.0
    assert found[-1].end <= 12.1
    position = position_of(found)
    assert np.allclose(position.values, robot.move(position.times, 1)[0], atol=1e-6)
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, rows, start=30.0)
    assert str(raised.value) == (
        f'{tmp_path}/run.mcap has no messages from 30 s on; they end at 19.99 s'
    )


def test_a_gap_splits_a_sequence(tmp_path):
    rows = [row for row in robot.states() if not 3.1 < row[0] < 3.3]
    notes = []
    found = robot.sequences(tmp_path, {STATES: rows}, notes=notes)
    assert not any(each.begin < 3.2 < each.end for each in found)
    assert (
        'run.mcap: /joint_states has 1 gap, at which it is split; the first is at 3.1 s' in notes
    )
    joined = robot.sequences(tmp_path, {STATES: rows}, longest_gap=30.0)
    assert any(each.begin < 3.2 < each.end for each in joined)


def test_a_topic_with_few_values_does_not_shorten_the_sequences(tmp_path):
    rows = {STATES: robot.states(), robot.IMU: robot.stream(robot.imu, length=2.0)}
    notes = []
    found = robot.sequences(tmp_path, rows, notes=notes)
    assert found[-1].end == pytest.approx(7.99)
    assert 'run.mcap: /imu has values in 1.98 of 7.99 s only' in notes


def test_signals_and_commands_that_do_not_overlap_are_an_error(tmp_path):
    late = [(time + 100.0, message) for time, message in robot.commands([1.0, 2.0, 3.0])]
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, {STATES: robot.states(), robot.COMMANDS: late})
    assert str(raised.value) == (
        'run.mcap: no part of 0.5 s has all signals and commands: /joint_states 0.000 to 7.990 s;'
        ' /arm/commands from 100.000 s'
    )


def test_a_file_that_is_cut_off_is_used_and_told(tmp_path):
    whole = delayed.write_bag(tmp_path / 'run.mcap', {STATES: robot.states(150.0)}).read_bytes()
    path = tmp_path / 'cut.mcap'
    path.write_bytes(whole[: len(whole) * 8 // 10])
    notes = []
    found = robot.sequences(path, notes=notes)
    assert 50.0 < found[-1].end < 149.0
    assert any(note.startswith(f'{path}: the file ') for note in notes), notes
    path.write_bytes(whole[:100])
    with pytest.raises(RecordingError, match=r'cut\.mcap has no messages: the file'):
        robot.sequences(path)
    path.write_bytes(b'no bag')
    with pytest.raises(RecordingError, match=r'cut\.mcap is not an MCAP file'):
        robot.sequences(path)


class Damaged:
    """A message whose data are cut off when they are written."""

    __msgtype__ = 'sensor_msgs/msg/JointState'


def test_damaged_messages_are_skipped_and_told(tmp_path, monkeypatch):
    rows = robot.states()
    rows[7] = rows[7][0], Damaged()

    class CutOff:
        types, generate_msgdef = delayed.TYPES.types, delayed.TYPES.generate_msgdef

        @staticmethod
        def serialize_cdr(message, kind):
            if isinstance(message, Damaged):
                return b'\x00\x01\x00\x00\x01'
            return delayed.TYPES.serialize_cdr(message, kind)

    types = delayed.TYPES
    path = tmp_path / 'run.mcap'
    with monkeypatch.context() as patch:
        patch.setattr(delayed, 'TYPES', CutOff)
        CutOff.serialize_cdr = staticmethod(
            lambda message, kind: b'\x00\x01\x00\x00\x01' if isinstance(message, Damaged)
            else types.serialize_cdr(message, kind)
        )  # fmt: skip
        delayed.write_bag(path, {STATES: rows})
        notes = []
        robot.sequences(path, notes=notes)
        assert any(
            note.startswith(
                f'{path}: /joint_states: 1 of 800 messages are skipped: message 8: it is cut off'
            )
            for note in notes
        )
        delayed.write_bag(path, {STATES: [(0.1 * k, Damaged()) for k in range(3)]})
        with pytest.raises(RecordingError, match='/joint_states: message 1: it is cut off or'):
            robot.sequences(path)


def test_files_without_chunks_are_read(tmp_path, monkeypatch):
    class NoChunks(delayed.Writer):
        def __init__(self, stream):
            super().__init__(stream, use_chunking=False)

    monkeypatch.setattr(delayed, 'Writer', NoChunks)
    rows = {STATES: robot.states(), robot.COMMANDS: robot.commands([1.0, 2.0, 3.0])}
    found = robot.sequences(tmp_path, rows)
    position = position_of(found)
    assert np.allclose(position.values, robot.move(position.times, 1)[0])
    assert len(found[0].commands) == 1


def test_several_files_and_the_folder_of_a_bag(tmp_path):
    bag = tmp_path / 'bag'
    bag.mkdir()
    delayed.write_bag(bag / 'bag_0.mcap', {STATES: robot.states()})
    delayed.write_bag(tmp_path / 'more.mcap', {STATES: robot.states()})
    found = read_sequences([bag, tmp_path / 'more.mcap'], robot.MODEL, MeasurementOptions(), {})
    assert {each.name.partition(',')[0] for each in found} == {'bag_0.mcap', 'more.mcap'}
    delayed.write_bag(bag / 'bag_1.mcap', {STATES: robot.states()})
    with pytest.raises(ConfigError) as raised:
        read_sequences([bag], robot.MODEL, MeasurementOptions(), {})
    assert str(raised.value) == (
        f'{bag} must have one file .mcap, or a file must be given; known: bag_0.mcap, bag_1.mcap'
    )


def test_recordings_of_the_server_are_read_by_section_in_simulated_time(tmp_path):
    path = tmp_path / 'run.mcap'
    file = RecordingFile(path)
    file.describe('versions', {'mujoco_ros_py': '1.0.0'})
    kind = 'sensor_msgs/msg/JointState'
    states = file.channel(STATES, MessageType(name=kind, definition=''))
    events = file.channel('/events', TEXT, EVENTS)
    wall = 10**18
    for section in range(2):
        event = (
            f'{{"event": "section", "number": {section}, "reason": "reset", "time": 0.0,'
            ' "model": "", "shape": {"own": 0, "inputs": 0, "passive": 0}, "rate_hz": 100.0,'
            ' "plugins": []}'
        )
        file.add(events, write_text(event), wall, 0)
        for time, state in robot.states(length=4.0 + section):
            wall += 1
            data = bytes(delayed.TYPES.serialize_cdr(state, kind))
            file.add(states, data, wall, round(time * 1e9))
    file.close()
    found = robot.sequences(path)
    assert [each.name.rpartition(',')[0] for each in found] == [
        'run.mcap, section 0', 'run.mcap, section 1',
    ]  # fmt: skip
    position = position_of(found)
    assert np.allclose(position.values, robot.move(position.times, 1)[0])
