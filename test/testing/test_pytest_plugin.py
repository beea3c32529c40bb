"""The pytest plugin: fixtures, marker, settings, and recordings of failed tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.testing.replay import Replay, replay

ROOT = Path(__file__).parents[2]
HEAD = """
import pytest
from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.testing import serve

class Refusing(MujocoPlugin):
    def load(self, model, data):
        raise ValueError('no gripper')

"""


def replayed(folder: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, '-m', 'mujoco_ros_py.testing.replay', folder],
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip


PLAIN = (
    HEAD
    + """
class Push(MujocoPlugin):
    def control_callback(self, model, data):
        data.ctrl[0] = 0.25

@pytest.mark.mujoco(model='robot.xml')
def test_falls(server):
    server.step(10, ctrl={'motor': 0.5})
    server.wait_until(lambda s: s.joint('hinge').position > 9, timeout_s=0.1)

@pytest.mark.mujoco(model='robot.xml')
def test_stands(server):
    server.step(10)

@pytest.mark.mujoco(model='robot.xml')
@pytest.mark.parametrize('angle', [0.1])
def test_two(server, start_server, angle):
    start_server(positions={'hinge': angle}).step(3)
    assert False

@pytest.mark.mujoco(model='robot.xml', plugins=[Push])
def test_pushed(server):
    assert server.step(3).ctrl == [0.5]

@pytest.mark.mujoco(model='robot.xml', plugins=[{'type': Refusing}])
def test_arm(server):
    assert 'no gripper' in server.problems[0]

@pytest.mark.mujoco('robot.xml')
def test_position(server): pass

@pytest.mark.mujoco(modell='r')
def test_unknown(server): pass

@pytest.mark.mujoco(model='no.xml')
def test_missing(server): pass
"""
)


@pytest.mark.slow
def test_a_suite_has_servers_by_markers_recordings_of_failures_and_errors_of_what_is_wrong(
    run_suite,
):
    done = run_suite(PLAIN)
    assert '3 failed, 1 passed, 4 errors' in done.stdout, done.stdout + done.stderr
    folders = re.findall(r'the recording is in (.*)', done.stdout)
    names = ('test_falls', 'test_two_0.1', 'test_two_0.1-2', 'test_pushed')
    assert [Path(each).name for each in folders] == [f'test_robot.py_{name}' for name in names]
    assert {Path(each).parts[-3:-1] for each in folders} == {('base', 'mujoco-recordings')}
    assert f'-m mujoco_ros_py.testing.replay {folders[0]}' in done.stdout
    assert 'condition <lambda> (test_robot.py:' in done.stdout
    again = replayed(folders[0])
    assert (again.returncode, again.stderr) == (0, '')
    assert again.stdout == '51 states, 60 steps; all equal to the bit\n'
    assert replayed(folders[-1]).stdout == '1 states, 3 steps; all equal to the bit\n'

    assert 'PluginError: strict is true, and not every plugin is ready' in done.stdout
    for said in ('takes its arguments by name', "unknown parameter 'modell'", 'no.xml'):
        assert said in done.stdout


@pytest.mark.slow
def test_options_choose_the_folder_of_recordings_and_let_plugins_be_refused(run_suite, tmp_path):
    options = ('-k', 'two or arm', '--mujoco-recordings', str(tmp_path / 'kept'))
    done = run_suite(PLAIN, *options, '-o', 'mujoco_strict=false')
    assert '1 failed, 1 passed' in done.stdout, done.stdout + done.stderr
    folders = sorted(path.name for path in (tmp_path / 'kept').iterdir())
    assert folders == ['test_robot.py_test_two_0.1', 'test_robot.py_test_two_0.1-2']


@pytest.mark.slow
def test_an_installed_plugin_may_be_named_and_markers_come_before_configurations_and_settings(
    run_suite, tmp_path, monkeypatch
):
    installed = tmp_path / 'site' / 'robots-1.0.dist-info'
    installed.mkdir(parents=True)
    (installed / 'METADATA').write_text('Metadata-Version: 2.1\nName: robots\nVersion: 1.0\n')
    (installed / 'entry_points.txt').write_text(
        '[pytest11]\nmujoco_ros_py.testing = mujoco_ros_py.testing\n'
    )
    path = filter(None, [os.environ.get('PYTHONPATH')])
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join([str(installed.parent), *path]))
    done = run_suite(
        HEAD
        + """
@pytest.mark.mujoco(model='robot.xml', positions={'hinge': 0.3})
def test_marked(server):
    assert server.state.joint('hinge').position == 0.3

def test_of_the_settings(server):
    assert server.state.joint('hinge').position == 0.1

def test_several(server, start_server):
    other = start_server(positions={'hinge': 0.5})
    other.step(10)
    assert server.time == 0.0
""",
        pytest_ini='[pytest]\nmujoco_model = robot.xml\n',
        **{
            'conftest.py': "import pytest\n\npytest_plugins = ['mujoco_ros_py.testing']\n\n"
            '@pytest.fixture\ndef mujoco_config():\n'
            '    return {"positions": {"hinge": 0.1}}\n'
        },
    )
    assert '3 passed' in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_a_server_of_a_module_is_reset_before_each_test_and_its_fixtures_and_recorded_from_there(
    run_suite,
):
    done = run_suite(
        HEAD
        + """
servers = set()

def test_first(server):
    servers.add(id(server))
    server.step(100)

def test_second(server):
    servers.add(id(server))
    assert server.time == 0.0
    server.step(3)
    assert False

@pytest.fixture
def turned(server):
    server.set(qpos={'hinge': 0.3})

def test_third(turned, server):
    servers.add(id(server))
    assert server.time == 0.0
    assert len(servers) == 1
    assert server.step().joint('hinge').position > 0.29
""",
        pytest_ini='[pytest]\nmujoco_model = robot.xml\nmujoco_scope = module\n',
    )
    assert '1 failed, 2 passed' in done.stdout, done.stdout + done.stderr
    (folder,) = re.findall(r'the recording is in (.*)', done.stdout)
    assert replay(Path(folder)) == Replay(states=1, steps=3)


@pytest.mark.slow
def test_the_plugin_is_cheap_to_import_and_programs_and_the_replay_need_no_pytest():
    code = (
        'import sys, pytest, mujoco_ros_py.testing\n'
        "heavy = {'mujoco', 'numpy', 'numba', 'llvmlite', 'rclpy', 'lxml'} & set(sys.modules)\n"
        'assert not heavy, heavy\n'
        "for name in [n for n in sys.modules if n.partition('.')[0] == 'mujoco_ros_py']:\n"
        '    del sys.modules[name]\n'
        "sys.modules['pytest'] = None\n"
        'from mujoco_ros_py.testing import serve\n'
        "with serve('<mujoco/>') as server: assert server.step().time == 0.002\n"
        'import mujoco_ros_py.testing.replay'
    )
    subprocess.run([sys.executable, '-c', code], check=True, timeout=DEADLINE_S)


def test_pytest_finds_the_plugin_by_its_entry_point_under_the_name_of_the_module():
    assert "'pytest11': ['mujoco_ros_py.testing = mujoco_ros_py.testing']" in (
        (ROOT / 'setup.py').read_text()
    )
