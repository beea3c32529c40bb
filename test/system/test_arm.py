from __future__ import annotations

from itertools import pairwise

import pytest
from deadline import DEADLINE_S
from rclpy.duration import Duration
from sensor_msgs.msg import JointState

from .faults import sim_time
from .harness import PENDULUM, seconds, wait_until

pytestmark = pytest.mark.slow

JOINTS = [f'joint{number}' for number in range(1, 8)]
ARM = {
    'modelfile': 'package://mujoco_ros_py/examples/arm.xml',
    'realtime': 4.0,
    'render_offscreen': False,
    'unpause': False,
    'initial_joint_positions.joint_map.joint2': 0.3,
    'MujocoPlugins': {
        'names': ['arm'],
        'arm': {
            'type': 'mujoco_ros_py/JointController',
            'stiffness': [400.0, 400.0, 300.0, 300.0, 100.0, 100.0, 50.0],
            'damping': [40.0, 40.0, 30.0, 30.0, 10.0, 10.0, 5.0],
        },
    },
}
HOME = {**dict.fromkeys(JOINTS, 0.0), 'joint2': 0.3}
TARGETS = [0.5, -0.4, 0.3, 1.2, -0.6, 0.7, 0.2]


class Arm:
    """What a robot controller sees: joint states, and a topic for commands."""

    def __init__(self, client, topic='arm/joint_commands'):
        self.client = client
        self.states = client.collect(JointState, 'joint_states')
        self.publisher = client.node.create_publisher(JointState, topic, 10)
        wait_until(lambda: self.states, 'joint states')

    def command(self, **positions):
        self.publisher.publish(
            JointState(name=list(positions), position=list(map(float, positions.values())))
        )

    def go_to(self, **targets):
        """Sends the command again and again, as controllers do, until the arm is there.

        None of the commands is on its way any more then.
        """
        wait_until(lambda: self.command(**targets) or self.stands_at(**targets), 'that pose')
        assert self.publisher.wait_for_all_acked(Duration(seconds=DEADLINE_S))
        now = sim_time(self.client)
        wait_until(lambda: self.time() > now, 'a state after the last command')

    def time(self):
        return seconds(self.states[-1].header.stamp)

    def positions(self):
        return dict(zip(self.states[-1].name, self.states[-1].position, strict=True))

    def stands_at(self, **targets):
        last = self.states[-1]
        near = all(abs(self.positions()[j] - target) < 0.02 for j, target in targets.items())
        return near and max(map(abs, last.velocity)) < 0.05


@pytest.fixture
def server(share):
    """The process and a client of a server with the arm, which runs."""
    process, client = share(ARM)
    assert client.pause(False).success
    return process, client


def test_the_arm_holds_its_pose_and_moves_where_a_command_sends_it_until_a_reset(server):
    _, client = server
    arm = Arm(client)
    assert list(arm.states[0].name) == JOINTS
    assert arm.stands_at(**HOME), 'it holds the pose of the start'

    targets = dict(zip(JOINTS, TARGETS, strict=True))
    arm.go_to(**targets)

    arm.go_to(joint1=-0.5)
    assert arm.stands_at(**{**targets, 'joint1': -0.5}), 'the others keep their targets'

    before = arm.time()
    assert client.trigger('reset').success
    wait_until(lambda: 1.0 < arm.time() < before, 'a second')
    assert arm.stands_at(**HOME), 'the command is forgotten'


def test_commands_that_cannot_be_used_are_warnings_and_move_nothing(server):
    process, client = server
    arm = Arm(client)
    for names, positions, warning in (
        (['joint1', 'elbow'], [0.5, 0.5], 'arm does not drive elbow; it drives joint1, joint2'),
        (['joint1', 'joint2'], [0.5], 'one position for each name, got 2 names and 1 positions'),
        (['joint1'], [float('nan')], 'a position that is not finite'),
        (['joint1', 'joint1'], [0.5, 0.6], 'a command names joint1 twice'),
    ):

        def warned() -> bool:
            arm.publisher.publish(JointState(name=names, position=positions))  # noqa: B023
            return warning in process.output  # noqa: B023

        wait_until(warned, warning)
        assert '[WARN]' in next(line for line in process.lines if warning in line)
    arm.go_to(joint7=0.25)
    assert arm.stands_at(joint1=0, joint2=0.3)


def test_the_simulation_waits_for_commands_on_a_chosen_topic_in_lockstep(start):
    lockstep = {
        'lockstep_period': 0.01, 'lockstep_topics': ['/targets'],
        'lockstep_timeout': 0.0, 'joint_states_rate': 100.0, 'realtime': -1.0,
        'unpause': True, 'MujocoPlugins.arm.topic': '/targets',
    }  # fmt: skip
    _, client = start({**ARM, **lockstep})
    publisher = client.node.create_publisher(JointState, '/targets', 10)
    heard, targets = [], dict(zip(JOINTS, TARGETS, strict=True))

    def answer(state):
        heard.append(seconds(state.header.stamp))
        publisher.publish(
            JointState(header=state.header, name=JOINTS, position=list(targets.values()))
        )

    arm = Arm(client, '/targets')
    client.node.create_subscription(JointState, 'joint_states', answer, 10)

    wait_until(lambda: arm.stands_at(**targets), 'that pose')
    wait_until(lambda: len(heard) > 200, 'two seconds')
    periods = [round(time / 0.01) for time in heard[-100:]]
    assert [after - before for before, after in pairwise(periods)] == [1] * 99


REFUSALS = [
    ({'joints': ['hinge', 'elbow']}, "unknown joint 'elbow'; known: hinge"),
    ({'stiffness': [1.0, 2.0]}, 'stiffness must be one number, or one per joint (1), got 2'),
    ({'joints': 'hinge'}, "joints must be a list of strings, got 'hinge'"),
    ({'damping': 'much'}, "damping must be a number or a list of numbers, got 'much'"),
    ({'damping': [-1.0]}, 'damping[0] must be at least 0, got -1'),
    ({'gravity_compensation': 'false'}, 'gravity_compensation must be true or false, got'),
    ({'stifness': 1.0}, "unknown parameter 'stifness' (did you mean 'stiffness'?)"),
]


def test_controllers_that_cannot_work_refuse_with_the_reason(start):
    names = [f'c{number}' for number in range(len(REFUSALS))]
    structs = ({'type': 'mujoco_ros_py/JointController', **struct} for struct, _ in REFUSALS)
    plugins = {'names': names, **dict(zip(names, structs, strict=True))}

    process, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': plugins})

    for _, reason in REFUSALS:
        assert reason in process.output
    assert client.diagnostics()['simulation'][2]['plugins ready'] == '0'
