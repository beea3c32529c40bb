"""The examples and tables on the pages about sweeps are correct."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib.util import find_spec

import pytest
from docs.pages import ROOT, blocks, rows

from mujoco_ros_py.sweep import VERDICTS, Scenarios
from mujoco_ros_py.sweep.checked_expressions import CONSTANTS, FUNCTIONS
from mujoco_ros_py.sweep.drawn_values import KINDS
from mujoco_ros_py.sweep.run_measures import FOLDS
from mujoco_ros_py.sweep.scenario_file import read_scenarios, runs_of
from mujoco_ros_py.sweep.single_run import carry_out

from .sweep_processes import outcomes, swept

PAGE = ROOT / 'docs/how-to/sweep.md'
REFERENCE = ROOT / 'docs/reference/sweep.md'


def test_the_tables_have_all_keys_distributions_verdicts_and_functions():
    keys = [each for row in rows(REFERENCE, 'key') for each in re.findall(r'\w+', row[0])]
    assert keys == [each.name for each in fields(Scenarios)]
    assert [row[0].partition(':')[0] for row in rows(REFERENCE, 'distribution')] == list(KINDS)
    assert [row[0] for row in rows(REFERENCE, 'verdict')] == list(VERDICTS)
    section = REFERENCE.read_text().partition('## Expressions')[2].partition('##')[0]
    assert {*FUNCTIONS, *FOLDS, *CONSTANTS} <= set(re.findall(r'\w+', section))


@pytest.fixture
def file(tmp_path):
    """The scenario file of the page, in a folder with the other files of the page."""
    for block in blocks('python', 'yaml', page=PAGE):
        (tmp_path / block.title).write_text(block.text)
    with (tmp_path / 'scenarios.yaml').open('a') as file:
        file.write('\nstall_limit: 600\n')  # machines that run tests can be slow
    return tmp_path / 'scenarios.yaml'


@pytest.mark.nightly
def test_the_first_of_the_eight_runs_fails_as_the_page_shows(file):
    pytest.importorskip('rclpy', reason='rclpy is not installed')
    shown = re.search(r'^\[1/(\d)\] 0000 (\w+) (\S+) (\S+) (\S+) (.*)…$', PAGE.read_text(), re.M)
    count, verdict, *values, reason = shown.groups()
    runs = runs_of(read_scenarios(file), file)
    assert len(runs) == int(count)
    assert [f'{name}={value:.4g}' for name, value in runs[0].values.items()] == values
    outcome, files = carry_out(runs[0])
    assert outcome.verdict == verdict
    assert outcome.reason.startswith(reason)
    assert {'recording.mcap', 'controller.log', 'server.log'} <= files.keys()


@pytest.mark.nightly
def test_the_example_of_the_page_does_what_the_page_says(file, tmp_path):
    for library in ('ray', 'pyarrow', 'plotly', 'rich', 'rclpy'):
        if find_spec(library) is None:
            pytest.skip(f'{library} is not installed')
    code, printed = swept(tmp_path, 'scenarios.yaml')
    assert code == 1, printed
    (told,) = re.findall(r'^8 runs: .*', PAGE.read_text(), re.M)
    assert told in printed
    made = outcomes(tmp_path / 'scenarios_sweep')
    passed, failed = (next(each for each in made if each['verdict'] == verdict)
                      for verdict in ('passed', 'failed'))  # fmt: skip
    kept = f'scenarios_sweep/runs/{failed["number"]:04}'
    code, printed = swept(tmp_path, '--repeat', kept, '--headless', '--realtime', '-1')
    assert code == 0, printed

    file.write_text(
        re.sub('success: .*', 'success: {function: "judges:reached"}', file.read_text())
    )
    runs = runs_of(read_scenarios(file), file)
    for before in passed, failed:
        judged, _ = carry_out(runs[before['number']])
        assert judged.state == before['state']
        assert judged.passed or 'rad are left' in judged.reason
