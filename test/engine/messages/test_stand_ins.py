"""Compares stand-ins for message types with the installed types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mujoco_ros_py.engine.messages import (
    StandIn,
    StandInMemory,
    layout_name,
    message_layout,
    package_of,
    stand_in,
)
from mujoco_ros_py.engine.messages.stand_ins import _definitions, fields_of


def known(name: str) -> Any:
    found = stand_in(name)
    assert found is not None
    return found


@pytest.mark.parametrize('name', sorted(_definitions()))
def test_a_type_has_the_layout_the_values_and_the_constants_of_the_real_one(name):
    package, title = name.split('/')
    module = pytest.importorskip(f'{package}.msg', reason=f'{package} is not installed')
    real, ours = getattr(module, title), known(name)
    assert package_of(ours) == package
    assert layout_name(message_layout(ours)) == layout_name(message_layout(real))
    constants = {key: value for key, value in vars(ours).items() if key.isupper()}
    assert constants == {key: getattr(real, key) for key in constants}
    theirs = (key for key in dir(type(real)) if key.isupper() and '__' not in f'_{key}')
    assert {key for key in theirs if isinstance(getattr(real, key), int)} <= constants.keys()
    assert list(fields_of(ours)) == list(real.get_fields_and_field_types())
    for key, value in vars(ours()).items():
        if not isinstance(value, StandIn):
            np.testing.assert_array_equal(value, getattr(real(), key), key)


def test_messages_with_the_same_values_are_equal_as_those_of_rclpy_are():
    one, other = known('sensor_msgs/Imu')(), known('sensor_msgs/Imu')()
    assert one == other
    other.linear_acceleration_covariance[8] = 0.1
    assert one != other
    fields = [known('sensor_msgs/PointField')(name=name) for name in 'xy']
    assert known('sensor_msgs/PointCloud2')(fields=fields) != known('sensor_msgs/PointCloud2')()
    assert fields[0] != fields[1]


def test_what_is_written_into_memory_is_read_from_it():
    header = known('std_msgs/Header')(frame_id='lidar \N{DEGREE SIGN}')
    fields = [known('sensor_msgs/PointField')(name=name, count=1) for name in 'xy']
    message = known('sensor_msgs/PointCloud2')(header=header, fields=fields, data=b'\x01\x02')
    memory = StandInMemory(type(message))
    memory.set(message)
    read = memory.get()
    assert read.header.frame_id == 'lidar \N{DEGREE SIGN}'
    assert [field.name for field in read.fields] == ['x', 'y']
    assert read.data.tolist() == [1, 2]
    assert 'PointField(name=' in repr(read)


def test_real_messages_may_be_parts_of_one_that_stands_in():
    msg = pytest.importorskip('geometry_msgs.msg', reason='geometry_msgs is not installed')
    memory = StandInMemory(known('tf2_msgs/TFMessage'))
    memory.set(known('tf2_msgs/TFMessage')(transforms=[msg.TransformStamped(child_frame_id='a')]))
    (transform,) = memory.get().transforms
    assert (transform.child_frame_id, transform.transform.rotation.w) == ('a', 1.0)


def test_unknown_fields_and_types_are_refused():
    with pytest.raises(TypeError, match="Header has no field 'frame'; known: stamp, frame_id"):
        known('std_msgs/Header')(frame='base')
    with pytest.raises(ValueError, match='Header cannot be converted'):
        StandInMemory(known('sensor_msgs/Imu')).set(known('std_msgs/Header')())
    assert stand_in('arm_msgs/State') is None
