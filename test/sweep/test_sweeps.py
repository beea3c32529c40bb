"""Sweeps with real servers, controllers and workers of Ray."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from deadline import until

from mujoco_ros_py.sweep.outcome import Outcome
from mujoco_ros_py.sweep.scenario_file import read_scenarios, runs_of
from mujoco_ros_py.sweep.single_run import carry_out
from mujoco_ros_py.testing import process_backend

from .sweep_processes import (
    command_of,
    descendants,
    folder_of,
    outcomes,
    python,
    results,
    run,
    started,
    swept,
)
from .sweep_states import ROD

for _library in ('ray', 'pyarrow', 'plotly', 'rich'):
    pytest.importorskip(_library, reason='the extra `sweep` is not installed')
pytest.importorskip('rclpy', reason='rclpy is not installed')
pytestmark = pytest.mark.slow

ANSWERING = """
import os, signal, subprocess, sys, time
import rclpy
from sensor_msgs.msg import JointState

mode = os.environ.get('SWEEP_MODE', 'good')
if mode == 'stubborn':
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    subprocess.Popen(['sleep', '1000000'])
rclpy.init(signal_handler_options=rclpy.signals.SignalHandlerOptions.NO)
node = rclpy.create_node('answering')
commands = node.create_publisher(JointState, '/robot_joint_commands', 10)

def answer(state):
    if state.header.stamp.nanosec >= 50_000_000:
        if mode == 'hangs':
            time.sleep(1e6)
        if mode == 'fails':
            sys.exit('the motor is hot')
        if mode == 'done':
            sys.exit(0)
        if mode == 'killed':
            os.kill(os.getpid(), signal.SIGKILL)
    angle = state.position[0] - float(os.environ.get('SWEEP_GOAL', 0.2))
    effort = -40.0 * angle - 4.0 * state.velocity[0]
    commands.publish(JointState(header=state.header, name=['hinge'], effort=[effort]))

node.create_subscription(JointState, '/robot_joint_states', answer, 10)
rclpy.spin(node)
"""
FILE = """
model: rod.xml
plugins: [{type: mujoco_ros_py/TopicBasedHardware, rate: 100.0, joints: {hinge: effort}}]
parameters: {lockstep_period: 0.01, lockstep_topics: [/robot_joint_commands]}
controller: ["{python}", answering.py]
until: {time: 0.5}
measures: {angle: "joint('hinge').position"}
success: abs(joint('hinge').position - goal) < 0.3
vary: {goal: [0.1, 0.2, 0.6], rod.mass: [1.0, 2.0]}
"""

RUNS = int(os.environ.get('SWEEP_RUNS', '8'))
"""The number of runs in the sweep of the arm, a multiple of 4."""

REACHING = """
import rclpy
from sensor_msgs.msg import JointState

rclpy.init()
node = rclpy.create_node('reaching')
goal = node.declare_parameter('goal', 0.5).value
commands = node.create_publisher(JointState, '/robot_joint_commands', 10)

def answer(state):
    command = JointState(header=state.header, name=state.name)
    for name, position, velocity in zip(state.name, state.position, state.velocity):
        wanted = goal if name in ('joint2', 'joint4') else 0.0
        command.effort.append(400.0 * (wanted - position) - 30.0 * velocity)
    commands.publish(command)

node.create_subscription(JointState, '/robot_joint_states', answer, 10)
rclpy.spin(node)
"""
ARM = f"""
model: package://mujoco_ros_py/examples/arm.xml
plugins:
  - type: mujoco_ros_py/TopicBasedHardware
    rate: 100.0
    joints: {{joint1: effort, joint2: effort, joint3: effort, joint4: effort,
             joint5: effort, joint6: effort, joint7: effort}}
