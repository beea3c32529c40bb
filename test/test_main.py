"""The executable, before it knows what it is to do."""

from __future__ import annotations

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
