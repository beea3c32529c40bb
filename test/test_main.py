"""The executable with closed standard files, and without ROS."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from deadline import DEADLINE_S

pytestmark = pytest.mark.slow


def test_a_command_works_where_input_output_and_errors_are_closed(tmp_path: Path):
    model = tmp_path / 'model.xml'
    model.write_text('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
    command = f'exec {sys.executable} -m mujoco_ros_py mjcf validate {model} <&- >&- 2>&-'
    assert subprocess.run(['sh', '-c', command], timeout=DEADLINE_S, check=False).returncode == 0


@pytest.mark.parametrize('words', [['--ros-args'], ['run.xml'], ['prepare', 'a.xml'], ['list']])
def test_what_needs_ros_says_so_where_there_is_none(tmp_path: Path, words: list[str]):
    (tmp_path / 'rclpy.py').write_text('raise ImportError("there is no ROS here")')
    paths = [str(tmp_path), str(Path(__file__).parents[1]), os.environ.get('PYTHONPATH', '')]
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(filter(None, paths))}
    ended = subprocess.run(
        [sys.executable, '-m', 'mujoco_ros_py', *words], env=environment, timeout=DEADLINE_S,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (2, '')
    [line] = ended.stderr.splitlines()
    assert line.startswith('mujoco_ros_py')
    assert line.endswith("or pip install 'mujoco_ros_py[ros]'): there is no ROS here")
