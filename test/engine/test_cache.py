"""Compiled code on disk: other processes load it, without numba."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from deadline import DEADLINE_S

from .copied_cache import copied_cache

pytestmark = pytest.mark.slow

USE = """
import json, sys, time
import mujoco
from mujoco_ros_py.engine import CallbackTable, Loop, Point, compile_callback, new_state
import plugin

model = mujoco.MjModel.from_xml_string(
    '<mujoco><worldbody><body name="b"><joint/><geom size="1"/></body></worldbody></mujoco>'
)
results, cost_s = {}, 0.0
for name in plugin.names:
    loop, state, faults = Loop(), new_state(out=-1.0), []
    begin = time.perf_counter()
    checked = name.endswith('checked')
    callback = compile_callback(Point.CONTROL, getattr(plugin, name), state, boundscheck=checked)
    cost_s += time.perf_counter() - begin
    loop.adopt(model, mujoco.MjData(model))
    loop.use(CallbackTable([callback], lambda index, error: faults.append(repr(error))))
    loop.record.paused, loop.record.burst = 1, 1
    loop.run()
    loop.release()
    results[name] = float(state.out), faults
    if not faults:  # what is raised is read by numba
        numba = 'numba.core.dispatcher' in sys.modules
print(json.dumps(dict(results=results, numba=numba, cost_s=cost_s)))
"""
HEAD = """
import mujoco
import numpy as np
from mujoco_ros_py.engine import separate
"""
PLUGIN = (
    HEAD
    + """
class OwnError(Exception):
    pass

@separate
def triple(state, time):
    if time < 0.0:
        raise ValueError('a negative time')
    state.out = 3.0 * time

def arrays(state, model, data):
    state.out = np.zeros(1000).sum() + np.sqrt(16.0) + len([k for k in range(3)])

def library(state, model, data):
    state.out = mujoco.mju_norm3(data.xipos[1] + 2.0) ** 2 + len(data.contact)
    state.out += mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, 'b') + len(str(12))

def raising(state, model, data):
    if data.time >= 0:
        raise OwnError('no way', 3)

def separated(state, model, data):
    triple(state, data.time + 0.5)

def separately_raising(state, model, data):
    triple(state, data.time - 0.5)

def whole(state, model, data):
    data.qfrc_applied[:] = data.qvel + 2.0
    data.qfrc_applied[:] *= np.array([3.0])
    state.out = data.qfrc_applied[0]

def with_a_text(state, model, data):
    if model.nv < 2:
        raise ValueError(f'{model.nv} of two', str(model.nq))

def of_another_length(state, model, data):
    data.qfrc_applied[:] = np.zeros(model.nv + 2)

def beyond(state, model, data):
    if data.time < -1:
        data.qpos[100] = 1.0
    state.out = data.ctrl[0]

beyond_checked = beyond
names = [
    'arrays', 'library', 'separated', 'whole', 'beyond', 'raising', 'separately_raising',
    'with_a_text', 'of_another_length', 'beyond_checked'
]
"""
)
PRINTING = (
    HEAD
    + """
def printing(state, model, data):
    print('printed')
    state.out = 2.0

names = ['printing']
"""
)


class Use:
    """A process that runs the callbacks of the module `plugin` of a folder."""

    def __init__(self, site: Path, cache: Path | str) -> None:
        path = os.pathsep.join([str(site), *filter(None, sys.path)])
        env = {**os.environ, 'PYTHONPATH': path, 'MUJOCO_ROS_PY_CACHE_DIR': str(cache),
               'PYTHONDONTWRITEBYTECODE': '1'}  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, '-c', USE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=site, env=env,
        )  # fmt: skip

    def result(self) -> dict[str, Any]:
        out, err = self._process.communicate(timeout=DEADLINE_S)
        assert self._process.returncode == 0, err
        *self.printed, last = out.splitlines()
        return json.loads(last)


def damage(files: list[Path]) -> None:
    """Damages each file in a different way; removed files have to be compiled again too."""
    for number, file in enumerate(files):
        whole = file.read_bytes()
        file.write_bytes([b'', b'{}\n', whole[: len(whole) // 2]][number % 3])
        if number % 4 == 3:
            file.unlink()


class Runs(NamedTuple):
    """Results of processes with the same callbacks and the same cache."""

    first: dict[str, Any]
    """The process that compiled everything."""
    later: list[dict[str, Any]]
    """The later processes; some of the code was damaged before each."""
    last: dict[str, Any]
    """The last process, which found everything compiled."""
    printing: Use
    """The process that ran first, with code that cannot be cached."""
    cache: Path


@pytest.fixture(scope='module')
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    site = tmp_path_factory.mktemp('site')
    cache = copied_cache(tmp_path_factory.mktemp('cache'))
    (site / 'plugin.py').write_text(PRINTING)
    printing = Use(site, cache)
    printing.result()
    # the loop takes seconds to compile, so it is not damaged
    loop = {*cache.rglob('*.machine_code')}
    (site / 'plugin.py').write_text(PLUGIN)
    first, later = Use(site, cache).result(), []
    files = sorted({*cache.rglob('*.machine_code')} - loop, key=os.path.getmtime)
    # a function and its caller are adjacent, so they are never damaged together
    for turn in (0, 1):
        damage(files[turn::3])
        # two processes compile at the same time
        uses = [Use(site, cache) for _ in range(2 - turn)]
        later += [use.result() for use in uses]
    return Runs(first, later, Use(site, cache).result(), printing, cache)


def test_another_process_needs_no_numba_and_a_small_part_of_the_time(runs):
    assert runs.first['numba']
    assert not runs.last['numba']
    assert runs.last['cost_s'] < runs.first['cost_s'] / 5


def test_what_numba_provides_and_separate_functions_work_from_the_cache_too(runs):
    expected = {'arrays': 7.0, 'library': 15.0, 'separated': 1.5, 'whole': 6.0}
    for run in (runs.first, runs.last):
        for name, value in expected.items():
            assert run['results'][name] == [pytest.approx(value), []]


def test_exceptions_are_told_from_the_cache_as_well(runs):
    for run in (runs.first, runs.last):
        assert run['results']['raising'][1] == ["OwnError('no way', 3)"]
        assert run['results']['separately_raising'][1] == ["ValueError('a negative time')"]
        assert run['results']['with_a_text'][1] == ["ValueError('1 of two', '1')"]
        assert run['results']['of_another_length'][1] == ['BroadcastError(1, 3, 1)']


def test_checked_and_unchecked_code_are_kept_apart(runs):
    for run in (runs.first, runs.last):
        assert run['results']['beyond'][1] == []
        (fault,) = run['results']['beyond_checked'][1]
        assert 'IndexRangeError' in fault


def test_what_is_damaged_or_gone_is_compiled_anew_also_by_two_processes_at_once(runs):
    for run in runs.later:
        results = {name: faults for name, (_, faults) in run['results'].items()}
        assert results == {name: faults for name, (_, faults) in runs.first['results'].items()}
    at_once, (alone,) = runs.later[:2], runs.later[2:]
    assert any(run['numba'] for run in at_once), 'one may compile for both'
    assert alone['numba']


def test_what_cannot_be_kept_is_compiled_by_each_process(runs, tmp_path):
    (tmp_path / 'plugin.py').write_text(PRINTING)
    use = Use(tmp_path, runs.cache)
    assert use.result()['results'] == {'printing': [2.0, []]}
    assert use.printed == runs.printing.printed == ['printed']
