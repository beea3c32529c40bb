"""Each row of the benchmarks can be measured: the parts of the package that it uses exist."""

from __future__ import annotations

import json

import pytest
from deadline import DEADLINE_S

from benchmarks.rows import ROWS
from benchmarks.trees import Tree

pytestmark = pytest.mark.nightly


@pytest.mark.parametrize('name', ROWS)
def test_a_round_of_each_row_can_be_made(name):
    told = json.loads(Tree().run('benchmarks.row', name, '0.01', timeout_s=DEADLINE_S))
    assert 'left_out' in told or told['ratio'] > 0
