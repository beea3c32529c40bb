"""Compiled code on disk: other processes load it, without numba."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from deadline import DEADLINE_S

pytestmark = pytest.mark.slow

USE = """
import json, sys, time
import mujoco
from mujoco_ros_py.engine import CallbackTable, Loop, Point, compile_callback, new_state
import plugin

loop, state, faults = Loop(), new_state(out=-1.0), []
begin = time.perf_counter()
callback = compile_callback(Point.CONTROL, plugin.callback, state, boundscheck=len(sys.argv) > 1)
cost_s = time.perf_counter() - begin
model = mujoco.MjModel.from_xml_string(
    '<mujoco><worldbody><body name="b"><joint/><geom size="1"/></body></worldbody></mujoco>'
)
loop.adopt(model, mujoco.MjData(model))
loop.use(CallbackTable([callback], lambda index, error: faults.append(repr(error))))
numba = 'numba.core.dispatcher' in sys.modules
loop.record.paused, loop.record.burst = 1, 1
loop.run()
print(json.dumps(dict(out=float(state.out), numba=numba, cost_s=cost_s, faults=faults)))
"""
HEAD = 'import mujoco\nimport numpy as np\n\ndef callback(state, model, data):\n    '


@pytest.fixture(scope='module')
def warm(tmp_path_factory) -> Path:
    """A cache with the loop in it, which takes seconds to compile."""
    folder = tmp_path_factory.mktemp('warm')
    site = tmp_path_factory.mktemp('site')
    (site / 'plugin.py').write_text(f'{HEAD}state.out = 0.5')
    assert start(site, folder).result()['numba']
    return folder


@pytest.fixture
def cache(warm, tmp_path) -> Path:
    """A copy of it, for one test."""
    return Path(shutil.copytree(warm, tmp_path / 'cache'))


class Use:
    """A process that uses `plugin.callback` of a folder."""

    def __init__(self, site: Path, cache: Path | str, *args: str) -> None:
        path = os.pathsep.join([str(site), *filter(None, sys.path)])
        env = {**os.environ, 'PYTHONPATH': path, 'MUJOCO_ROS_PY_CACHE_DIR': str(cache),
               'PYTHONDONTWRITEBYTECODE': '1'}  # fmt: skip
        command = [sys.executable, '-c', USE, *args]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=site, env=env
        )

    def result(self) -> dict[str, Any]:
        out, err = self._process.communicate(timeout=DEADLINE_S)
        assert self._process.returncode == 0, err
        *self.printed, last = out.splitlines()
        return json.loads(last)


start = Use


@pytest.fixture
def site(tmp_path) -> Path:
    folder = tmp_path / 'site'
    folder.mkdir()
    return folder


def test_the_second_process_needs_no_numba_and_a_small_part_of_the_time(site, cache):
    (site / 'plugin.py').write_text(f'{HEAD}state.out = model.opt.timestep')
    first, second = start(site, cache).result(), start(site, cache).result()
    assert (first['out'], first['numba']) == (0.002, True)
    assert (second['out'], second['numba']) == (0.002, False)
    assert second['cost_s'] < first['cost_s'] / 5


@pytest.mark.parametrize(
    ('body', 'out'),
    [
        ('state.out = np.zeros(1000).sum() + np.sqrt(16.0) + len([k for k in range(3)])', 7.0),
        ('state.out = mujoco.mju_norm3(data.xipos[1] + 2.0) ** 2 + len(data.contact)', 12.0),
        (
            'state.out = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, "b") + len(str(12))',
            3.0,
        ),
    ],
)
def test_what_numba_provides_works_from_the_cache_too(site, cache, body, out):
    (site / 'plugin.py').write_text(HEAD + body)
    first, second = start(site, cache).result(), start(site, cache).result()
    assert first['out'] == second['out'] == pytest.approx(out)
    assert not first['faults'] + second['faults']


def test_exceptions_are_told_from_the_cache_as_well(site, cache):
    own = 'class OwnError(Exception):\n    pass\n\n'
    raises = 'if data.time >= 0:\n        raise OwnError("no way", 3)'
    (site / 'plugin.py').write_text(own + HEAD + raises)
    faults = [start(site, cache).result()['faults'] for _ in range(2)]
    assert faults == [["OwnError('no way', 3)"]] * 2


SEPARATE = """
from mujoco_ros_py.engine import separate

