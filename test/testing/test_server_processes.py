"""A server in a separate process has the same commands and states, and always ends."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import pytest
from deadline import DEADLINE_S, runs, until
from docs.pages import ROOT, blocks

from mujoco_ros_py.errors import ConfigError, EndedError, PluginError, SimulationError
from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.testing import serve
from mujoco_ros_py.testing.replay import replay

from .conftest import describe_plugins
from .testing_robot import ROBOT

pytest.importorskip('rclpy', reason='rclpy is not installed')
pytestmark = pytest.mark.slow

PAGE, TOPICS = ROOT / 'docs/how-to/testing.md', 'test_topics.py'
HOLD = {'type': 'mujoco_ros_py/JointController', 'name': 'hold', 'joints': ['hinge']}
PLUGINS = """
from mujoco_ros_py.plugins import MujocoPlugin

class Refusing(MujocoPlugin):
    def load(self, model, data):
        raise ValueError('no gripper')

class Failing(MujocoPlugin):
    def last_stage_callback(self, model, data):
        if data.time > 0.01:
            raise ValueError('worn out')

class Spring(MujocoPlugin):
    def passive_callback(self, model, data):
        data.qfrc_passive[0] -= 4.0

    def last_stage_callback(self, model, data):
        data.sensor('count').data[0] = 100.0 * data.time
