"""The output of a sweep: lines, the table on a terminal, the report."""

import os
import pty
from contextlib import suppress

import pytest
from deadline import until

from mujoco_ros_py.sweep import sweep_report
from mujoco_ros_py.sweep.outcome import Outcome
from mujoco_ros_py.sweep.scenario_file import read_scenarios, runs_of
from mujoco_ros_py.sweep.sweep_folder import SweepFolder
from mujoco_ros_py.sweep.sweep_progress import SweepProgress
from mujoco_ros_py.sweep.sweep_report import write_report

FILE = 'vary: {gain: [1.0, 2.0, 3.0]}\nuntil: {time: 1.0}\nsuccess: time > 0\n'
FAILED = Outcome(
    number=1, verdict='failed', reason='<b>no</b>\nmore', values={'gain': 2.0},
    measures={'error': float('inf'), 'height': 0.5},
)  # fmt: skip


@pytest.fixture
def runs(tmp_path):
    path = tmp_path / 'scenarios.yaml'
    path.write_text(FILE)
    return runs_of(read_scenarios(path), path)


def test_each_run_that_ends_is_a_line_where_there_is_no_terminal(runs, capsys):
    outcomes = {1: FAILED}
    with SweepProgress(runs, outcomes) as progress:
        progress.going({0: 1.0})
        progress.ended(FAILED)
    assert capsys.readouterr().err == '[1/3] 0001 failed gain=2 <b>no</b>\n'


def test_a_terminal_shows_a_table_with_the_runs_that_go_on(runs, monkeypatch):
    pytest.importorskip('rich', reason='the extra `sweep` is not installed')
    monkeypatch.setenv('TERM', 'xterm')
    monkeypatch.setenv('COLUMNS', '120')
    ours, theirs = pty.openpty()
    os.set_blocking(ours, False)
    shown = bytearray()

    def read() -> bool:
        with suppress(BlockingIOError):
            shown.extend(os.read(ours, 100_000))
        return b'1 of 3 runs; 1 failed' in shown

    with open(theirs, 'w') as terminal:
        monkeypatch.setattr('sys.stderr', terminal)
        with SweepProgress(runs, {1: FAILED}) as progress:
            progress.ended(FAILED)
            progress.going({2: 3.25})
            until(read, 'the table')
    os.close(ours)
    for text in ('failed', 'gain=2', '<b>no</b>', 'running', 'gain=3', '3.2 s'):
        assert text in shown.decode()


def test_the_report_is_one_file_with_plots_and_escapes_what_it_shows(runs, tmp_path):
    pytest.importorskip('plotly', reason='the extra `sweep` is not installed')
    folder = SweepFolder(tmp_path / 'out', runs, {}, resume=False)
    folder.add(runs[0], Outcome(number=0, verdict='passed', values={'gain': 1.0}), {})
    folder.add(runs[1], FAILED, {'server.log': b''})
    folder.close()
    write_report(tmp_path / 'report.html', 'scenarios.yaml', folder)
    report = (tmp_path / 'report.html').read_text()
    assert '2 runs: 1 passed, 1 failed' in report
    assert '&lt;b&gt;no&lt;/b&gt;' in report
    assert '<b>no</b>' not in report
    assert 'href="runs/0001"' in report
    assert report.count('Plotly.newPlot(') >= 3
    assert 'src="http' not in report
    assert 'are shown' not in report


def test_the_report_says_what_it_leaves_out(runs, tmp_path, monkeypatch):
    pytest.importorskip('plotly', reason='the extra `sweep` is not installed')
    monkeypatch.setattr(sweep_report, '_MOST_PLOTS', 2)
    monkeypatch.setattr(sweep_report, '_MOST_ROWS', 1)
    folder = SweepFolder(tmp_path / 'out', runs, {}, resume=False)
    folder.add(runs[0], Outcome(number=0, verdict='passed', values={'gain': 1.0}), {})
    folder.add(runs[1], FAILED, {})
    folder.close()
    write_report(tmp_path / 'report.html', 'scenarios.yaml', folder)
    report = (tmp_path / 'report.html').read_text()
    assert report.count('Plotly.newPlot(') == 2
    assert '2 of 3 plots are shown; all numbers are in results.parquet' in report
    assert '1 of 2 runs are shown; all numbers are in results.parquet' in report