@separate
def triple(state, time):
    if time < 0.0:
        raise ValueError('a negative time')
    state.out = 3.0 * time
"""


def test_a_function_that_is_compiled_by_itself_comes_from_the_cache_with_its_caller(site, cache):
    (site / 'plugin.py').write_text(f'{SEPARATE}{HEAD}triple(state, data.time + 0.5)')
    first, second = start(site, cache).result(), start(site, cache).result()
    assert (first['out'], first['numba']) == (1.5, True)
    assert (second['out'], second['numba']) == (1.5, False)


def test_without_the_function_its_caller_is_compiled_anew(site, cache):
    (site / 'plugin.py').write_text(f'{SEPARATE}{HEAD}triple(state, data.time + 0.5)')
    before = {*cache.rglob('*.machine_code')}
    assert start(site, cache).result()['out'] == 1.5
    for file in {*cache.rglob('*.machine_code')} - before:
        content = file.read_bytes()
        file.unlink()
        assert start(site, cache).result()['out'] == 1.5
        assert file.read_bytes() == content


def test_exceptions_of_a_function_compiled_by_itself_are_told_from_the_cache(site, cache):
    (site / 'plugin.py').write_text(f'{SEPARATE}{HEAD}triple(state, data.time - 0.5)')
    faults = [start(site, cache).result()['faults'] for _ in range(2)]
    assert faults == [["ValueError('a negative time')"]] * 2


def test_checked_and_unchecked_code_are_kept_apart(site, cache):
    index = 'if data.time < -1:\n        data.qpos[100] = 1.0\n    state.out = data.ctrl[0]'
    (site / 'plugin.py').write_text(HEAD + index)
    for _ in range(2):
        assert 'IndexRangeError' in start(site, cache, 'checked').result()['faults'][0]
        assert start(site, cache).result()['faults'] == []


def test_what_cannot_be_kept_is_compiled_by_each_process(site, cache):
    (site / 'plugin.py').write_text(f'{HEAD}print("printed")\n    state.out = 2.0')
    for _ in range(2):
        use = start(site, cache)
        assert use.result()['out'] == 2.0
        assert use.printed == ['printed']


@pytest.mark.parametrize('content', [b'', b'{}\n', None], ids=['empty', 'headless', 'cut'])
def test_a_damaged_cache_is_compiled_anew(site, cache, content):
    (site / 'plugin.py').write_text(f'{HEAD}state.out = 3.0')
    assert start(site, cache).result()['out'] == 3.0
    newest = max(cache.rglob('*.machine_code'), key=os.path.getmtime)
    whole = newest.read_bytes()
    newest.write_bytes(whole[: len(whole) // 2] if content is None else content)
    again = start(site, cache).result()
    assert (again['out'], again['numba']) == (3.0, True)
    assert len(newest.read_bytes()) == len(whole)


def test_without_a_folder_for_the_cache_everything_works(site, monkeypatch):
    (site / 'plugin.py').write_text(f'{HEAD}state.out = 4.0')
    assert start(site, '/dev/null/nowhere').result()['out'] == 4.0


def test_processes_that_compile_at_once_do_not_disturb_each_other(site, cache):
    (site / 'plugin.py').write_text(f'{HEAD}state.out = 5.0')
    uses = [start(site, cache) for _ in range(4)]
    assert [use.result()['out'] for use in uses] == [5.0] * 4
    assert start(site, cache).result()['numba'] is False


def test_the_cache_is_private(cache):
    (folder,) = {path.parent for path in cache.rglob('*.machine_code')}
    assert folder.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())
