"""Messages from YAML, and as YAML."""

import numpy as np
import pytest
import yaml

pytest.importorskip('rclpy', reason='rclpy is not installed')

from geometry_msgs.msg import PoseWithCovariance
from sensor_msgs.msg import Image, JointState
from std_msgs.msg import Bool, Float64, UInt8
from trajectory_msgs.msg import JointTrajectory

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.ros.message_values import as_yaml, filled, read_message


def test_a_message_that_is_written_as_yaml_is_read_as_it_was():
    text = """
    header: {frame_id: base}
    joint_names: [a, b]
    points:
    - {positions: [1, 2.5], time_from_start: {sec: 2}}
    - {positions: [3, 4]}
    """
    message = read_message(JointTrajectory, text)
    assert list(message.points[0].positions) == [1.0, 2.5]
    assert (message.points[0].time_from_start.sec, message.header.frame_id) == (2, 'base')
    assert read_message(JointTrajectory, as_yaml(message)) == message
    image = Image(width=2, data=b'\x01\xff')
    assert read_message(Image, as_yaml(image)) == image


def test_arrays_and_tuples_are_lists_and_numbers_of_numpy_are_numbers():
    message = filled(
        JointState(), {'name': ('a',), 'position': np.ones(2), 'velocity': [np.int8(3)]}
    )
    assert (message.name, list(message.position), list(message.velocity)) == (['a'], [1, 1], [3])
    assert list(filled(Image(), {'data': b'\x01\xff'}).data) == [1, 255]
    assert filled(Bool(), {'data': np.bool_(True)}).data is True


def test_long_lists_are_cut_unless_all_is_asked_for():
    message = JointState(position=[0.0] * 200)
    assert yaml.safe_load(as_yaml(message))['position'] == [*[0.0] * 128, '...']
    assert len(yaml.safe_load(as_yaml(message, full=True))['position']) == 200


@pytest.mark.parametrize(
    ('kind', 'text', 'said'),
    [
        (Float64, '{data: fast}', "data must be a number, got 'fast'"),
        (Float64, '{data: true}', 'data must be a number, got True'),
        (UInt8, '{data: 1.5}', 'data must be a whole number from 0 to 255, got 1.5'),
        (UInt8, '{data: 256}', 'data must be a whole number from 0 to 255, got 256'),
        (UInt8, '3', r'the value must be a struct: \{data: ...\}, got 3'),
        (JointState, '{name: [a, 3]}', r'name\[1\] must be a string, got 3'),
        (JointState, '{name: a}', "name must be a list of values, each a string, got 'a'"),
        (JointState, '{header: {fram_id: a}}', r"header: unknown field 'fram_id' \(did you mean"),
        (JointTrajectory, '{points: [3]}', r'points\[0\] must be a struct: \{positions: ...'),
        (PoseWithCovariance, '{covariance: 1}', 'covariance must be a list of 36 values, each'),
        (
            PoseWithCovariance,
            '{covariance: [1]}',
            r'of 36 values, each a number, got \[1\]',
        ),
    ],
)
def test_a_value_of_a_wrong_type_is_refused_with_its_place_and_the_type_in_words(kind, text, said):
    with pytest.raises(ConfigError, match=said):
        read_message(kind, text)
