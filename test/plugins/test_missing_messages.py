"""The messages for users about missing packages of ROS messages."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from mujoco_ros_py.plugins.missing_messages import missing_messages


def test_the_message_says_what_is_missing_what_is_off_and_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, 'control_msgs', None)
    said = missing_messages('control_msgs', 'no state is published')
    said, _, command = said.partition('dev): ')
    assert said == (
        'control_msgs is not installed: no state is published. Install the ROS package '
        'control-msgs, or build it with gcc, g++ and the Python headers (python3-'
    )
    python, script = shlex.split(command)
    assert python == sys.executable
    assert Path(script).name == 'install.py'
    assert Path(script).is_file()


def test_packages_of_pypi_are_not_said_to_be_built_and_of_others_only_ros_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, 'sensor_msgs', None)
    assert missing_messages('sensor_msgs', 'no topic /imu') == (
        'sensor_msgs is not installed: no topic /imu. Install the ROS package '
        "sensor-msgs, or run: pip install 'mujoco_ros_py[ros]'"
    )
    assert missing_messages('arm_msgs', 'no topic /arm') == (
        'arm_msgs is not installed: no topic /arm. Install the ROS package arm-msgs'
    )


@pytest.mark.parametrize('package', ['mujoco_ros_msgs', 'mujoco_ros_py_interfaces'])
def test_nobody_is_told_that_ros_brings_the_messages_of_this_project(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    assert missing_messages(package, 'no numbers are published').startswith(
        f'{package} is not installed: no numbers are published. ROS does not include it; '
        'build it with gcc,'
    )


def test_a_package_that_is_there_is_not_said_to_be_missing(tmp_path, monkeypatch):
    (tmp_path / 'older_msgs').mkdir()
    (tmp_path / 'older_msgs' / '__init__.py').touch()
    monkeypatch.syspath_prepend(tmp_path)
    said = missing_messages('older_msgs', 'no action is offered')
    assert said.startswith(
        'older_msgs is too old, or cannot be imported: no action is offered. Install the ROS'
    )
