"""A server and a client of two ROS distributions, each from its own environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from deadline import DEADLINE_S

from .harness import wait_until

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = [ROOT / '.venv', ROOT / '.venv-kilted']
OTHERS = [
    path
    for path in ENVIRONMENTS
    if (path / 'bin' / 'python').exists() and path.resolve() != Path(sys.prefix).resolve()
]
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not OTHERS, reason='there is no other environment: make ROS=kilted demo'),
]
SERVER = {
    'modelfile': 'package://mujoco_ros_py/examples/arm.xml',
    'MujocoPlugins': json.dumps([
        {'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm',
         'joints': ['joint1', 'joint2']},
    ]),
}  # fmt: skip
GOAL = json.dumps({'trajectory': {
    'joint_names': ['joint1', 'joint2'],
    'points': [{'positions': [0.3, 0.2], 'time_from_start': {'sec': 5}}],
}})  # fmt: skip


def test_a_client_of_another_distribution_is_served_and_told_what_it_misreads(start, domain):
    process, _ = start(SERVER)
    (other, *_) = OTHERS
    keep = ('HOME', 'PATH', 'ROS_AUTOMATIC_DISCOVERY_RANGE', 'TMPDIR')
    environment = {name: os.environ[name] for name in keep if name in os.environ}
    environment |= {'AMENT_PREFIX_PATH': str(other), 'ROS_DOMAIN_ID': str(domain)}

    def ask(*words: str) -> str:
        command = [other / 'bin' / 'python', '-m', 'mujoco_ros_py', *words]
        done = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert 'joint7' in ask('echo', '--once', '/joint_states')
    assert ask('call', 'set_pause', '{data: false}').startswith('running')
    assert ask('get', 'realtime').strip().endswith('1.0')
    assert ask('action', '/arm/follow_joint_trajectory', GOAL).startswith('succeeded')
    told = 'different versions of control_msgs/action/FollowJointTrajectory_FeedbackMessage'
    wait_until(lambda: told in process.output, 'the warning', process=process)
    assert process.output.count('different versions of') == 1
