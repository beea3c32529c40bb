"""All readable parts of a recording are read, even if its file is damaged."""

import tracemalloc

import lz4.frame
import mujoco
import numpy as np
import pytest
import zstandard
from mcap.data_stream import RecordBuilder
from mcap.records import Chunk

from mujoco_ros_py.errors import RecordingError
from mujoco_ros_py.recording import (
    BYTES,
    EVENTS,
    ROWS,
    TEXT,
    RecordedRun,
    RecordedTopic,
    RecordingFile,
    write_bytes,
    write_rows,
    write_text,
)
from mujoco_ros_py.recording.files.mcap_scan import McapScan
from mujoco_ros_py.session import Session

BALLS = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 0.2"><freejoint/><geom size="0.1"/></body>
    <body pos="0 0 0.5"><freejoint/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope='module')
def recorded(tmp_path_factory):
    """A recording whose uncompressed content fills several chunks, and the recorded states."""
    path = tmp_path_factory.mktemp('recorded') / 'run.mcap'
    recorder = {
        'type': 'mujoco_ros_py/Recorder',
        'file': str(path),
        'chunk_period': 0.1,
        'compression': 'none',
    }
    states = []
    with Session(mujoco_xml=BALLS, plugins=[recorder]) as session:
        for _ in range(8):
            session.step(250)
            states.append(session.save().integration)
        session.reset()
        session.step(10)
    return path, states


@pytest.fixture(scope='module')
def chunks(tmp_path_factory):
    """A file of eight chunks with states, written without a simulation."""
    path = tmp_path_factory.mktemp('chunks') / 'run.mcap'
    file = RecordingFile(path)
    for number in range(8):
        rows = np.random.default_rng(number).normal(size=(20, 10))
        channel = file.channel('/recorder/states', BYTES, ROWS)
        file.add(channel, write_bytes(write_rows(0, rows)), number, number)
        file.flush()
    file.close()
    return path


def read(path):
    """Returns the rows of states, the problems of the file, and whether the file is complete."""
    with RecordedRun(path) as run:
        rows = [row for block in run.rows() for row in block.rows]
        return rows, list(run.problems), run.complete


def test_a_recording_has_the_state_after_each_step(recorded):
    path, states = recorded
    with RecordedRun(path) as run:
        rows = {}
        for block in run.rows():
            section = run.sections[block.section]
            rows.update({(block.section, row[0], row[1] % 2): row for row in block.rows})
        assert run.problems == []
        assert run.complete
        section = run.sections[0]
        model = run.model(section)
        data = mujoco.MjData(model)
        for number, state in enumerate(states, 1):
            section.put(model, data, rows[0, number * 250, 0])
            found = np.empty_like(state)
            mujoco.mj_getState(model, data, found, mujoco.mjtState.mjSTATE_INTEGRATION)
            assert found.tobytes() == state.tobytes()
        assert [(each.number, each.reason) for each in run.sections.values()] == [
            (0, 'load'), (1, 'reset'),
        ]  # fmt: skip
        assert len(rows) == 2012, 'a row for each step, and one for each of the two starts'
        assert [saved.time for saved in run.saved_states()] == [0.0, 0.0]


def test_the_library_reads_the_same_messages(recorded):
    from mcap.reader import make_reader

    with open(recorded[0], 'rb') as file:
        topics = [channel.topic for _, channel, _ in make_reader(file).iter_messages()]
    assert {'/recorder/states', '/recorder/events', '/recorder/saved'} == set(topics)


def test_a_file_that_is_cut_off_is_read_up_to_the_cut(chunks, tmp_path):
    content, whole = chunks.read_bytes(), read(chunks)[0]
    counts = []
    cut = tmp_path / 'cut.mcap'
    for length in np.linspace(8, len(content) - 40, 40).astype(int):
        cut.write_bytes(content[:length])
        rows, problems, complete = read(cut)
        assert np.array_equal(rows, whole[: len(rows)])
        assert problems
        assert not complete
        counts.append(len(rows))
    assert counts == sorted(counts)
    assert counts[-1] == len(whole), 'only the end is missing'
    assert set(counts) == set(range(0, 161, 20)), 'each chunk but the one that is cut'


@pytest.mark.parametrize(
    ('begin', 'size', 'lost', 'has_end'),
    [(8, 9, 0, True), (0.3, 300, 1, True), (0.3, 4000, 3, True), (-900, 900, 0, False)],
    ids=['header', 'middle', 'several chunks', 'tail'],
)
def test_what_is_behind_a_damaged_part_is_read(chunks, tmp_path, begin, size, lost, has_end):
    content, whole = bytearray(chunks.read_bytes()), read(chunks)[0]
    place = int(begin * len(content)) if isinstance(begin, float) else begin % len(content)
    content[place : place + size] = bytes(size)  # as a power failure leaves it
    damaged = tmp_path / 'damaged.mcap'
    damaged.write_bytes(content)
    rows, problems, complete = read(damaged)
    assert problems
    assert complete == has_end
    kept = [row for row in whole if any(np.array_equal(row, each) for each in rows)]
    assert np.array_equal(rows, kept), 'in their order'
    assert len(rows) == len(whole) - 20 * lost
    assert np.array_equal(rows[:20], whole[:20])
    assert np.array_equal(rows[-20:], whole[-20:])


