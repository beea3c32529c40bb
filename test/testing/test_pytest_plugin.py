"""The pytest plugin: fixtures, marker, settings, and recordings of the tests that fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from deadline import DEADLINE_S

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


@pytest.mark.slow
def test_a_suite_gets_its_server_by_the_marker_by_its_configuration_and_by_the_settings(run_suite):
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
            'conftest.py': 'import pytest\n\n@pytest.fixture\ndef mujoco_config():\n'
            '    return {"positions": {"hinge": 0.1}}\n'
        },
    )
    assert '3 passed' in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_the_report_of_a_failed_test_names_the_recording_which_repeats_it(run_suite):
    done = run_suite(
        HEAD
        + """
pytestmark = pytest.mark.mujoco(model='robot.xml')

def test_falls(server):
    server.step(10, ctrl={'motor': 0.5})
    server.wait_until(lambda s: s.joint('hinge').position > 9, timeout_s=0.1)

def test_stands(server):
    server.step(10)
"""
    )
    assert '1 failed, 1 passed' in done.stdout, done.stdout + done.stderr
    (folder,) = re.findall(r'the recording is in (.*)', done.stdout)
    assert folder.endswith('base/mujoco-recordings/test_robot.py_test_falls')
    assert f'-m mujoco_ros_py.testing.replay {folder}' in done.stdout
    assert 'condition <lambda> (test_robot.py:' in done.stdout
    again = replayed(folder)
    assert (again.returncode, again.stderr) == (0, '')
    assert again.stdout == '51 states, 60 steps; all equal to the bit\n'


@pytest.mark.slow
def test_recordings_go_to_the_folder_that_is_asked_for_one_for_each_server(run_suite, tmp_path):
    done = run_suite(
        HEAD
        + """
@pytest.mark.mujoco(model='robot.xml')
@pytest.mark.parametrize('angle', [0.1])
def test_two(server, start_server, angle):
    start_server(positions={'hinge': angle}).step(3)
    assert False
""",
        '--mujoco-recordings', str(tmp_path / 'kept'),
    )  # fmt: skip
    assert '1 failed' in done.stdout, done.stdout + done.stderr
    folders = sorted(path.name for path in (tmp_path / 'kept').iterdir())
    assert folders == ['test_robot.py_test_two_0.1', 'test_robot.py_test_two_0.1-2']
    assert '3 steps; all equal' in replayed(str(tmp_path / 'kept' / folders[1])).stdout


@pytest.mark.slow
def test_a_refused_plugin_fails_the_test_unless_the_suite_is_not_strict(run_suite):
    text = (
        HEAD
        + """
@pytest.mark.mujoco(model='robot.xml', plugins=[{'type': Refusing}])
def test_arm(server):
    assert 'no gripper' in server.problems[0]
"""
    )
    done = run_suite(text)
    assert '1 error' in done.stdout, done.stdout + done.stderr
    assert 'PluginError: strict is true, and not every plugin is ready' in done.stdout
    done = run_suite(text, '-o', 'mujoco_strict=false')
    assert '1 passed' in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_a_server_of_a_module_is_reset_before_each_test_and_recorded_from_there(run_suite):
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

def test_third(server):
    servers.add(id(server))
    assert server.time == 0.0
    assert len(servers) == 1
""",
        pytest_ini='[pytest]\nmujoco_model = robot.xml\nmujoco_scope = module\n',
    )
    assert '1 failed, 2 passed' in done.stdout, done.stdout + done.stderr
    (folder,) = re.findall(r'the recording is in (.*)', done.stdout)
    assert replayed(folder).stdout == '1 states, 3 steps; all equal to the bit\n'


@pytest.mark.slow
def test_a_server_of_a_module_is_reset_before_the_fixtures_of_a_test(run_suite):
    done = run_suite(
        HEAD
        + """
@pytest.fixture(autouse=True)
def turned(server):
    server.set(qpos={'hinge': 0.3})

@pytest.mark.parametrize('number', [1, 2])
def test_turned(server, number):
    assert server.time == 0.0
    assert server.step().joint('hinge').position > 0.29
""",
        pytest_ini='[pytest]\nmujoco_model = robot.xml\nmujoco_scope = module\n',
    )
    assert '2 passed' in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_a_plugin_of_a_test_file_is_repeated_with_the_recording(run_suite):
    done = run_suite(
        HEAD
        + """
class Push(MujocoPlugin):
    def control_callback(self, model, data):
        data.ctrl[0] = 0.25

@pytest.mark.mujoco(model='robot.xml', plugins=[Push])
def test_arm(server):
    assert server.step(3).ctrl == [0.5]
"""
    )
    assert '1 failed' in done.stdout, done.stdout + done.stderr
    (folder,) = re.findall(r'the recording is in (.*)', done.stdout)
    assert replayed(folder).stdout == '1 states, 3 steps; all equal to the bit\n'


@pytest.mark.slow
@pytest.mark.parametrize(
    ('text', 'said'),
    [
        (
            "@pytest.mark.mujoco('robot.xml')\ndef test(server): pass",
            'takes its arguments by name',
        ),
        ("@pytest.mark.mujoco(modell='r')\ndef test(server): pass", "unknown parameter 'modell'"),
        ('@pytest.mark.mujoco(model="no.xml")\ndef test(server): pass', 'no.xml'),
    ],
)
def test_what_is_wrong_with_a_marker_is_told(run_suite, text, said):
    done = run_suite(HEAD + text)
    assert '1 error' in done.stdout, done.stdout + done.stderr
    assert said in done.stdout


@pytest.mark.slow
def test_a_suite_may_name_the_plugin_itself_also_where_it_is_installed(
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
        'def test_nothing(server):\n    server.step()\n',
        **{'conftest.py': "pytest_plugins = ['mujoco_ros_py.testing']\n"},
    )
    assert '1 passed' in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_the_plugin_is_cheap_to_import():
    code = (
        'import sys, pytest, mujoco_ros_py.testing\n'
        "heavy = {'mujoco', 'numpy', 'numba', 'llvmlite', 'rclpy', 'lxml'} & set(sys.modules)\n"
        'assert not heavy, heavy'
    )
    subprocess.run([sys.executable, '-c', code], check=True, timeout=DEADLINE_S)


@pytest.mark.slow
def test_programs_and_the_replay_need_no_pytest():
    code = (
        "import sys; sys.modules['pytest'] = None\n"
        'from mujoco_ros_py.testing import serve\n'
        "with serve('<mujoco/>') as server: assert server.step().time == 0.002\n"
        'import mujoco_ros_py.testing.replay'
    )
    subprocess.run([sys.executable, '-c', code], check=True, timeout=DEADLINE_S)


def test_pytest_finds_the_plugin_by_its_entry_point_under_the_name_of_the_module():
    assert "'pytest11': ['mujoco_ros_py.testing = mujoco_ros_py.testing']" in (
        (ROOT / 'setup.py').read_text()
    )
