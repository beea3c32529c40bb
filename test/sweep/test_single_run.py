"""One run of a sweep, carried out in this process with a real server."""

from __future__ import annotations

from pathlib import Path

import pytest

from mujoco_ros_py.sweep.scenario_file import read_scenarios, runs_of
from mujoco_ros_py.sweep.single_run import run_in
from mujoco_ros_py.testing.server_under_test import ServerUnderTest

from .sweep_states import ROD

pytest.importorskip('rclpy', reason='rclpy is not installed')
pytestmark = pytest.mark.slow
FILE = """
model: rod.xml
positions: {hinge: 1.0}
until: {time: 2.0}
success: time > 1.9
keep: nothing
"""


@pytest.fixture
def carry_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Returns `carry_out(more)`: the outcome of the run of a file, and how many looks it took."""
    (tmp_path / 'rod.xml').write_text(ROD)
    counts: list[int] = []
    step = ServerUnderTest.step

    def counting(server, count=1, ctrl=None):
        counts.append(count)
        return step(server, count, ctrl)

    monkeypatch.setattr(ServerUnderTest, 'step', counting)

    def begin(more: str):
        counts.clear()
        (tmp_path / 'scenarios.yaml').write_text(FILE + more)
        (run,) = runs_of(read_scenarios(tmp_path / 'scenarios.yaml'), tmp_path / 'scenarios.yaml')
        folder = tmp_path / 'run'
        folder.mkdir(exist_ok=True)
        outcome = run_in(run, folder)
        assert sum(counts) == 1000
        return outcome, len(counts)

    return begin


def test_where_only_the_end_counts_a_run_has_fewer_looks_and_the_same_end(carry_out):
    watched, looks = carry_out('measures: {least: "lowest(joint(\'hinge\').position)"}\n')
    assert looks == 200
    assert watched.measures['least'] == pytest.approx(-1.0, abs=0.01)
    at_end, looks = carry_out('')
    assert looks < 200
    assert (at_end.verdict, at_end.time_s) == ('passed', pytest.approx(2.0))
    assert at_end.state == watched.state