def test_messages_whose_description_is_damaged_are_told_as_lost(chunks, tmp_path):
    content = bytearray(chunks.read_bytes())
    content[200:260] = bytes(60)  # in the first chunk, which describes the channel
    damaged = tmp_path / 'damaged.mcap'
    damaged.write_bytes(content)
    assert len(read(damaged)[0]) == 140, 'its end describes the channel too'
    damaged.write_bytes(content[: len(content) * 3 // 4])
    rows, problems, _ = read(damaged)
    assert rows == []
    assert sum('the messages of channel 1 are skipped' in each for each in problems) == 1


@pytest.mark.slow
def test_damaged_bytes_spoil_the_chunk_that_they_are_in_alone(chunks, tmp_path):
    content = chunks.read_bytes()
    whole = {row.tobytes() for row in read(chunks)[0]}
    random = np.random.default_rng(1)
    damaged, counts = tmp_path / 'damaged.mcap', []
    for place in random.integers(8, len(content), 80):
        changed = bytearray(content)
        changed[place] ^= int(random.integers(1, 256))
        damaged.write_bytes(changed)
        rows, _, _ = read(damaged)
        assert {row.tobytes() for row in rows} <= whole
        counts.append(len(rows))
    assert set(counts) == {140, 160}, 'no damage costs more than one chunk of eight'


@pytest.mark.parametrize('compression', ['zstd', 'lz4'])
@pytest.mark.parametrize('actual', [500, 1 << 28])
def test_a_chunk_with_another_size_than_it_declares_is_not_unpacked(tmp_path, compression, actual):
    """The reader must not allocate a quarter of a gigabyte for a few compressed bytes."""
    pack = {'zstd': zstandard.compress, 'lz4': lz4.frame.compress}[compression]
    builder = RecordBuilder()
    chunk = Chunk(
        compression=compression, data=pack(bytes(actual)), message_start_time=0,
        message_end_time=0, uncompressed_crc=0, uncompressed_size=1000,
    )  # fmt: skip
    chunk.write(builder)
    path = tmp_path / 'bomb.mcap'
    path.write_bytes(b'\x89MCAP0\r\n' + builder.end())
    scan = McapScan(path)
    tracemalloc.start()
    try:
        assert scan.messages(scan.chunks()[0]) == []
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        scan.close()
    has = 'more' if actual > 1000 else actual
    assert f'is damaged: it declares 1000 bytes, but has {has}' in scan.problems[-1]
    assert peak < 16 << 20


def test_topics_are_told_by_the_index_and_where_there_is_none_by_the_messages(tmp_path):
    path = tmp_path / 'run.mcap'
    file = RecordingFile(path, compression='none')
    for number in range(6):
        channel = file.channel(f'/numbers{number % 2}', TEXT, qos='latched')
        file.add(channel, write_text(f'number {number}'), number, number)
        file.flush()
    file.add(file.channel('/recorder/events', TEXT, EVENTS), write_text('{}'), 6, 6)
    file.close()
    topics = {
        RecordedTopic(name=f'/numbers{k}', kind='std_msgs/msg/String', qos='latched'): 3
        for k in (0, 1)
    }
    content, damaged = path.read_bytes(), tmp_path / 'damaged.mcap'
    damaged.write_bytes(content.replace(b'number 5', b'number ?'))
    with RecordedRun(damaged) as run:
        assert run.topics() == topics, 'the messages are not read'
        assert run.problems == []
        assert len(list(run.messages())) == 5
        assert 'is damaged: ' in run.problems[0]
    damaged.write_bytes(content[: content.index(b'number 5') + 50])  # within the index
    with RecordedRun(damaged) as run:
        assert run.topics() == topics
        assert [each.topic.name for each in run.messages()] == ['/numbers0', '/numbers1'] * 3


def test_what_is_no_recording_is_told_by_its_path(tmp_path):
    path = tmp_path / 'notes.txt'
    for content, why in (('these are notes', 'its first bytes are wrong'), ('', 'it is empty')):
        path.write_text(content)
        with pytest.raises(RecordingError, match=rf'notes\.txt is not an MCAP file: {why}'):
            RecordedRun(path)
    with pytest.raises(RecordingError, match=r'gone\.mcap cannot be read: No such file'):
        RecordedRun(tmp_path / 'gone.mcap')


def test_a_file_ends_before_its_largest_size(tmp_path):
    path = tmp_path / 'small.mcap'
    file = RecordingFile(path, compression='none', most_bytes=200_000)
    channel = file.channel('/numbers', BYTES)

    def fill() -> None:
        for count in range(1000):
            file.add(channel, bytes(1000), count, count)

    with pytest.raises(RecordingError, match=r'has reached its maximum size, 0\.190735 MiB'):
        fill()
    file.close()
    assert 100_000 < path.stat().st_size <= 200_000


def test_a_disk_that_gets_full_ends_a_file(tmp_path):
    file = RecordingFile(tmp_path / 'run.mcap', least_free_bytes=1e18)
    with pytest.raises(RecordingError, match='must stay free'):
        file.attach('model', 'text/plain', b'...')
    file.close()


def test_a_file_that_is_there_is_not_written_over(tmp_path):
    path = tmp_path / 'run.mcap'
    path.write_text('there')
    with pytest.raises(RecordingError, match='cannot be written'):
        RecordingFile(path)
