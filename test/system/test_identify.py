"""A robot of known values in a server of another process is identified from its topics."""

from __future__ import annotations

import pytest
import yaml
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from .harness import seconds, wait_until

known = pytest.importorskip('known_robot', reason='mcap or rosbags is not installed')
robot = pytest.importorskip('delayed_robot', reason='mcap or rosbags is not installed')
identification = pytest.importorskip('mujoco_ros_py.identification')
parameter_file = pytest.importorskip('mujoco_ros_py.identification.parameter_file')

pytestmark = pytest.mark.slow

LENGTH_S, PERIOD_S = 8.0, 0.01
PLUGINS = [
    {
        'type': 'mujoco_ros_py/ActuatorCommands',
        'name': 'arm',
        'actuators': ['shoulder_motor', 'elbow_motor'],
    },
    {
        'type': 'mujoco_ros_py/Imperfections',
        'name': 'bus',
        'timeline': {
            'late': {'of': 'arm', 'latency': 0.004},
            **{
                f'encoder_of_{joint}': {'of': {'joint': joint}, 'quantise': 2e-4}
                for joint in known.JOINTS
            },
        },
    },
]
PARAMETERS = {
    'mujoco_xml': known.TWO_LINKS.format(*known.KNOWN),
    'MujocoPlugins': yaml.safe_dump(PLUGINS),
    'joint_states_rate': 500.0,
    'lockstep_period': PERIOD_S,
    'lockstep_topics': ['/arm/commands'],
    'lockstep_match': 'arrival',
    'lockstep_timeout': 60.0,
    'realtime': -1.0,
    'num_steps': int(LENGTH_S / 0.002),
}


class Bag:
    """Commands the robot in lockstep, and records its topics with the simulated time."""

    def __init__(self, client, efforts) -> None:
        self.messages = {known.COMMANDS: [], known.STATES: []}
        self._efforts = efforts
        self._publisher = client.node.create_publisher(Float64MultiArray, known.COMMANDS, 10)
        client.node.create_subscription(
            JointState, known.STATES, self._take, QoSProfile(depth=1000)
        )

    def _take(self, state: JointState) -> None:
        time = seconds(state.header.stamp)
        recorded = robot.joint_state(time, state.name, state.position)
        states = self.messages[known.STATES]
        if states and time <= states[-1][0]:
            return  # a repeated state
        states.append((time, recorded))
        period = round(time / PERIOD_S)
        if abs(time - period * PERIOD_S) < 1e-6 and period < len(self._efforts):
            self._publisher.publish(Float64MultiArray(data=self._efforts[period]))
            self.messages[known.COMMANDS].append((time, robot.array(self._efforts[period])))

    @property
    def complete(self) -> bool:
        states = self.messages[known.STATES]
        return bool(states) and states[-1][0] > LENGTH_S - 0.05


def test_a_late_robot_with_coarse_encoders(start, tmp_path):
    random = known.np.random.default_rng(0)
    efforts = known.efforts(known.np.arange(0.0, LENGTH_S + 1.0, PERIOD_S), random).tolist()
    _, client = start({**PARAMETERS, 'unpause': False})
    bag = Bag(client, efforts)
    wait_until(lambda: client.node.count_subscribers(known.COMMANDS) > 0, 'the controller')
    assert client.pause(False).success
    wait_until(lambda: bag.complete, 'the recording')
    robot.write_bag(tmp_path / 'run.mcap', bag.messages)
    question = parameter_file.read_question(
        [tmp_path / 'run.mcap'], known.write_model(tmp_path / 'robot.xml'),
        fit=('friction', 'armature', 'masses', 'delays'), only=('shoulder', 'elbow', 'lower'),
    )  # fmt: skip
    found = {each.name: each for each in identification.identify(question).parameters}
    true = {**dict(zip(known.NAMES, known.KNOWN, strict=True)), 'delay of commands': 0.004}
    for name, value in true.items():
        each = found[name]
        assert each.identifiable, name
        assert each.after == pytest.approx(value, abs=each.high - each.low), name
        assert each.high - each.low < 0.2 * value, name
    assert found['delay of commands'].after == pytest.approx(0.004, abs=0.001), 'half a step'