"""


@pytest.fixture(scope='module')
def shared():
    with serve(ROBOT, process=True) as server:
        yield server


@pytest.fixture
def process(shared):
    """The server that all tests share, reset to time zero."""
    shared.reset()
    return shared


@pytest.fixture
def described(tmp_path: Path, monkeypatch) -> None:
    """Makes the server find the plugins above, as `robot/Refusing` and so on."""
    describe_plugins(PLUGINS, ['Refusing', 'Failing', 'Spring'], tmp_path, monkeypatch)


def locked(lock: TextIO) -> bool:
    """Tries to lock the file; returns whether this was possible."""
    with suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def test_the_same_commands_lead_to_the_same_states_as_in_a_session(robot, process):
    def states(server):
        yield server.step(100, ctrl={'motor': 0.5})
        yield server.set(qpos={'hinge': 0.1}, mocap={'target': [1, 2, 3, 0, 1, 0, 0]})
        yield server.step()
        yield server.wait_until(lambda state: state.time > 0.25, timeout_s=1.0)
        saved = server.save()
        yield server.step(10)
        yield server.restore(saved)
        yield server.reset(keyframe='home')
        yield server.step(3)
        yield server.set_state(saved.integration)
        yield server.step(50)

    for here, there in zip(states(robot), states(process), strict=True):
        assert here.sample.values.tobytes() == there.sample.values.tobytes()
    assert (there.body('ball').position == here.body('ball').position).all()
    assert there.actuator('motor') == here.actuator('motor')


def test_what_plugins_add_is_in_the_state(described):
    with serve(ROBOT, [{'type': 'robot/Spring'}], process=True) as server:
        state = server.step(3)
        assert state.sensor('count') == pytest.approx(0.6)
        assert state.sample.passive[0] == -4.0
        assert state.joint('hinge').velocity < -0.1


def test_what_is_refused_is_told_as_in_a_session(process):
    with pytest.raises(SimulationError, match=r"unknown keyframe 'hom'.*known: home"):
        process.reset(keyframe='hom')
    with pytest.raises(ConfigError, match="unknown actuator 'moter'"):
        process.step(ctrl={'moter': 1.0})
    assert process.step().time == 0.002


def test_a_plugin_that_is_refused_is_an_error_with_its_reason(described):
    plugins = [{'type': 'robot/Refusing'}]
    with pytest.raises(PluginError, match=r'(?s)exited with code 2.*no gripper'):
        serve(ROBOT, plugins, process=True)
    with serve(ROBOT, plugins, process=True, strict=False) as server:
        assert server.step().time == 0.002
        assert 'no gripper' in server.log


def test_groups_of_plugins_keep_their_namespace_and_names(described):
    group = {'namespace': 'left', 'plugins': [{'type': 'robot/Spring', 'name': 'spring'}]}
    refusing = {'namespace': 'left', 'plugins': [{'type': 'robot/Refusing'}]}
    with pytest.raises(PluginError, match=r'left/refusing: .*no gripper'):
        serve(ROBOT, [group, refusing], process=True)
    structs = {'left': {'plugins': {'names': ['bad'], 'bad': {'type': 'robot/Refusing'}}}}
    with pytest.raises(PluginError, match=r'left/bad: .*no gripper'):
        serve(ROBOT, {'names': ['left'], **structs}, process=True)
    with pytest.raises(ConfigError, match=r'needs type names of plugins, got class.*int'):
        serve(ROBOT, [{'namespace': 'left', 'plugins': [{'type': int}]}], process=True)


def test_a_plugin_that_fails_later_is_an_error_of_that_step(described):
    plugins = [{'type': 'robot/Failing'}]
    with serve(ROBOT, plugins, process=True) as server:
        server.step(3)
        with pytest.raises(PluginError, match=r"(?s)plugin 'failing' has failed.*worn out"):
            server.step(10)
    with serve(ROBOT, plugins, process=True, strict=False) as server:
        server.step(10)
        assert server.problems == ["plugin 'failing' has failed; see the log for the reason"]


def test_a_model_that_cannot_be_compiled_is_told_with_the_error_of_the_compiler():
    with pytest.raises(ConfigError, match=r'(?s)exited with code 2.*XML'):
        serve('<mujoco><worldbody>', process=True)


def test_a_parameter_that_the_server_does_not_have_is_refused():
    with pytest.raises(ConfigError, match=r"unknown parameter 'clock_rat'.*did you mean"):
        serve(ROBOT, process=True, clock_rat=100.0)
    with serve(ROBOT, process=True, clock_rate=50.0) as server:
        server.step()


def test_a_class_is_refused_as_another_process_finds_plugins_by_name():
    class Mine(MujocoPlugin):
        pass

    with pytest.raises(ConfigError, match='needs type names of plugins, got class'):
        serve(ROBOT, [{'type': Mine}], process=True)


def test_a_reload_brings_another_model_and_a_failed_one_changes_nothing(process):
    process.step(10)
    with pytest.raises(SimulationError, match='XML'):
        process.reload(model='<mujoco><worldbody>')
    assert process.step().time == pytest.approx(0.022)
    state = process.reload(model=ROBOT.replace('hinge', 'elbow'))
    assert (state.time, state.joint('elbow').position) == (0.0, 0.0)
    assert process.reload().time == 0.0
    with pytest.raises(ConfigError, match='only be reloaded with a new model, got plugins'):
        process.reload(plugins=[])
    assert process.reload(model=ROBOT).joint('hinge').position == 0.0


def test_live_values_are_configured_and_initial_positions_are_set():
    with serve(ROBOT, [HOLD], process=True, positions={'hinge': 0.3}) as server:
        assert server.state.joint('hinge').position == 0.3
        server.configure('hold', stiffness=0.0, damping=0.0, gravity_compensation=False)
        assert server.step(200).joint('hinge').position < 0.25


def test_two_servers_at_once_have_domains_of_their_own_and_a_closed_one_has_ended(process):
    with serve(ROBOT, process=True) as other:
        assert other.domain_id != process.domain_id
        other.step(10)
        assert process.step().time == 0.002
        pid = other.backend.process.pid
        other.close()
        other.close()
        assert not runs(pid)


def test_a_recording_of_a_process_is_repeated_in_a_process(tmp_path):
    with serve(ROBOT, [HOLD], process=True) as server:
        server.set(qvel={'hinge': 1.0})
        server.step(100)
        folder = server.write_recording(tmp_path / 'recording')
    assert 'mujoco_server' in (folder / 'server.log').read_text()
    assert replay(folder).difference == ''


def test_a_server_that_was_killed_is_told_with_the_end_of_its_log():
    process = serve(ROBOT, process=True)
    until(lambda: 'loaded' in process.backend.process.log, 'a line of the log')
    os.kill(process.backend.process.pid, signal.SIGKILL)
    with pytest.raises(
        EndedError, match=r'(?s)of the server was killed by SIGKILL; its log:.*loaded'
    ):
        process.step()
    with pytest.raises(EndedError, match='SIGKILL'):
        process.step()
    process.close()


def test_a_plugin_that_was_edited_between_two_servers_is_read_anew(described, tmp_path):
    for text in ('no gripper', 'no hand'):
        file = tmp_path / 'robot_plugins.py'
        file.write_text(PLUGINS.replace('no gripper', text))
        with pytest.raises(PluginError, match=text):
            serve(ROBOT, [{'type': 'robot/Refusing'}], process=True)


DRAWING = """
import random
import numpy as np
from mujoco_ros_py.plugins import MujocoPlugin

