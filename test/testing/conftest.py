"""A small robot, and a server with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.testing import serve

from .testing_robot import ROBOT


@pytest.fixture
def robot():
    with serve(ROBOT) as server:
        yield server


@pytest.fixture
def run_suite(tmp_path: Path, monkeypatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Returns `run_suite(text, *args)`, which runs a suite in a pytest of its own."""

    def run(text: str, *args: str, **files: str) -> subprocess.CompletedProcess[str]:
        suite = tmp_path / 'suite'
        suite.mkdir(exist_ok=True)
        (suite / 'robot.xml').write_text(ROBOT)
        (suite / 'test_robot.py').write_text(text)
        for name, content in files.items():
            (suite / name.replace('_ini', '.ini')).write_text(content)
        plugin = ['-p', 'mujoco_ros_py.testing', '-p', 'no:cacheprovider']
        base = ['--basetemp', str(tmp_path / 'base')]
        return subprocess.run(
            [sys.executable, '-m', 'pytest', *plugin, *base, *args, str(suite)],
            cwd=suite, capture_output=True, text=True, timeout=DEADLINE_S, check=False,
        )  # fmt: skip

    return run
