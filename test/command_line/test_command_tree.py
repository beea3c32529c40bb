"""The tree of commands: help, suggestions, hints and completion, without ROS."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import click
import numpy as np
import pytest
from deadline import DEADLINE_S

import mujoco_ros_py
from mujoco_ros_py import command_line
from mujoco_ros_py.command_line.command_tree import COMMANDS, tree
from mujoco_ros_py.command_line.ros_arguments import ros_hint, split_ros_arguments

WITH_ROS = pytest.mark.skipif(find_spec('rclpy') is None, reason='rclpy is not installed')
HEAVY = ('rclpy', 'mujoco', 'numpy', 'numba', 'lxml', 'ray', 'mcap')
IMPORTED = f"""
import sys
from mujoco_ros_py.__main__ import main
code = main()
print('IMPORTED', code, *(name for name in {HEAVY!r} if name in sys.modules))
"""
WITHOUT_CLICK = """
import sys
from mujoco_ros_py import __main__, server_start
server_start.serve = lambda argv: print(argv, 'click' in sys.modules) or 0
sys.exit(__main__.main())
"""


def python(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, '-c', *words],
        env={**os.environ, **environment},
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip


def commands(group: click.Group, *path: str) -> list[tuple[str, ...]]:
    """Returns the paths of all commands below a group."""
    found: list[tuple[str, ...]] = []
    context = click.Context(group)
    for name in group.list_commands(context):
        each = group.get_command(context, name)
        assert each is not None
        found.append((*path, name))
        if isinstance(each, click.Group):
            found += commands(each, *path, name)
    return found


def test_the_help_lists_every_command(capsys):
    assert command_line.run(['--help']) == 0
    lines = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert set(COMMANDS) < set(lines)
    assert {'sweep', 'publish', 'echo', 'tf'} < set(COMMANDS)


def test_the_version_comes_with_those_that_a_bug_report_needs(capsys, monkeypatch):
    monkeypatch.setenv('RMW_IMPLEMENTATION', 'rmw_zenoh_cpp')
    assert command_line.run(['--version']) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f'mujoco_ros_py {mujoco_ros_py.__version__}'
    assert {f'numpy {np.__version__}', 'RMW_IMPLEMENTATION=rmw_zenoh_cpp'} < set(lines)


def test_every_command_at_every_level_explains_itself(capsys):
    paths = commands(tree)
    assert {('param', 'dump'), ('mjcf', 'validate'), ('run',)} < set(paths)
    for path in paths:
        assert command_line.run([*path, '--help']) == 0
        text = capsys.readouterr().out
        assert text.startswith(f'Usage: mujoco_ros_py {" ".join(path)}')
        assert len(text.splitlines()) > 3


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['swep'], "unknown command 'swep' (did you mean 'sweep'?); known: action, call"),
        (['call', 'reset', '--timout', '3'], 'No such option'),
        (['call'], "Missing argument 'NAME'"),
        pytest.param(['tf', 'world'], 'two frames are needed', marks=WITH_ROS),
        (['-p', 'modelfile:=x'], 'mujoco_ros_py --ros-args -p modelfile:=x'),
        (['a.xml', 'realtime:=2'], 'mujoco_ros_py a.xml --ros-args -p realtime:=2'),
        (['realtime:=2'], 'mujoco_ros_py --ros-args -p realtime:=2'),
        (['--params-file', 'a.yaml'], 'mujoco_ros_py --ros-args --params-file a.yaml'),
        (['a.xml', 'gone.yaml'], 'gone.yaml cannot be read: No such file'),
        (['--enclave', '/a'], 'mujoco_ros_py --ros-args --enclave /a'),
        (['render', 'a.mcap', '-o', 'a.mp4', '--ros-args'], 'render, which needs no ROS'),
        (['sweep', 'a.yaml', '--ros-args'], '--ros-args is not for sweep'),
    ],
)
def test_a_mistake_ends_with_exit_code_2_and_what_is_meant(
    tmp_path, monkeypatch, capsys, words, said
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.modules['mujoco_ros_py.server_start'], 'model_process', lambda: None)
    assert command_line.run(words) == 2
    assert said in capsys.readouterr().err


def test_what_follows_ros_args_is_for_ros():
    assert split_ros_arguments(['a', '--rate', '2']) == (['a', '--rate', '2'], [])
    words = ['a', '--ros-args', '-p', 'b:=c', '--', 'd']
    assert split_ros_arguments(words) == (['a', 'd'], ['--ros-args', '-p', 'b:=c'])
    assert ros_hint(['publish', '/a', '{text: "b:=c"}']) == ''


@pytest.fixture
def served(monkeypatch):
    """Returns a function that runs the command line and returns the arguments of the server."""
    came: list[list[str]] = []
    commands = import_module('mujoco_ros_py.command_line.run_command')
    monkeypatch.setattr(commands, 'serve', lambda argv: came.append(argv) or 0)

    def do(*words: str) -> list[str]:
        assert command_line.run(words) == 0
        return came.pop()

    return do


def test_a_model_runs_by_itself(served, tmp_path):
    assert served('robot.xml') == ['--ros-args', '-p', "modelfile:='robot.xml'"]
    assert served('run', "it's.xml")[-1] == "modelfile:='it''s.xml'"
    plugins = tmp_path / 'plugins.yaml'
    plugins.write_text('- {type: a/B}')
    given = served(
        '--speed', '2', 'package://a/b.xml', str(plugins), '--viewer', '--paused', '--steps', '5',
        '--window', '--ros-args', '-r', '__ns:=/lab',
    )  # fmt: skip
    assert given[-2:] == ['-r', '__ns:=/lab']
    assert given[2:-2:2] == [
        "modelfile:='package://a/b.xml'", f"MujocoPlugins:='{plugins}'", 'viewer:=web',
        'headless:=false', 'realtime:=2.0', 'unpause:=false', 'num_steps:=5',
    ]  # fmt: skip
    plugins.write_text('/**: {ros__parameters: {MujocoPlugins: {names: []}}}')
    assert served('robot.xml', str(plugins))[1:3] == ['--params-file', str(plugins)]


@pytest.mark.parametrize('words', [['--help'], ['call', '--help'], ['swep'], ['run', '--help']])
def test_help_and_mistakes_need_no_heavy_import(words):
    done = python(IMPORTED, *words)
    code = '2' if words == ['swep'] else '0'
    assert done.stdout.splitlines()[-1].split() == ['IMPORTED', code], done.stderr


@pytest.mark.parametrize('words', [[], ['--ros-args', '-p', 'realtime:=2.0']])
def test_the_start_of_a_server_does_not_import_the_command_line(words):
    assert python(WITHOUT_CLICK, *words).stdout == f'{words} False\n'


@pytest.mark.parametrize(
    ('words', 'completed'),
    [
        ('mujoco_ros_py sw', 'plain,sweep'),
        ('mujoco_ros_py param d', 'plain,dump'),
        ('mujoco_ros_py replay --wa', 'plain,--wait-for-subscribers'),
        ('mujoco_ros_py rob', 'file,rob'),
    ],
)
def test_a_shell_completes_commands_options_and_files(words, completed):
    program = 'import sys; from mujoco_ros_py.__main__ import main; sys.exit(main())'
    count = str(len(words.split()) - 1)
    asked = {'_MUJOCO_ROS_PY_COMPLETE': 'bash_complete', 'COMP_WORDS': words, 'COMP_CWORD': count}
    assert completed in python(program, **asked).stdout.splitlines()


@pytest.mark.parametrize('shell', ['bash', 'zsh', 'fish'])
def test_each_shell_has_a_script_for_completion(shell, capsys):
    assert command_line.run(['completion', shell]) == 0
    script = capsys.readouterr().out
    assert f'_MUJOCO_ROS_PY_COMPLETE={shell}_complete' in script.replace('"', '')


@pytest.mark.parametrize(('interrupted', 'code'), [(True, 130), (False, 1)])
def test_an_interrupt_that_a_library_turns_into_a_runtime_error_is_an_interrupt(interrupted, code):
    program = f"""
import os, signal, sys, time
import click
from mujoco_ros_py.command_line import command_tree

@click.command()
def echo():
    try:
        if {interrupted}:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(60.0)
    except KeyboardInterrupt:
        pass
    raise RuntimeError('Unable to convert call argument to Python object')

command_tree.CommandTree.get_command = lambda self, ctx, name: echo
sys.exit(command_tree.run(['echo']))
"""
    done = python(program)
    assert done.returncode == code
    assert ('mujoco_ros_py echo: interrupted' in done.stderr) == interrupted
