"""Reads serialized messages without ROS."""

from __future__ import annotations

import numpy as np
import pytest

from mujoco_ros_py.errors import RecordingError
from mujoco_ros_py.recording.files.cdr import read_cdr

robot = pytest.importorskip('delayed_robot', reason='mcap or rosbags is not installed')
MESSAGES = {
    'std_msgs/Float64MultiArray': robot.array([1.0, 2.5]),
    'sensor_msgs/JointState': robot.joint_state(1.5, ['a', 'elbow'], [0.1, -0.2], [3.0, 4.0]),
    'trajectory_msgs/JointTrajectory': robot.trajectory(2.0, 'elbow', 0.7),
    'geometry_msgs/Twist': robot.twist(0.3),
    'nav_msgs/Odometry': robot.odometry(3.25, -0.4),
}


def assert_equal(ours, theirs):
    if isinstance(ours, dict):
        for name, value in ours.items():
            assert_equal(value, getattr(theirs, name))
    elif isinstance(ours, list) and ours and isinstance(ours[0], dict):
        for one, other in zip(ours, theirs, strict=True):
            assert_equal(one, other)
    else:
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize('little_endian', [True, False])
@pytest.mark.parametrize('kind', MESSAGES)
def test_messages_are_read_as_another_library_writes_them(kind, little_endian):
    message = MESSAGES[kind]
    data = robot.TYPES.serialize_cdr(message, message.__msgtype__, little_endian=little_endian)
    assert_equal(read_cdr(kind, bytes(data)), message)


@pytest.mark.parametrize('kind', MESSAGES)
def test_a_message_that_is_cut_off_is_an_error_at_every_length(kind):
    data = bytes(robot.TYPES.serialize_cdr(MESSAGES[kind], MESSAGES[kind].__msgtype__))
    whole = len(data) - (-len(data) % 4)
    for length in range(whole - 4):
        with pytest.raises(RecordingError, match=r'cut off|not plain CDR'):
            read_cdr(kind, data[:length])


def test_lengths_beyond_the_message_and_other_formats_are_refused():
    data = bytearray(
        robot.TYPES.serialize_cdr(robot.array([1.0]), 'std_msgs/msg/Float64MultiArray')
    )
    data[4:8] = b'\xff\xff\xff\x7f'
    with pytest.raises(RecordingError, match='a length of 2147483647 exceeds'):
        read_cdr('std_msgs/Float64MultiArray', bytes(data))
    with pytest.raises(RecordingError, match='not plain CDR: it begins with 00070000'):
        read_cdr('std_msgs/Float64MultiArray', b'\x00\x07\x00\x00' + bytes(20))
