"""The states of a recording in a browser: finding states, and the commands of the page."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pytest
from chromium import driver, open_page, press
from deadline import until

from mujoco_ros_py.errors import RecordingError
from mujoco_ros_py.recording import RecordedRun
from mujoco_ros_py.recording.playback.replay_clock import ReplayClock
from mujoco_ros_py.recording.playback.shown_states import ShownStates
from mujoco_ros_py.recording.playback.timeline import Timeline
from mujoco_ros_py.session import Session
from mujoco_ros_py.viewer.page.studio_internals import missing

__all__ = ['driver', 'open_page']

pytest.importorskip('mcap', reason='the extra `recording` is not installed')

SLIDING = """
<mujoco>
  <option timestep="0.01" gravity="0 0 0"/>
  <worldbody><body><joint name="slide" type="slide"/><geom size="0.1"/></body></worldbody>
</mujoco>
"""


@pytest.fixture(scope='module')
def recording(tmp_path_factory):
    """A recording of 2 s, then of 1 s after a reset, in some chunks."""
    path = tmp_path_factory.mktemp('shown') / 'run.mcap'
    recorder = {'type': 'mujoco_ros_py/Recorder', 'file': str(path), 'chunk_period': 0.1}
    with Session(mujoco_xml=SLIDING, plugins=[recorder], velocities={'slide': 1.0}) as session:
        for steps in (70, 130):
            session.step(steps)
            until(lambda: read_time(path) >= session.time - 1e-9)
        session.reset()
        session.step(100)
    return path


def read_time(path):
    """The newest time in a file that is being written."""
    with RecordedRun(path) as run:
        return max((block.rows[:, 2].max() for block in run.rows()), default=-1.0)


def test_states_are_found_by_their_position_section_after_section(recording):
    with RecordedRun(recording) as run:
        timeline = Timeline(run)
        assert len(timeline.spans) > 2
        states = ShownStates(run, timeline, float('-inf'), float('inf'))
        assert states.length_s == pytest.approx(3.0)
        for position, section, time in (
            (-1.0, 0, 0.0), (0.005, 0, 0.0), (0.7, 0, 0.7), (0.709, 0, 0.7), (1.995, 0, 1.99),
            (2.0, 1, 0.0), (2.5, 1, 0.5), (99.0, 1, 1.0), (0.3, 0, 0.3),
        ):  # fmt: skip
            row = states.at(position)
            assert (row.section.number, row.time) == (section, pytest.approx(time))
            assert row.numbers[3] == pytest.approx(time), 'it slides at 1 m/s'
        assert states.section_told(row) == 'section 0 (load), 1 of 2'
        part = ShownStates(run, timeline, 0.5, 1.5)
        assert part.length_s == pytest.approx(1.5)
        assert [part.at(each).time for each in (0.0, 9.0)] == pytest.approx([0.5, 1.0])
        with pytest.raises(RecordingError, match='has no states in the requested time range'):
            ShownStates(run, timeline, 5.0, 6.0)


def test_the_position_goes_on_stops_at_the_end_and_obeys_the_page():
    clock = ReplayClock(2.0, 0.5, loop=False)
    clock.step_s = 0.25
    clock.advance(1.0)
    assert (clock.position_s, clock.paused) == (0.5, False)
    for command, position, paused in (
        ({'command': 'pause'}, 0.5, True), ({'command': 'step'}, 0.75, True),
        ({'command': 'jump', 'position': 1.5}, 1.5, True), ({'command': 'run'}, 1.5, False),
        ({'command': 'jump', 'position': 9.0}, 2.0, False), ({'command': 'run'}, 0.0, False),
        ({'command': 'speed', 'factor': 4.0}, 0.0, False), ({'command': 'reset'}, 0.0, False),
    ):  # fmt: skip
        clock.carry_out(command)
        assert (clock.position_s, clock.paused) == (position, paused), command
    clock.advance(1.0)
    assert (clock.position_s, clock.paused) == (2.0, True)
    assert not clock.answers
    for command in (
        {'command': 'push'}, {'command': 'speed', 'factor': -1.0}, {'command': 'jump'},
        {'command': 'jump', 'position': float('nan')},
    ):  # fmt: skip
        clock.carry_out(command)
    assert list(clock.answers) == [
        'speed: the speed of a replay must be above 0, got -1',
        "jump: 'position'",
        'jump: the position must be a number of seconds, got nan',
    ]
    again = ReplayClock(2.0, 1.0, loop=True)
    again.advance(2.5)
    assert (again.position_s, again.paused) == (0.0, False)


@contextmanager
def shown(path, *options):
    """The process that shows a recording, and its address."""
    command = [sys.executable, '-m', 'mujoco_ros_py', 'replay', str(path), '--viewer', *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process, re.search(r'viewer: (\S+)', process.stdout.readline())[1]
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_page_plays_pauses_and_jumps(recording, open_page, tmp_path, monkeypatch):
    monkeypatch.setenv('HOME', str(tmp_path))
    with shown(recording, '--rate', '0.1') as (process, address):

        def click(name, done):
            """Clicks until the click has an effect, because a busy page misses clicks."""

            def clicked():
                place = told()['buttons'].get(name)
                if place is not None and not done():
                    press(page, place)
                    page.wait_for_timeout(1000)
                return done()

            until(clicked)

        def told():
            return json.loads(urllib.request.urlopen(f'{address}buttons.json').read())

        def recorded():
            return told()['status'].get('recording', {'position': 0.0})

        page = open_page(address)
        until(lambda: recorded()['position'] > 0.05)
        assert told()['status']['plugins'][0]['state'] == 'recorded'
        click('Pause', lambda: told()['status']['paused'])
        click('position', lambda: abs(recorded()['position'] - 1.5) < 0.1)
        assert recorded()['section'] == 'section 0 (load), 1 of 2'
        status = told()['status']
        assert status['time'] == pytest.approx(recorded()['position'], abs=0.011)
        click('Step', lambda: told()['status']['steps'] > status['steps'])
        click('Run', lambda: not told()['status']['paused'])
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
