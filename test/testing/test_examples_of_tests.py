"""The example suite passes in a separate pytest, and fails with a faulty robot."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SUITE = (Path(__file__).parents[2] / 'examples' / 'test_arm.py').read_text()


@pytest.mark.slow
def test_the_example_passes_and_fails_with_an_arm_that_is_too_weak(run_suite):
    weak = "{'type': 'mujoco_ros_py/JointController', 'gravity_compensation': False"
    weak = SUITE.replace("{'type': 'mujoco_ros_py/JointController'", weak)
    done = run_suite(SUITE, **{'test_weak.py': weak})
    assert 'test_weak.py::test_the_arm_holds_its_pose' in done.stdout
    assert 'FAILED test_robot.py' not in done.stdout
    assert re.search('[12] failed, [45] passed', done.stdout), done.stdout + done.stderr
    assert 'the recording is in' in done.stdout
