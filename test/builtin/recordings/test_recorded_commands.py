"""RecordedCommands replays the messages of a recording at their simulated times."""

from __future__ import annotations

import json

import pytest

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.recording import EVENTS, TEXT, MessageType, RecordingFile, write_text
from mujoco_ros_py.session import Session
from mujoco_ros_py.testing import serve

pytest.importorskip('mcap', reason='the extra `recording` is not installed')

ROD = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.5 0 0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""
HOLD = {'type': 'mujoco_ros_py/JointController', 'name': 'hold', 'joints': ['hinge']}
TOPIC = '/hold/joint_commands'


def replayed(path, **values):
    return {'type': 'mujoco_ros_py/RecordedCommands', 'file': str(path), **values}


def targets(*positions):
    """Returns a serialized sensor_msgs/JointState for each position of the hinge."""
    from rclpy.serialization import serialize_message
    from sensor_msgs.msg import JointState

    return [serialize_message(JointState(name=['hinge'], position=[each])) for each in positions]


def write_recording(path, sections, kind='sensor_msgs/msg/JointState', ros_offset=0.0):
    """Writes a recording with sections of messages, which have times in s."""
    file = RecordingFile(path)
    events = file.channel('/recorder/events', TEXT, EVENTS)
    topic = file.channel(TOPIC, MessageType(name=kind, definition=''))
    for number, messages in enumerate(sections):
        shape = {'own': 3, 'inputs': 1, 'passive': 0}
        event = {
            'event': 'section', 'number': number, 'reason': 'load', 'time': 0.0, 'model': '',
            'shape': shape, 'rate_hz': 0.0, 'plugins': [], 'ros_offset': ros_offset,
        }  # fmt: skip
        file.add(events, write_text(json.dumps(event)), 0, 0)
        for time_s, message in messages:
            file.add(topic, message, 0, round((time_s + ros_offset) * 1e9))
    file.close()


@pytest.mark.slow
@pytest.mark.parametrize('ros_offset', [0.0, 7.0003], ids=['restart', 'continue'])
def test_messages_act_from_the_step_on_before_which_they_came_to_the_bit(tmp_path, ros_offset):
    pytest.importorskip('rclpy', reason='rclpy is not installed')
    path = tmp_path / 'run.mcap'
    first, second, other = targets(0.5, -0.2, 2.0)
    sections = [[(0.0, first), (0.05, second)], [(0.02, other)]]
    write_recording(path, sections, ros_offset=ros_offset)

    def run(server, command):
        for position in (0.5, -0.2):
            command(server, position)
            yield server.step(50)

    def commanded(server, position):
        server.command('hold', name=['hinge'], position=[position])

    with serve(ROD, [HOLD]) as server:
        wanted = [state.sample.values.tobytes() for state in run(server, commanded)]
    with serve(ROD, [HOLD, replayed(path)], process=True) as server:
        for _ in range(2):  # a reset restarts the replay
            states = run(server, lambda server, position: None)
            assert [state.sample.values.tobytes() for state in states] == wanted
            server.reset()
        assert f'recorded_commands: replays the recorded messages of {TOPIC}' in server.log
        saved = server.save()
        server.step(70)
        server.restore(saved)
        assert server.step(50).sample.values.tobytes() == wanted[0]


@pytest.mark.slow
def test_messages_of_another_type_and_topics_that_nobody_takes_are_told(tmp_path):
    pytest.importorskip('rclpy', reason='rclpy is not installed')
    path = tmp_path / 'run.mcap'
    write_recording(path, [[(0.0, *targets(0.5))]], kind='std_msgs/msg/String')
    with serve(ROD, [HOLD, replayed(path)], process=True) as server:
        server.step()
        told = f'{TOPIC} was recorded as std_msgs/msg/String, but hold expects sensor_msgs/msg/J'
        assert told in server.log
    with serve(ROD, [replayed(path)], process=True) as server:
        told = f'no plugin subscribes to a recorded topic ({TOPIC}); subscribed topics: none'
        assert told in server.log


@pytest.mark.slow
def test_without_the_file_it_is_refused(tmp_path):
    pytest.importorskip('rclpy', reason='rclpy is not installed')
    with pytest.raises(PluginError, match=r'recorded_commands: .*run\.mcap.* No such file'):
        serve(ROD, [replayed(tmp_path / 'run.mcap')], process=True)


def test_without_ros_it_is_refused(tmp_path):
    with pytest.raises(PluginError, match='need ROS, but this session runs without it'):
        Session(plugins=[replayed(tmp_path / 'run.mcap')], strict=True)
