"""Pictures of a terminal with the output of a page's commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from .board import INK, Board
from .examples import DOCS, found_on

PAGE = 'reference/mjcf-command-line.md'
LIGHT, PROMPT, WRONG = '#e6edf3', '#7ee787', '#ffa198'
FAILING = """\
import pytest


@pytest.mark.mujoco(model='package://mujoco_ros_py/examples/arm.xml')
def test_push(server):
    server.reset(keyframe='home')
    server.set(qvel={'joint1': 0.5})
    server.wait_until(lambda state: state.joint('joint1').position > 0.5, timeout_s=0.5)
"""
"""A file with a failing test."""
LINE = 0.19
"""The height of a line, in inches."""


def mjcf_command_line() -> Figure:
    """Draws a file, and the problems that `mjcf validate` reports in it and in its include."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ('arm.xml', 'defaults.xml'):
            (Path(folder) / name).write_text(_file(name))
        command = 'mjcf validate arm.xml'
        found = _output(command, folder)
        text = (Path(folder) / 'arm.xml').read_text()
    lines = ['$ cat -n arm.xml']
    lines += [f'{number:6}  {line}' for number, line in enumerate(text.splitlines(), 1)]
    wrong = {int(number) for number in re.findall(r'^arm\.xml:(\d+):', found, re.M)}
    return _screen([*lines, f'$ mujoco_ros_py {command}', *found.splitlines()], wrong)


def testing() -> Figure:
    """Draws a failing test, the end of its report, and the replay of its recording."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'test_arm.py').write_text(FAILING)
        command = '-m pytest -p mujoco_ros_py.testing -p no:cacheprovider test_arm.py'
        told = _python(f'{command} --mujoco-recordings recordings', folder)
        report = [line.replace(f'{folder}/', '') for line in told.splitlines()]
        recording = 'recordings/test_arm.py_test_push'
        replay = _python(f'-m mujoco_ros_py.testing.replay {recording}', folder)
    error = next(line for line in report if line.startswith('E  ')).removeprefix('E').strip()
    first, *others = textwrap.wrap(error, 88)
    section = next(n for n, line in enumerate(report) if 'mujoco_ros_py recording' in line)
    shown = ['$ cat test_arm.py', *FAILING.splitlines(), '$ python -m pytest test_arm.py']
    shown += [f'E   {first}', *(f'    {line}' for line in others)]
    shown += report[section : section + 3]
    again = report[section + 2].partition(': ')[2]
    return _screen([*shown, f'$ {again}', *replay.splitlines()], set())


def _python(arguments: str, folder: str) -> str:
    """Returns the output of Python, run in a folder."""
    return subprocess.run(
        [sys.executable, *arguments.split()], cwd=folder,
        env={**os.environ, 'PYTHONPATH': str(DOCS.parent), 'COLUMNS': '100'},
        stdout=subprocess.PIPE, check=False, text=True,
    ).stdout  # fmt: skip


def _file(name: str) -> str:
    """Returns the content of a file, as the page shows it."""
    return found_on(PAGE, rf'^\$ cat {re.escape(name)}\n(.*?)^\$ ', name)


def _output(command: str, folder: str) -> str:
    """Returns the output of the package's command, run in a folder."""
    return subprocess.run(
        [sys.executable, '-m', 'mujoco_ros_py', *command.split()], cwd=folder,
        env={**os.environ, 'PYTHONPATH': str(DOCS.parent)},
        stdout=subprocess.PIPE, check=False, text=True,
    ).stdout  # fmt: skip


def _screen(lines: list[str], wrong: set[int]) -> Figure:
    """Draws lines on a dark background; colours prompts, the lines `wrong`, and messages."""
    height = LINE * (len(lines) + 1)
    board = Board(8.2, height)
    board.axes.add_patch(Rectangle((0, 0), 8.2, height, facecolor=INK))
    for number, line in enumerate(lines):
        faulty = number in wrong or re.match(r'\S+:\d+: ', line)
        color = PROMPT if line.startswith('$') else WRONG if faulty else LIGHT
        board.text(0.2, height - LINE * (number + 1), line, size=9.5, ha='left', color=color,
                   family='monospace')  # fmt: skip
    return board.figure
