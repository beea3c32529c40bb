"""A sweep on a cluster of Ray, of which a node is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from deadline import until

from .sweep_processes import ROOT, descendants, outcomes, results, started, swept
from .sweep_states import ROD
from .test_sweeps import ANSWERING, FILE

pytest.importorskip('ray', reason='the extra `sweep` is not installed')
pytestmark = pytest.mark.nightly


@pytest.fixture
def cluster(monkeypatch):
    """A cluster of three nodes on this machine, each with one core."""
    from ray.cluster_utils import Cluster

    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get('PYTHONPATH')])])
    monkeypatch.setenv('PYTHONPATH', path)
    monkeypatch.setenv('RAY_USAGE_STATS_ENABLED', '0')
    made = Cluster(initialize_head=True, head_node_args={'num_cpus': 1})
    made.others = [made.add_node(num_cpus=1) for _ in range(2)]
    yield made
    made.shutdown()


def test_a_cluster_that_loses_a_node_loses_no_run_and_makes_none_twice(cluster, tmp_path: Path):
    (tmp_path / 'rod.xml').write_text(ROD)
    (tmp_path / 'answering.py').write_text(ANSWERING)
    (tmp_path / 'scenarios.yaml').write_text(FILE)
    process = started(tmp_path, 'scenarios.yaml', '-o', 'cluster', '--address', cluster.address)
    lost = cluster.others[0]
    raylet = next(info.process.pid for info in lost.all_processes['raylet'])

    def busy() -> bool:
        below = descendants(raylet)
        return any('answering.py' in each for each in below.values())

    until(lambda: process.poll() is not None or (busy() and outcomes(tmp_path / 'cluster')))
    cluster.remove_node(lost, allow_graceful=False)
    printed, _ = process.communicate()
    assert process.returncode == 0, printed
    found = outcomes(tmp_path / 'cluster')
    assert sorted(each['number'] for each in found) == [*range(6)]
    assert sum(each['attempts'] for each in found) > 6

    assert swept(tmp_path, 'scenarios.yaml', '-o', 'alone')[0] == 0
    assert results(tmp_path / 'cluster') == results(tmp_path / 'alone')
