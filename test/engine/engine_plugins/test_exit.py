"""An interpreter exits while models with plugins are still alive."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from deadline import DEADLINE_S

pytestmark = pytest.mark.slow

CODE = """
import builtins, sys
sys.path.insert(0, sys.argv[1])
import mujoco
from engine.engine_plugins.models import WarmMotor, warm_motor
from engine.engine_plugins.test_shapes import Ball, compiled, shape
import pytest
from mujoco_ros_py.engine.engine_plugins import register

class Printing(WarmMotor):
    name = 'test.printing'  # its code is not kept: it is freed with the interpreter

    @staticmethod
    def advance(p, model, data):
        if data.time > 1e9:
            print(data.time)

for plugin in (WarmMotor, Ball, Printing):
    register(plugin)
builtins.alive = []
for model in (warm_motor(), warm_motor('test.printing'), compiled(shape('ball', Ball.name))):
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 10)
    builtins.alive.append((model, data))
print('running')
"""


def test_data_that_outlive_everything_end_in_silence():
    done = subprocess.run(
        [sys.executable, '-c', CODE, str(Path(__file__).parents[2])],
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, 'running\n', '')