class Refusing(MujocoPlugin):
    def load(self, model, data):
        drawn = random.random(), np.random.rand(), np.random.default_rng().random()
        raise ValueError('drew {} {} {} end'.format(*drawn))
"""


def test_each_copy_draws_random_numbers_of_its_own(described, tmp_path):
    (tmp_path / 'robot_plugins.py').write_text(DRAWING)
    drawn = []
    for _ in range(2):
        with pytest.raises(PluginError) as caught:
            serve(ROBOT, [{'type': 'robot/Refusing'}], process=True)
        drawn += re.findall(r'drew (\S+) (\S+) (\S+) end', str(caught.value))[0]
    assert len(set(drawn)) == 6


SUITE = """
import pytest
from pathlib import Path

@pytest.mark.mujoco(model='robot.xml', process=True, OPTIONS)
def test_long(server, request):
    process = server.backend.process
    Path('told').write_text(f'{process.pid} {process.domain} {process.folder}\\n')
    while True:
        server.step(1000)
"""
WITHOUT_A_CONTROLLER = (
    'plugins=[{"type": "mujoco_ros_py/TopicBasedHardware", "joints": {"hinge": "position"}}],'
    ' lockstep_period=0.01, lockstep_topics=["/robot_joint_commands"], lockstep_timeout=0.0'
)


@pytest.mark.parametrize(
    ('number', 'options'),
    [(signal.SIGINT, WITHOUT_A_CONTROLLER), (signal.SIGKILL, '')],
    ids=['waits', 'steps'],
)
def test_the_end_of_a_suite_leaves_no_process_and_no_folder(tmp_path, number, options):
    (tmp_path / 'robot.xml').write_text(ROBOT)
    (tmp_path / 'test_long.py').write_text(SUITE.replace('OPTIONS', options))
    command = [sys.executable, '-m', 'pytest', '-p', 'mujoco_ros_py.testing', 'test_long.py']
    suite = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    file, end = tmp_path / 'told', time.monotonic() + DEADLINE_S
    while not (file.exists() and file.read_text().endswith('\n')):
        assert suite.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)
    suite.send_signal(number)
    told, _ = suite.communicate(timeout=DEADLINE_S)
    pid, domain, folder = file.read_text().split()
    with (Path(tempfile.gettempdir()) / f'mujoco_ros_py_domain_{domain}').open('a') as lock:
        until(lambda: locked(lock), 'the end of the lock of its domain')
        assert not Path(f'/proc/{pid}/exe').exists(), 'another server could get its domain'
    until(lambda: not runs(int(pid)), 'the end of the process')
    assert not Path(folder).exists()
    assert number == signal.SIGKILL or 'KeyboardInterrupt' in told


def test_a_suite_may_start_all_its_servers_as_processes_and_that_of_the_page_passes(run_suite):
    (shown,) = (each.text for each in blocks('python', page=PAGE) if each.title == TOPICS)
    done = run_suite(
        """
import pytest

@pytest.mark.mujoco(model='robot.xml')
def test_falls(server):
    assert server.domain_id is not None
    server.step(10)
    assert False
""",
        '--mujoco-process',
        **{TOPICS: shown},
    )
    assert '1 failed, 1 passed' in done.stdout, done.stdout + done.stderr
    (folder,) = re.findall(r'the recording is in (.*)', done.stdout)
    assert 'loaded' in (Path(folder) / 'server.log').read_text()


def copied(server) -> int:
    """Returns the id of the process that the server was forked from."""
    return int(Path(f'/proc/{server.backend.process.pid}/stat').read_text().split()[3])


def test_servers_are_copies_of_a_process_that_has_the_same_environment(shared, monkeypatch):
    """This test must be the last one, because later tests would have to start a new process."""
    shared.close()  # the process ends when its last copy ends
    with serve(ROBOT, process=True) as first:
        common = copied(first)
        with serve(ROBOT, process=True) as second:
            assert copied(second) == common
        monkeypatch.setenv('NUMBA_DEBUG_CACHE', '0')
        with serve(ROBOT, process=True) as other:
            pid = copied(other)
            assert pid != common
        first.step(10)
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # waits for the end of all its threads
    with serve(ROBOT, process=True) as new:
        assert copied(new) not in (pid, common)
        new.step(10)
    until(lambda: not runs(common), 'the end of the process')
