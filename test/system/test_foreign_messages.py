"""Messages of every shape that a type allows do not take out the plugin that reads them."""

from __future__ import annotations

import json
import math
import random
import re
from importlib import import_module
from typing import Any

import pytest
from control_msgs.action import FollowJointTrajectory, ParallelGripperCommand
from geometry_msgs.msg import PoseStamped, Twist, TwistStamped, WrenchStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory

from .harness import answered_goal, wait_until

pytestmark = pytest.mark.slow

JOINT = '<body pos="{0} 0 0"><joint name="{1}" axis="0 0 1"/><geom size="0.1" mass="1"/></body>'
JOINTS = 'turn', 'lift', 'pan', 'held', 'wheel', 'left', 'right', 'finger', 'speed', 'old'
ROBOT = (
    '<mujoco><worldbody>'
    + ''.join(JOINT.format(number, joint) for number, joint in enumerate(JOINTS))
    + '<body pos="20 0 0"><joint name="fan" axis="0 0 1"/><geom size="0.1" mass="1"/></body>'
    + '<body name="box" pos="30 0 0"><freejoint/><geom size="0.1"/><site name="middle"/></body>'
    + '<body name="target" pos="40 0 0" mocap="true"/>'
    + '</worldbody><actuator><motor name="fan" joint="fan"/></actuator></mujoco>'
)
WHEELS = {'left_wheel_names': ['left'], 'right_wheel_names': ['right']}
PLUGINS = [
    {'type': 'JointTrajectoryController', 'name': 'arm', 'joints': ['turn', 'lift']},
    {'type': 'ForwardCommandController', 'name': 'pan', 'joints': ['pan', 'speed'],
     'interface_name': 'velocity'},
    {'type': 'ActuatorCommands', 'name': 'fan', 'actuators': ['fan'], 'topic': 'fan'},
    {'type': 'JointController', 'name': 'hold', 'joints': ['held']},
    {'type': 'TopicBasedHardware', 'name': 'hardware', 'joints': {'wheel': 'velocity'}},
    {'type': 'DiffDriveController', 'name': 'base', **WHEELS, 'wheel_separation': 0.4,
     'wheel_radius': 0.1},
    {'type': 'ParallelGripperController', 'name': 'gripper', 'joint': 'finger'},
    {'type': 'BodyWrench', 'name': 'push', 'body': 'box', 'topic': 'push'},
    {'type': 'MocapPose', 'name': 'target', 'body': 'target', 'topic': 'target'},
]  # fmt: skip
TOPICS = {
    'arm/joint_trajectory': JointTrajectory,
    'pan/commands': Float64MultiArray,
    'fan': Float64MultiArray,
    'hold/joint_commands': JointState,
    'robot_joint_commands': JointState,
    'cmd_vel': TwistStamped,
    'push': WrenchStamped,
    'target': PoseStamped,
}
GOALS = {
    'arm/follow_joint_trajectory': FollowJointTrajectory,
    'gripper/gripper_cmd': ParallelGripperCommand,
}
NUMBERS = 0.0, 1.0, -1.0, 1e-300, 1e308, -1e308, math.nan, math.inf, -math.inf
LENGTHS = 0, 0, 1, 1, 2, 3, 150
MESSAGES, GOALS_EACH = 150, 40


def text(draw: random.Random) -> str:
    return draw.choice(['', 'x' * 1000, 'nobody', 'world', *JOINTS])


def number(kind: str, draw: random.Random) -> Any:
    if kind.startswith(('float', 'double')):
        return draw.choice(NUMBERS)
    if kind == 'boolean':
        return draw.random() < 0.5
    signed, bits = kind.startswith('int'), int(re.sub(r'\D', '', kind) or 8)
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return draw.choice([0, 0, 1, least, most])


def value(kind: str, draw: random.Random) -> Any:
    """Returns a random value of a field, by the name that rosidl has for its type."""
    if several := re.fullmatch(r'sequence<([^,]+)(?:, (\d+))?>|(.+)\[(\d+)\]', kind):
        element, most, of_array, extent = several.groups()
        length = int(extent) if extent else min(draw.choice(LENGTHS), int(most or 150))
        return [value(element or of_array, draw) for _ in range(length)]
    if kind.startswith('string'):
        return text(draw)
    if '/' in kind:
        package, name = kind.split('/')
        return filled(getattr(import_module(f'{package}.msg'), name), draw)
    return draw.randrange(256).to_bytes() if kind == 'octet' else number(kind, draw)


def filled(kind: Any, draw: random.Random) -> Any:
    """Returns a message of random lengths, texts and numbers."""
    message = kind()
    for name, field in kind.get_fields_and_field_types().items():
        if draw.random() < 0.9:  # otherwise empty, which is most common in ROS
            setattr(message, name, value(field, draw))
    return message


@pytest.mark.parametrize('stamped', [True, False], ids=['compiled', 'by rclpy'])
@pytest.mark.parametrize('share_of_all', [0.2, pytest.param(1.0, marks=pytest.mark.nightly)])
def test_messages_of_every_shape_leave_all_readers_in_place(share, stamped, share_of_all):
    plugins = [{**each, 'type': f'mujoco_ros_py/{each["type"]}'} for each in PLUGINS]
    parameters = {'mujoco_xml': ROBOT, 'MujocoPlugins': json.dumps(plugins)}
    if not stamped:
        plugins[5]['use_stamped_vel'] = False
        parameters = {
            **parameters, 'MujocoPlugins': json.dumps(plugins), 'compiled_topics': False
        }  # fmt: skip
    process, client = share(parameters)
    assert client.pause(False).success
    draw = random.Random(int(stamped))
    kinds = TOPICS if stamped else {**TOPICS, 'cmd_vel': Twist}
    publishers = {
        topic: client.node.create_publisher(kind, topic, 10) for topic, kind in kinds.items()
    }
    for topic, publisher in publishers.items():
        wait_until(publisher.get_subscription_count, f'the subscription of {topic}')
    for _ in range(round(share_of_all * MESSAGES)):
        for topic, kind in kinds.items():
            publishers[topic].publish(filled(kind, draw))
    for name, kind in GOALS.items():
        actions = client.actions(kind, name)
        wait_until(actions.server_is_ready, f'the action {name}', process=process)
        for _ in range(round(share_of_all * GOALS_EACH)):
            answered_goal(actions, filled(kind.Goal, draw))
    assert client.trigger('reset').success
    states = client.diagnostics()
    found = {each['name']: states[f'plugin {each["name"]}'][2]['state'] for each in plugins}
    assert set(found.values()) == {'loaded'}, found
    assert 'Traceback' not in process.output
