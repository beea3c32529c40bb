"""Message, service and action types by name, even if their packages are not installed."""

from __future__ import annotations

import sys

import pytest

from mujoco_ros_py.engine.messages import StandIn
from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.plugins import ros_type
from mujoco_ros_py.plugins.ros_types import missing_package


@pytest.fixture
def hide(monkeypatch):
    """`hide(package)` makes each import of a package fail."""

    def hidden(package: str) -> None:
        for module in (package, *(f'{package}.{each}' for each in ('msg', 'srv', 'action'))):
            monkeypatch.setitem(sys.modules, module, None)

    return hidden


def test_a_type_that_is_installed_is_that_of_its_package():
    msg = pytest.importorskip('sensor_msgs.msg', reason='sensor_msgs is not installed')
    assert ros_type('sensor_msgs/msg/Imu') is msg.Imu
    assert missing_package(msg.Imu) == ''


def test_another_type_stands_in_for_a_message_that_plugins_publish(hide):
    hide('sensor_msgs')
    kind = ros_type('sensor_msgs/msg/Imu')
    assert issubclass(kind, StandIn)
    assert missing_package(kind) == 'sensor_msgs'
    assert kind().orientation.w == 1.0


def test_any_other_type_is_false_and_making_a_message_says_how_to_get_it(hide):
    hide('control_msgs')
    kind = ros_type('control_msgs/action/FollowJointTrajectory')
    assert not kind
    assert missing_package(kind) == 'control_msgs'
    assert not hasattr(kind, 'Result')
    with pytest.raises(PluginError, match=r'^control_msgs is not installed: .*: .*install\.py'):
        kind()


@pytest.mark.parametrize('name', ['Imu', 'sensor_msgs/Imu', 'sensor_msgs/msgs/Imu', 'a.msg.B'])
def test_a_name_of_no_type_is_refused(name):
    with pytest.raises(PluginError, match=f"like sensor_msgs/msg/Imu, got '{name}'"):
        ros_type(name)
