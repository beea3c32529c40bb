from __future__ import annotations

import json
import math
import shutil
import sys
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from benchmarks.__main__ import line, missed, table
from benchmarks.rounds import LeftOutError, Result, measure, spread
from benchmarks.row import main
from benchmarks.rows import ROWS, Row
from benchmarks.trees import FOLDER, RowFailedError, Tree

ROW = Row('fixed', 'measure', 'at most', 1.0, 's')


def fixed(*ours: float) -> Iterator[tuple[float, float]]:
    yield 100.0, 1.0  # warms up
    for value in ours:
        yield value, 1.0
    raise AssertionError('the rounds go on though the figure is steady')


def test_rounds_end_when_the_spread_is_a_fifth_of_the_distance_to_the_limit():
    result = measure(ROW, fixed(0.5, 0.52, 0.54, 0.48, 0.46), time.monotonic(), 40.0)
    assert (result.ratio, result.rounds) == (0.5, 5)
    assert result.spread == pytest.approx(0.04)
    assert result.measured == '500 ms against 1 s'
    close = measure(ROW, fixed(0.9, 0.95, 1.0, 0.85, 0.8, *[0.9] * 6), time.monotonic(), 40.0)
    assert close.rounds == 11, 'the limit is close'


def test_rounds_end_when_the_time_is_up_and_the_spread_of_few_is_unknown():
    def slow() -> Iterator[tuple[float, float]]:
        ended.append(False)
        try:
            while True:
                yield 0.5, 1.0
        finally:
            ended.append(True)

    ended: list[bool] = []
    result = measure(ROW, slow(), time.monotonic() - 50.0, 40.0)
    assert (result.ratio, result.spread) == (0.5, math.inf)
    assert ended == [False, True], 'what the row has started is closed'


def test_the_case_nearest_to_the_limit_counts():
    def cases() -> Iterator[dict[str, tuple[float, float]]]:
        while True:
            yield {'fast': (0.2, 1.0), 'slow': (0.4, 1.0)}

    result = measure(ROW, cases(), time.monotonic(), 40.0)
    assert (result.ratio, result.measured) == (0.4, 'slow: 400 ms against 1 s')


def test_the_spread_is_half_of_an_interval_that_contains_the_median_of_90_percent():
    values = [float(value) for value in range(20)]
    assert math.isinf(spread(values[:4]))
    assert spread(values[:5]) == 2.0, 'from the lowest to the highest'
    assert spread(values) == 4.5, 'of 20 values, five on each side may be left out'


def test_a_row_prints_its_result_and_the_reason_why_it_is_left_out(monkeypatch, capsys):
    def left_out() -> Iterator[tuple[float, float]]:
        raise LeftOutError('it needs a shovel')
        yield

    for rounds in (lambda: fixed(*[0.5] * 5), left_out):
        monkeypatch.setitem(ROWS, 'fixed', ROW)
        monkeypatch.setitem(sys.modules, 'benchmarks.fixed', SimpleNamespace(measure=rounds))
        main('fixed', '40')
    figure, reason = map(json.loads, capsys.readouterr().out.splitlines())
    assert Result(**figure).ratio == 0.5
    assert reason == {'left_out': 'it needs a shovel'}


def test_the_table_shows_figures_limits_and_spreads(monkeypatch):
    good = Result(ratio=0.5, spread=0.01, rounds=7, seconds=8.0, measured='1 s against 2 s')
    bad = Result(ratio=1.5, spread=math.inf, rounds=2, seconds=40.0, measured='3 s against 2 s')
    failed, left_out = RowFailedError('no room'), LeftOutError('no shovel')
    made = {'one': [failed, good], 'two': [good, bad], 'three': [good, left_out]}
    for name in made:
        monkeypatch.setitem(ROWS, name, ROW)
    assert table(['before', 'now'], made).splitlines() == [
        'row                     before  spread     now  spread  limit',
        'one                          -             0.5   ±0.01  at most 1',
        'two                        0.5   ±0.01     1.5 unknown  at most 1  MISSED',
        'three                      0.5   ±0.01       -          at most 1  skipped: no shovel',
    ]
    assert line(ROW, good) == '     0.5   ±0.01  at most 1        7 rounds  8 s  1 s against 2 s'
    assert [missed(ROW, each) for each in (good, bad, left_out, failed)] == [0, 1, 0, 1]


def test_processes_of_a_checkout_refuse_the_package_of_another_one(tmp_path):
    shutil.copytree(FOLDER / 'guard', tmp_path / 'benchmarks' / 'guard')
    with pytest.raises(RowFailedError, match=f'{tmp_path}/mujoco_ros_py/__init__.py must be'):
        Tree(tmp_path).run('mujoco_ros_py', '--version', timeout_s=60.0)
    assert 'mujoco_ros_py' in Tree().run('mujoco_ros_py', '--version', timeout_s=60.0)
