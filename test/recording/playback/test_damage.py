"""A damaged recording: verification reports uncompared parts, and a repair saves the rest."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.command_line import run as run_command
from mujoco_ros_py.errors import RecordingError
from mujoco_ros_py.recording import (
    BYTES,
    EVENTS,
    ROWS,
    TEXT,
    RecordedRun,
    RecordingFile,
    repair_file,
    write_bytes,
    write_rows,
    write_text,
)
from mujoco_ros_py.recording.playback import verify
from mujoco_ros_py.session import Session

pytest.importorskip('mcap', reason='the extra `recording` is not installed')
pytestmark = pytest.mark.slow

ROD = """
<mujoco>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.5 0 0"/></body>
  </worldbody>
</mujoco>
"""
STEPS, ROWS_IN_CHUNK = 40, 5


@pytest.fixture(scope='module')
def whole(tmp_path_factory):
    """The content of an intact recording with a few states in each chunk."""
    from mcap.reader import make_reader

    folder = tmp_path_factory.mktemp('whole')
    recorder = {'type': 'mujoco_ros_py/Recorder', 'file': str(folder / 'run.mcap')}
    with Session(mujoco_xml=ROD, plugins=[recorder], positions={'hinge': 0.3}) as session:
        session.step(STEPS)
    with RecordedRun(folder / 'run.mcap') as run:
        blocks, sections = list(run.rows()), list(run.events())
    with (folder / 'run.mcap').open('rb') as stream:
        reader = make_reader(stream)
        (model,), descriptions = reader.iter_attachments(), list(reader.iter_metadata())
    file = RecordingFile(folder / 'chunks.mcap')
    for each in descriptions:
        file.describe(each.name, dict(each.metadata))
    file.attach(model.name, model.media_type, model.data)
    events = file.channel('/recorder/events', TEXT, EVENTS)
    states = file.channel('/recorder/states', BYTES, ROWS)
    file.add(events, write_text(json.dumps(sections[0])), 0, 0)
    for block in blocks:
        for start in range(0, len(block.rows), ROWS_IN_CHUNK):
            rows = block.rows[start : start + ROWS_IN_CHUNK]
            file.add(states, write_bytes(write_rows(block.section, rows)), 0, 0)
            file.flush()
    file.close()
    return (folder / 'chunks.mcap').read_bytes()


def verified(path, content, capsys):
    """Returns exit status and output of `replay --verify` for a file with this content."""
    path.write_bytes(content)
    code = run_command(['replay', str(path), '--verify'])
    return code, capsys.readouterr().out


def chunks_of(path, content):
    """Returns the offsets of the chunks, including their 9-byte heads."""
    path.write_bytes(content)
    with RecordedRun(path) as run:
        return [slice(each.start - 9, each.start + each.length) for each in run.chunks]


def test_no_damage_is_told_as_all_equal(tmp_path, capsys, whole):
    path, good = tmp_path / 'run.mcap', f'{STEPS} states, all equal to the bit\n'
    assert verified(path, whole, capsys) == (0, good)
    damaged = [whole[:end] for end in range(0, len(whole), 331)]
    for place in range(0, len(whole), 97):
        damaged.append(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
    for content in damaged:
        code, said = verified(path, content, capsys)
        assert code in (2, 3) or (code, said) == (0, good)
    codes = {verified(path, whole[: len(whole) * k // 20], capsys)[0] for k in range(19, 0, -1)}
    assert codes <= {2, 3}


def test_a_chunk_that_is_missing_is_told_wherever_it_was(tmp_path, capsys, whole):
    path = tmp_path / 'run.mcap'
    places = chunks_of(path, whole)
    assert len(places) > STEPS // ROWS_IN_CHUNK
    for place in places:
        code, said = verified(path, whole[: place.start] + whole[place.stop :], capsys)
        assert code in (2, 3), said
        blank = whole[: place.start] + bytes(place.stop - place.start) + whole[place.stop :]
        code, said = verified(path, blank, capsys)
        assert code in (2, 3), said
    last = places[-1]
    content = whole[: last.start] + whole[last.stop :]
    code, said = verified(path, content, capsys)
    assert (code, said.partition(',')[0]) == (3, f'{STEPS - 1} states')


RECORDING = """
import os, sys, time
from mujoco_ros_py.recording import RecordedRun
from mujoco_ros_py.session import Session
path = sys.argv[1]
recorder = {'type': 'mujoco_ros_py/Recorder', 'file': path, 'chunk_period': 0.1}
with Session(mujoco_xml=sys.argv[2], plugins=[recorder]) as session:
    session.step(200)
    while True:
        with RecordedRun(path) as run:
            if sum(len(block.rows) for block in run.rows()) == 201:
                print('there', flush=True)
        time.sleep(0.01)
"""


def test_a_repair_makes_the_file_of_a_killed_process_whole_for_other_readers(tmp_path, capsys):
    from mcap.exceptions import McapError
    from mcap.reader import make_reader

    path, output = tmp_path / 'run.mcap', tmp_path / 'whole.mcap'
    process = subprocess.Popen(
        [sys.executable, '-c', RECORDING, str(path), ROD], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == 'there\n'
    os.kill(process.pid, signal.SIGKILL)
    process.wait(DEADLINE_S)
    process.stdout.close()
    with path.open('rb') as stream, pytest.raises(McapError):
        make_reader(stream).get_summary().statistics  # noqa: B018
    words = ['replay', str(path), '--repair', str(output)]
    assert run_command(words) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f'{output}: ')
    assert 'it was not closed' in said.err
    with output.open('rb') as stream:
        reader = make_reader(stream)
        summary = reader.get_summary()
        assert reader.get_header().profile == 'ros2'
        assert {each.topic for each in summary.channels.values()} >= {'/recorder/states'}
        assert summary.statistics.attachment_count == 1
        count = summary.statistics.message_count
        assert sum(1 for _ in reader.iter_messages()) == count
    assert said.out == f'{output}: {count} messages\n'
    with RecordedRun(output) as run:
        assert run.complete
        assert (verify(run).states, run.problems) == (200, [])
        assert run.about['versions']['mujoco']
    assert run_command(words) == 2
    assert 'whole.mcap cannot be written: File exists' in capsys.readouterr().err


def test_a_repair_leaves_out_what_is_damaged_and_says_so(tmp_path, capsys, whole):
    path, output = tmp_path / 'run.mcap', tmp_path / 'whole.mcap'
    place = chunks_of(path, whole)[3]
    middle = (place.start + place.stop) // 2
    path.write_bytes(whole[:middle] + bytes([whole[middle] ^ 0xFF]) + whole[middle + 1 :])
    words = ['replay', str(path), '--repair', str(output)]
    assert run_command(words) == 3
    said = capsys.readouterr()
    assert 'without the missing or damaged parts' in said.out
    assert 'is damaged' in said.err
    with RecordedRun(output) as run:
        comparison = verify(run)
        assert (comparison.states, comparison.different) == (STEPS - ROWS_IN_CHUNK - 1, 0)
        assert (comparison.gaps, run.problems) == (1, [])
    with pytest.raises(RecordingError, match=r'nothing.mcap cannot be read'):
        repair_file(tmp_path / 'nothing.mcap', output)
