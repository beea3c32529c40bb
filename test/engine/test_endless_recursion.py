"""Recursive compiled functions: bounded ones work as usual, endless ones raise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from deadline import DEADLINE_S

from .copied_cache import copied_cache

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).with_name('recursing.py')
LINES = {
    'alone': ('alone', 'return 1.0 + alone(depth - 1)'),
    'mutual': ('first', 'return 1.0 + second(depth - 1)'),
    'retyped': ('retyped', 'return value + retyped(depth - 1, 1)'),
    'declared': ('declared', 'return 1.0 + declared(depth - 1)'),
    'stepping': ('stepping', 'return 1.0 + stepping(model, data, depth - 1)'),
}


def error_of(name: str) -> list[str]:
    function, line = LINES[name]
    return ['RecursionError', f'{function} recurses too deep for the stack', function, line]


@pytest.fixture(scope='module')
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_cache(tmp_path_factory.mktemp('cache'))


@pytest.fixture(scope='module', params=['compiled now', 'loaded from the cache'])
def outcome(cache: Path, request: pytest.FixtureRequest) -> Any:
    """Returns the output of the program, which runs twice."""
    done = subprocess.run(
        [sys.executable, PROGRAM], capture_output=True, text=True, timeout=DEADLINE_S, check=False,
        env={**os.environ, 'XDG_CACHE_HOME': str(cache)},
    )  # fmt: skip
    assert done.returncode == 0, f'{done.returncode}: {done.stderr}'
    return json.loads(done.stdout)


@pytest.mark.parametrize('name', LINES)
def test_a_recursion_with_an_end_gives_its_result(outcome, name):
    assert outcome['bounded'][name] == {'result': 7.0, 'faults': [], 'others': 2}


@pytest.mark.parametrize('where', ['endless', 'endless in a thread'])
@pytest.mark.parametrize('name', LINES)
def test_a_recursion_without_end_raises_with_its_line_and_the_others_go_on(outcome, where, name):
    assert outcome[where][name] == {'result': 0.0, 'faults': [error_of(name)] * 2, 'others': 2}


def test_so_does_one_of_a_render_callback(outcome):
    assert outcome['render callback'] == error_of('alone')


def test_so_does_one_of_an_engine_plugin(outcome):
    where = 'compute_passive of engine plugin test.endless, instance it raised'
    assert outcome['engine plugin'] == [where, *error_of('alone')]
