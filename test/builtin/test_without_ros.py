"""All shipped plugins, loaded from one list: without ROS, and without message packages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from builtin.without_ros import BASES, CONFIGS, types
from deadline import DEADLINE_S

pytestmark = pytest.mark.slow

MESSAGES = (
    'builtin_interfaces', 'control_msgs', 'diagnostic_msgs', 'geometry_msgs', 'mujoco_ros_msgs',
    'mujoco_ros_py_interfaces', 'nav_msgs', 'ros_gz_interfaces', 'sensor_msgs', 'std_msgs',
    'std_srvs', 'tf2_msgs', 'trajectory_msgs', 'visualization_msgs',
)  # fmt: skip
WITHOUT = {'messages': MESSAGES, 'ros': ('rclpy', 'rosidl_parser', *MESSAGES)}
SOME = {'JointTrajectoryController', 'Sensors', 'JointStates', 'LaserScan', 'Battery', 'Recorder'}
"""One plugin of each kind that needs messages or ROS for its topics."""
PROGRAM = Path(__file__).with_name('without_ros.py')
SENTENCE = re.compile(r"INFO plugin '(\w+)' runs without ROS: no ")


def test_each_plugin_that_ships_is_tried():
    assert CONFIGS.keys() | BASES.keys() == types()


@pytest.mark.parametrize('without', WITHOUT)
@pytest.mark.parametrize(
    'names', [SOME, pytest.param(types(), marks=pytest.mark.nightly)], ids=['some', 'all']
)
def test_one_list_of_plugins_loads_in_a_session_a_batch_and_a_test(names, without):
    command = [sys.executable, str(PROGRAM), ','.join(names), *WITHOUT[without]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S)
    assert done.returncode == 0, done.stderr
    assert 'Traceback' not in done.stderr
    assert 'ERROR' not in done.stderr
    told = json.loads(done.stdout)
    assert told['problems'] == []
    assert told['same']
    assert told['told'] == told['in_batch'][0] == told['in_batch'][1]
    assert told['told']['LaserScan'] == 'LaserScan'
    assert told['told']['angle'] == 'ScalarStamped'
    said = SENTENCE.findall(done.stderr)
    assert len(said) == len(set(said)), 'a plugin is told of once'
    assert {*said} == names
    assert ("pip install 'mujoco_ros_py[ros]'" in done.stderr) == (without == 'ros')
