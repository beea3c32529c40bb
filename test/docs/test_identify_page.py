"""The example on the page about calibrated models finds the values that the page shows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from deadline import DEADLINE_S

from .pages import ROOT, blocks

pytestmark = pytest.mark.slow

PAGE = ROOT / 'docs/how-to/identify.md'


def run(folder: Path, command: str) -> str:
    """Runs a command of the page, and returns its output."""
    name, *words = command.split()
    program = ['-m', name] if name == 'mujoco_ros_py' else []
    done = subprocess.run(
        [sys.executable, '-u', *program, *words],
        cwd=folder, env={**os.environ, 'PYTHONPATH': str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=DEADLINE_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_example_prints_what_the_page_shows(tmp_path):
    for block in blocks('xml', 'python', page=PAGE):
        (tmp_path / block.title).write_text(block.text)
    (shown,) = [each.text for each in blocks('text', page=PAGE) if each.text.startswith('$')]
    lines = shown.splitlines()
    commands = [line.removeprefix('$ ') for line in lines if line.startswith('$ ')]
    out = ''.join(run(tmp_path, command) for command in commands)
    found, expected = out.split(), ' '.join(lines[len(commands) :]).split()
    assert len(found) == len(expected), out
    assert all(map(agrees, found, expected)), out


def agrees(found: str, expected: str) -> bool:
    """Returns whether words are equal, or numbers are equal to 5 %."""
    try:
        return float(found) == pytest.approx(float(expected), rel=0.05)
    except ValueError:
        return found == expected


def test_other_commands_of_the_page_run(tmp_path):
    for block in blocks('xml', 'python', page=PAGE):
        (tmp_path / block.title).write_text(block.text)
    (command,) = [
        each.text for each in blocks('text', page=PAGE) if 'mujoco_ros_py excite' in each.text
    ]
    assert 'yaw.armature' in run(tmp_path, command)
    assert (tmp_path / 'goals.yaml').is_file()
