"""The shell sessions on the page about commands for models print what the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.mjcf.tools.commands import mjcf

from .pages import ROOT, blocks, rows

pytestmark = pytest.mark.slow

PAGE = ROOT / 'docs/reference/mjcf-command-line.md'
MORE = '...\n'
"""Ends an output whose rest the page does not show."""


def sessions() -> list[tuple[str, str]]:
    """Returns the commands of the page, each with the output that the page shows."""
    text = ''.join(block.text for block in blocks('text', page=PAGE))
    parts = re.split(r'^\$ (.*\n)', text, flags=re.MULTILINE)
    return [(command.strip(), out) for command, out in zip(parts[1::2], parts[2::2], strict=True)]


def shell(command: str, status: int) -> tuple[int, str]:
    """Runs a command in a shell where the previous command ended with `status`."""
    python = f'mujoco_ros_py() {{ {sys.executable} -m mujoco_ros_py "$@"; }}'
    done = subprocess.run(
        ['bash', '-c', f'{python}\n(exit {status})\n{command}'],
        env={**os.environ, 'PYTHONPATH': str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=DEADLINE_S,
    )  # fmt: skip
    return done.returncode, done.stdout


def test_each_command_prints_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, shown = 0, 0
    for command, expected in sessions():
        name = command.removeprefix('cat ')
        if name != command and not Path(name).exists():
            Path(name).write_text(expected)  # the page shows the content of the file
            continue
        status, out = shell(command, status)
        whole = not expected.endswith(MORE)
        assert (out if whole else out[: len(expected) - len(MORE)]) == expected.removesuffix(MORE)
        shown += command.startswith('mujoco_ros_py')
    assert shown > 10


def test_the_table_has_every_command():
    named = {row[0].split()[0] for row in rows(PAGE, 'command')}
    assert named == set(mjcf.commands)
