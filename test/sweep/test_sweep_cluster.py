"""A sweep on a Ray cluster that loses a node."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
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


def test_a_cluster_with_a_token_is_reached_where_the_token_is(tmp_path: Path, monkeypatch):
    monkeypatch.setenv('HOME', str(tmp_path))
    monkeypatch.setenv('RAY_USAGE_STATS_ENABLED', '0')
    monkeypatch.delenv('RAY_AUTH_MODE', raising=False)
    token = tmp_path / '.ray' / 'auth_token'
    token.parent.mkdir()
    token.write_text('0123456789abcdef' * 4)
    (tmp_path / 'rod.xml').write_text(ROD)
    (tmp_path / 'scenarios.yaml').write_text(
        'model: rod.xml\nuntil: {time: 0.1}\nsuccess: time >= 0.1\n'
    )
    words = [
        *('start', '--head', '--block', '--port=6399', '--num-cpus=1'),
        *('--node-ip-address=127.0.0.1', '--include-dashboard=false'),
    ]
    main = 'from ray.scripts.scripts import main; main()'
    with subprocess.Popen([sys.executable, '-c', main, *words]) as head:
        try:
            until(lambda: head.poll() is not None or _listens(6399))
            code, printed = swept(tmp_path, 'scenarios.yaml', '--address', '127.0.0.1:6399')
            assert code == 0, printed
            token.unlink()
            words = ['scenarios.yaml', '-o', 'refused', '--address', '127.0.0.1:6399']
            code, printed = swept(tmp_path, *words)
            assert code == 2, printed
            assert 'if the cluster has a token, put it' in printed
        finally:
            head.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(('127.0.0.1', port)) == 0
