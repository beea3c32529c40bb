"""A small robot, and a server with it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
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
    """Returns `run_suite(text, *args)`, which runs a suite in a separate pytest."""

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


def describe_plugins(text: str, names: Sequence[str], folder: Path, monkeypatch) -> None:
    """Makes a server process find the plugins in a text, as `robot/<name>`."""
    (folder / 'robot_plugins.py').write_text(text)
    prefix = folder / 'prefix'
    index = prefix / 'share/ament_index/resource_index/mujoco_ros_py__pluginlib__plugin'
    index.mkdir(parents=True)
    (index / 'robot').write_text('plugins.xml\n')
    base = 'base_class_type="mujoco_ros_py::MujocoPlugin"'
    classes = ''.join(
        f'<class name="robot/{name}" type="robot_plugins:{name}" {base}/>' for name in names
    )
    (prefix / 'plugins.xml').write_text(f'<library path="robot_plugins">{classes}</library>')
    monkeypatch.syspath_prepend(folder)
    known = os.environ.get('AMENT_PREFIX_PATH')
    path = os.pathsep.join([str(prefix), *filter(None, [known])])
    monkeypatch.setenv('AMENT_PREFIX_PATH', path)
