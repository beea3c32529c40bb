"""A recording is read by a reader of ROS bags that knows nothing of this package."""

import numpy as np
import pytest
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState

from mujoco_ros_py.recording import RecordedRun

from .harness import wait_until

pytest.importorskip('mcap', reason='the extra `recording` is not installed')
highlevel = pytest.importorskip('rosbags.highlevel', reason='rosbags is not installed')
pytestmark = pytest.mark.slow

PLUGINS = """
- {{type: mujoco_ros_py/Recorder, file: {file}, topics: ['/joint_states', '/tf_static'],
    compression: {compression}, chunk_period: 0.1}}
"""


@pytest.mark.parametrize('compression', ['none', 'lz4', 'zstd'])
def test_a_reader_of_ros_bags_finds_the_messages_with_their_types(share, tmp_path, compression):
    path = tmp_path / 'run.mcap'
    plugins = PLUGINS.format(file=path, compression=compression)
    modelfile = 'package://mujoco_ros_py/examples/pendulum.xml'
    parameters = {'modelfile': modelfile, 'unpause': False, 'MujocoPlugins': '[]'}
    _, client = share(parameters, given={'MujocoPlugins': plugins})
    assert client.pause(False).success
    wait_until(path.exists, 'the file')
    wait_until(lambda: len(recorded(path)) > 40, 'some states')
    assert client.set_parameters(MujocoPlugins='[]')[0].successful
    assert client.trigger('reload').success, 'which ends the recorder'
    wait_until(lambda: is_complete(path), 'the end of the file')
    ours = recorded(path)
    with highlevel.AnyReader([path]) as reader:
        topics = {each.topic: each for each in reader.connections}
        theirs = [
            reader.deserialize(data, connection.msgtype)
            for connection, _, data in reader.messages([topics['/joint_states']])
        ]
    assert topics['/joint_states'].msgtype == 'sensor_msgs/msg/JointState'
    assert topics['/joint_states'].msgcount == len(ours) == len(theirs) > 40
    for our, their in zip(ours, theirs, strict=True):
        expected = deserialize_message(our.data, JointState)
        assert their.header.stamp.nanosec == expected.header.stamp.nanosec
        assert their.name == expected.name == ['hinge']
        assert np.array_equal(their.position, expected.position)
        assert np.array_equal(their.velocity, expected.velocity)


def recorded(path):
    with RecordedRun(path) as run:
        return [each for each in run.messages() if each.topic.name == '/joint_states']


def is_complete(path):
    with RecordedRun(path) as run:
        return run.complete