parameters: {{lockstep_period: 0.01, lockstep_topics: [/robot_joint_commands]}}
controller: ["{{python}}", reaching.py]
until: {{time: 0.5}}
measures: {{angle: joint('joint4').position}}
success: abs(joint('joint4').position - goal) < 0.3
vary:
  goal: {{uniform: [0.1, 0.5], samples: {RUNS // 4}, seed: 1}}
  link7.mass: [0.1, 1.0, 2.0, 4.0]
retries: 5
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / 'rod.xml').write_text(ROD)
    (tmp_path / 'answering.py').write_text(ANSWERING)
    (tmp_path / 'scenarios.yaml').write_text(FILE)
    return tmp_path


def wait_until_gone(processes: dict[int, str]) -> None:
    until(lambda: not any(map(command_of, processes)), f'the end of {processes}')


@pytest.mark.nightly
def test_two_sweeps_of_the_arm_are_equal_though_workers_of_the_second_are_killed(folder):
    import pyarrow.parquet

    (folder / 'reaching.py').write_text(REACHING)
    (folder / 'arm.yaml').write_text(ARM)
    code, printed = swept(folder, 'arm.yaml', '-o', 'first')
    assert code == 0, printed
    assert f'{RUNS} runs: {RUNS} passed; first/report.html' in printed
    table = pyarrow.parquet.read_table(folder / 'first/results.parquet').to_pydict()
    assert table['number'] == [*range(RUNS)]
    assert table['value.link7.mass'] == [0.1, 1.0, 2.0, 4.0] * (RUNS // 4)
    assert len(set(table['state'])) == RUNS
    report = (folder / 'first/report.html').read_text()
    assert 'Plotly.newPlot' in report
    assert 'src="http' not in report
    assert not (folder / 'first/runs').exists()

    process = started(folder, 'arm.yaml', '-o', 'second')
    choice = random.Random(0)
    moments = sorted(choice.sample(range(RUNS - 2), max(3, RUNS // 10)))
    killed = []

    def kill_workers() -> None:
        """Kills the worker of a running run, each time after this number of ended runs."""
        while process.poll() is None and len(killed) < len(moments):
            if len(outcomes(folder / 'second')) < moments[len(killed)]:
                time.sleep(0.01)
                continue
            below = descendants(process.pid)
            # the process that servers are forked from, and the server
            busy = [pid for pid in below if command_of(pid).startswith('ray::') and sum(
                'copied_process' in each for each in descendants(pid).values()) > 1]  # fmt: skip
            if busy:
                killed.append(choice.choice(busy))
                os.kill(killed[-1], signal.SIGKILL)

    thread = threading.Thread(target=kill_workers)
    thread.start()
    printed, _ = process.communicate()
    thread.join()
    assert process.returncode == 0, printed
    assert len(killed) == len(moments)
    assert results(folder / 'second') == results(folder / 'first')
    assert sorted(each['number'] for each in outcomes(folder / 'second')) == [*range(RUNS)]
    attempts = sum(each['attempts'] for each in outcomes(folder / 'second'))
    assert attempts >= RUNS + len(killed) - 1  # one run may have been judged before its kill


def with_a_controller(process: subprocess.Popen[str]) -> dict[int, str]:
    """Waits until a controller runs below the process; returns all processes below."""

    def found() -> dict[int, str]:
        below = descendants(process.pid)
        return below if any('answering.py' in each for each in below.values()) else {}

    return until(found, 'a controller')


@pytest.mark.nightly
def test_ctrl_c_leaves_no_process_and_the_sweep_goes_on_where_it_was(folder):
    process = started(folder, 'scenarios.yaml')
    place = folder / 'scenarios_sweep'
    until(lambda: len(outcomes(place)) >= 2 or process.poll() is not None, 'two runs')
    below = with_a_controller(process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    printed, _ = process.communicate()
    assert process.returncode == 130, printed
    assert 'interrupted; --resume continues' in printed
    assert (place / 'report.html').exists()
    wait_until_gone(below)
    before = outcomes(place)
    assert 2 <= len(before) < 6

    assert swept(folder, 'scenarios.yaml')[0] == 2
    code, printed = swept(folder, 'scenarios.yaml', '--resume')
    assert code == 0, printed
    assert f'{len(before)} runs are already done' in printed
    after = outcomes(place)
    assert after[: len(before)] == before
    assert sorted(each['number'] for each in after) == [*range(6)]


ONE_RUN = """
from pathlib import Path
from mujoco_ros_py.sweep.scenario_file import read_scenarios, runs_of
from mujoco_ros_py.sweep.single_run import carry_out

file = Path('scenarios.yaml')
carry_out(runs_of(read_scenarios(file), file)[0])
"""
KILLED_AT_ONCE = (
    """
import os, signal, subprocess

class Popen(subprocess.Popen):
    def __init__(self, words, *args, **given):
        super().__init__(words, *args, **given)
        if 'answering.py' in words:
            os.kill(os.getpid(), signal.SIGKILL)

subprocess.Popen = Popen
"""
    + ONE_RUN
)
"""A run whose process is killed between the start of a controller and the next line."""


@pytest.mark.parametrize(
    'words',
    [
        pytest.param(['-c', ONE_RUN], id='run'),
        pytest.param(
            ['-m', 'mujoco_ros_py', 'sweep', 'scenarios.yaml'],
            marks=pytest.mark.nightly, id='sweep'),
    ],
)  # fmt: skip
def test_a_run_or_a_sweep_that_is_killed_leaves_no_process_and_no_folder(folder, words):
    file = folder / 'scenarios.yaml'
    file.write_text(
        FILE.replace('vary:', 'cases: [{mode: hangs, goal: 0.1}, {mode: hangs, goal: 0.2}]\n#')
    )
    process = python(folder, *words)
    below = with_a_controller(process)
    folders = set(filter(None, map(folder_of, below)))
    assert len(folders) >= 2  # the folders of the run and of its server
    process.kill()
    process.communicate()
    wait_until_gone(below)
    until(lambda: not any(each.exists() for each in folders), f'the end of {folders}')


def test_a_run_that_is_killed_while_it_starts_a_controller_leaves_no_process(folder):
    process = python(folder, '-c', KILLED_AT_ONCE)
    told, _ = process.communicate()
    assert process.returncode == -signal.SIGKILL, told

    def left() -> list[str]:
        """Returns the commands of the processes that work in the folder."""
        found = []
        for entry in Path('/proc').glob('[0-9]*'):
            with suppress(OSError):
                if Path(os.readlink(entry / 'cwd')) == folder:
                    found.append(command_of(int(entry.name)))
        return found

    until(lambda: not left(), 'the end of the controller')


JUDGING = """
import sys
from pathlib import Path
from mujoco_ros_py.sweep.finished_run import judged
from mujoco_ros_py.sweep.scenario_file import read_scenarios, runs_of
file = Path('scenarios.yaml')
judged(runs_of(read_scenarios(file), file)[0], Path.cwd(), {}, 1000.0)
"""


def test_a_judgement_ends_with_the_process_that_waits_for_it(folder):
    (folder / 'judge.py').write_text(
        "import os, pathlib, time\npathlib.Path('pid').write_text(f'{os.getpid()}.')\n"
        'time.sleep(1e6)\n'
    )
    file = folder / 'scenarios.yaml'
    file.write_text(re.sub('success: .*', 'success: {function: "judge:judge"}', file.read_text()))
    process = python(folder, '-c', JUDGING)
    place = folder / 'pid'
    until(lambda: place.exists() and place.read_text().endswith('.'), 'the judgement')
    process.kill()
    process.communicate()
    until(lambda: not command_of(int(place.read_text()[:-1])), 'the end of the judgement')


def carried_out(folder: Path) -> dict[Any, Outcome]:
    """Makes the runs of the file without Ray; returns the outcomes by the varied value."""
    file = folder / 'scenarios.yaml'
    runs = runs_of(read_scenarios(file), file)
    return {next(iter(spec.values.values())): carry_out(spec)[0] for spec in runs}


DECLARING = """
import rclpy

rclpy.init()
node = rclpy.create_node('declaring')
assert node.declare_parameter('gain', 0.5).value == 2.0
assert list(node.declare_parameter('points', [0.5]).value) == [1.0, 2.0]
"""


def test_whole_numbers_are_doubles_for_a_controller_that_declares_doubles(folder):
    (folder / 'declaring.py').write_text(DECLARING)
    (folder / 'scenarios.yaml').write_text(
        'model: rod.xml\n'
        'controller: ["{python}", declaring.py]\n'
        'until: {controllers_done: true, time: 1000.0}\n'
        'success: time < 1000\n'
        'vary: {gain: [2], points: [[1, 2]]}\n'
        'retries: 0\n'
    )
    outcome = carried_out(folder)[2]
    assert (outcome.verdict, outcome.reason, outcome.attempts) == ('passed', '', 1)


def test_a_run_whose_server_does_not_load_in_time_is_hung(folder, monkeypatch):
    monkeypatch.setattr(process_backend, '_LOOK_S', 0.0)
    (folder / 'scenarios.yaml').write_text(
        'model: rod.xml\n'
        'until: {time: 1.0}\n'
        'success: time > 0\n'
        'time_limit: 0.001\n'
        'vary: {gain: [1.0]}\n'
    )
    outcome = carried_out(folder)[1.0]
    assert (outcome.verdict, outcome.started, outcome.attempts) == ('hung', False, 1)


def test_a_run_with_a_topic_that_no_plugin_takes_does_not_start(folder):
    text = FILE.replace('commands]', 'command]').replace('[0.1, 0.2, 0.6]', '[0.1]')
    (folder / 'scenarios.yaml').write_text(text.replace('[1.0, 2.0]', '[1.0]'))
    outcome = carried_out(folder)[0.1]
    assert (outcome.verdict, outcome.started) == ('failed', False)
    assert 'lockstep_topics: no plugin subscribes to /robot_joint_command in' in outcome.reason


@pytest.mark.nightly
@pytest.mark.parametrize(
    ('old', 'new', 'cause'),
    [
        (
            'TopicBasedHardware',
            'TopicBasedHardwar',
            "unknown plugin type 'mujoco_ros_py/TopicBase",
        ),
        ('commands]', 'command]', 'lockstep_topics: no plugin subscribes to /robot_joint_comm'),
    ],
)
def test_a_mistake_that_is_the_same_for_all_runs_ends_the_sweep(folder, old, new, cause):
    (folder / 'scenarios.yaml').write_text(FILE.replace(old, new))
    code, printed = run('sweep', folder, 'scenarios.yaml', '-o', 'out')
    assert code == 2, printed
    (told,) = [line for line in printed.splitlines() if 'no run can start: ' in line]
    assert cause in told
    assert not (folder / 'out').exists()


def test_each_failure_tells_its_reason(folder):
    modes = ['hangs', 'killed', 'done', 'stubborn']
    text = FILE.replace('vary:', f'vary: {{mode: {modes}}}\nstall_limit: 20.0\nretries: 1\n#')
    (folder / 'scenarios.yaml').write_text(text.replace('position - goal', 'position - 0.2'))
    found = carried_out(folder)
    assert {mode: each.verdict for mode, each in found.items()} == {
        'hangs': 'hung', 'killed': 'died', 'done': 'failed', 'stubborn': 'passed'
    }  # fmt: skip
    assert 'the lockstep waits for an answer' in found['hangs'].reason
    assert 'was killed by SIGKILL' in found['killed'].reason
    assert found['killed'].attempts == 2
    assert 'exited with code 0' in found['done'].reason


def test_a_failure_is_kept_and_repeated_by_one_command_though_ctrl_c_has_ended_the_sweep(folder):
    text = FILE.replace('vary:', 'cases: [{mode: fails}, {mode: hangs}]\n#')
    (folder / 'scenarios.yaml').write_text(text.replace('position - goal', 'position - 0.2'))
    process = started(folder, 'scenarios.yaml', '-o', 'out', '--jobs', '1')
    until(lambda: outcomes(folder / 'out') or process.poll() is not None, 'a run')
    below = with_a_controller(process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    printed, _ = process.communicate()
    assert process.returncode == 130, printed
    assert 'interrupted; --resume continues' in printed
    wait_until_gone(below)
    (outcome,) = outcomes(folder / 'out')
    assert outcome['verdict'] == 'failed'
    assert 'exited with code 1; its log:\n' in outcome['reason']
    assert 'the motor is hot' in outcome['reason']
    assert (folder / 'out/report.html').exists()
    kept = folder / 'out/runs/0000'
    assert {path.name for path in kept.iterdir()} >= {
        'controller.log', 'recording.mcap', 'repeat.txt', 'run.json', 'server.log',
    }  # fmt: skip
    assert 'the motor is hot' in (kept / 'controller.log').read_text()
    code, printed = run('replay', folder, str(kept / 'recording.mcap'), '--verify')
    assert code == 0, printed
    (folder / 'rod.xml').write_text('<mujoco/>')  # the repeated run uses the recorded model
    code, printed = swept(folder, '--repeat', str(kept), '--headless', '--realtime', '-1')
    assert code == 0, printed
    assert 'the same to the bit' in printed
    (kept / 'recording.mcap').unlink()
    code, printed = swept(folder, '--repeat', str(kept), '--headless', '--realtime', '-1')
    assert code == 1, printed
    assert 'note: the model is built again, because the recording cannot be used' in printed


JUDGES = """
def high(run):
    assert run.recording.exists() and run.folder.is_dir()
    assert run.values['goal'] < 0.5, 'the goal is too high'
    return run.state.joint('hinge').position > 0.0, 'the rod is on the other side'


def test_low(sweep_run):
    assert abs(sweep_run.time - 0.25) < 1e-6
    assert sweep_run.measures['angle'] < 0.0
"""


@pytest.mark.parametrize(
    ('judge', 'verdicts', 'reason'),
    [
        ('{function: "judges:high"}', {-0.2: 'failed'}, {-0.2: 'the rod is on the other side'}),
        pytest.param(
            '{function: "judges:high"}', {0.2: 'passed', 0.6: 'failed'},
            {0.6: 'judges:high: the goal is too high'}, marks=pytest.mark.nightly),
        ('{test: "judges.py::test_low"}', {0.2: 'failed'}, {0.2: 'assert'}),
        pytest.param(
            '{test: "judges.py::test_low"}', {-0.2: 'passed'}, {}, marks=pytest.mark.nightly),
        pytest.param(
            '{function: "judges:low"}', {0.2: 'failed'},
            {0.2: "unknown function of judges 'low'; known: high, test_low"},
            marks=pytest.mark.nightly),
    ],
)  # fmt: skip
def test_functions_and_tests_judge_runs(folder, judge, verdicts, reason):
    (folder / 'judges.py').write_text(JUDGES)
    text = re.sub('success: .*', f'success: {judge}', FILE)
    cases = [{'goal': goal} for goal in verdicts]
    text = text.replace('vary:', f'cases: {cases}\n#')
    (folder / 'scenarios.yaml').write_text(text.replace('time: 0.5', 'time: 0.25'))
    found = carried_out(folder)
    assert {goal: each.verdict for goal, each in found.items()} == verdicts
    for goal, text in reason.items():
        assert text in found[goal].reason


def test_a_run_without_lockstep_takes_the_time_that_its_controllers_need(folder):
    text = re.sub('parameters: .*', '', FILE).replace('vary:', 'cases: [{goal: 0.2}]\n#')
    text = text.replace('time: 0.5', "time: 5.0, when: 'time > 1.0'")
    (folder / 'scenarios.yaml').write_text(text)
    (outcome,) = carried_out(folder).values()
    assert outcome.passed, outcome.reason
    assert outcome.time_s == pytest.approx(1.01, abs=0.011)
    assert outcome.wall_s > 1.0
