"""BodyWrench and MocapPose over DDS: pushes and poses from topics, and what is refused."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import Any

import pytest
from deadline import DEADLINE_S
from geometry_msgs.msg import PoseStamped, WrenchStamped
from sensor_msgs.msg import JointState

from .harness import seconds, wait_until

pytestmark = pytest.mark.slow

MODEL = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body name="cart">
      <joint name="rail" type="slide" axis="1 0 0"/><geom type="box" size="0.1 0.1 0.1" mass="2"/>
      <site name="corner" pos="0.1 0.1 0" euler="0 0 180"/>
    </body>
    <body name="hand" mocap="true" pos="0 0 1"/>
    <body name="follower" pos="0 0 1">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
      <joint name="turn" axis="0 0 1"/>
      <geom size="0.05" mass="0.1" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <equality><weld body1="hand" body2="follower"/></equality>
</mujoco>
"""
WRENCH = {'type': 'mujoco_ros_py/BodyWrench', 'name': 'push', 'body': 'cart', 'duration': 0.5}
POSE = {'type': 'mujoco_ros_py/MocapPose', 'name': 'hand', 'body': 'hand'}


class World:
    """What a program sees of the model: joint states, and topics to push and to place."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.states = client.collect(JointState, 'joint_states')
        self.publishers: dict[str, Any] = {}
        wait_until(lambda: self.states, 'joint states')

    def send(self, topic: str, message: Any) -> None:
        if topic not in self.publishers:
            made = self.client.node.create_publisher(type(message), topic, 10)
            self.publishers[topic] = made
            wait_until(made.get_subscription_count, f'a subscription of {topic}')
        self.publishers[topic].publish(message)

    def push(self, x: float, frame: str = '') -> None:
        message = WrenchStamped()
        message.header.frame_id, message.wrench.force.x = frame, x
        self.send('/push/wrench', message)

    def place(self, x: float, y: float, z: float = 1.0, frame: str = '', w: float = 1.0) -> None:
        message = PoseStamped()
        message.header.frame_id, message.pose.orientation.w = frame, w
        where = message.pose.position
        where.x, where.y, where.z = x, y, z
        self.send('/hand/pose', message)

    def now(self, joint: str, kind: str = 'position') -> float:
        last = self.states[-1]
        return float(getattr(last, kind)[last.name.index(joint)])

    def reach(
        self, joint: str, value: float, kind: str = 'position', within: float = 0.01
    ) -> None:
        wait_until(lambda: abs(self.now(joint, kind) - value) < within, f'{joint} {kind} {value}')

    def later(self, period_s: float) -> None:
        """Waits for a time of the simulation."""
        end = seconds(self.states[-1].header.stamp) + period_s
        wait_until(lambda: seconds(self.states[-1].header.stamp) > end, f'{period_s} s later')

    def reset(self) -> None:
        """Waits for the first state after the reset: those before may still be on their way."""
        seen, before = len(self.states), seconds(self.states[-1].header.stamp)
        assert self.client.trigger('reset').success
        wait_until(
            lambda: any(seconds(each.header.stamp) < before for each in self.states[seen:]),
            'the time of the start',
        )


AT_REST = {
    'mujoco_xml': MODEL,
    'MujocoPlugins': json.dumps([WRENCH, POSE]),
    'unpause': False,
    'realtime': 4.0,
}


@pytest.fixture
def world(share) -> Callable[..., tuple[Any, World]]:
    """`world(*plugins)`: the process, and the world of a server with these."""

    def begin(*plugins: Any) -> tuple[Any, World]:
        process, client = share(AT_REST, given={'MujocoPlugins': json.dumps(plugins)})
        assert client.pause(False).success
        return process, World(client)

    return begin


def test_a_wrench_acts_for_its_duration_in_simulated_time(world):
    _, made = world(WRENCH)
    made.push(4.0)
    made.reach('rail', 4.0 / 2.0 * 0.5, 'velocity', within=1e-6)
    made.later(1.0)
    made.reach('rail', 1.0, 'velocity', within=1e-6)


def test_a_wrench_is_in_the_axes_of_the_frame_of_its_header(world):
    _, made = world(WRENCH)
    made.push(4.0, 'corner')
    made.reach('rail', -1.0, 'velocity', within=1e-6)
    made.push(4.0, 'cart')
    made.reach('rail', 0.0, 'velocity', within=1e-6)
    made.push(4.0, 'world')
    made.reach('rail', 1.0, 'velocity', within=1e-6)


def test_two_plugins_push_one_body_together(world):
    _, made = world(WRENCH, {**WRENCH, 'name': 'second', 'topic': '/second'})
    made.push(4.0)
    message = WrenchStamped()
    message.wrench.force.x = 2.0
    made.send('/second', message)
    made.reach('rail', 1.5, 'velocity', within=1e-6)


def test_a_reset_forgets_a_wrench(world):
    _, made = world({**WRENCH, 'duration': 0.0})
    made.push(4.0)
    wait_until(lambda: made.now('rail', 'velocity') > 0.5, 'motion')
    made.reset()
    made.later(0.5)
    assert (made.now('rail'), made.now('rail', 'velocity')) == (0.0, 0.0)


def test_a_mocap_body_goes_where_a_pose_says_and_pulls_what_is_welded_to_it(world):
    _, made = world(POSE)
    made.place(0.2, -0.1)
    made.reach('x', 0.2)
    made.reach('y', -0.1)
    made.place(0.1, 0.0, 1.0, 'cart')
    made.reach('x', 0.1)
    made.reach('y', 0.0)


def test_a_mocap_body_keeps_its_largest_velocity(world):
    _, made = world({**POSE, 'max_linear_velocity': 0.2})
    before = len(made.states)
    made.place(0.3, 0.0)
    made.reach('x', 0.3, within=0.001)
    velocities = [state.velocity[state.name.index('x')] for state in made.states[before:]]
    assert max(velocities) < 0.4, 'the weld is soft'
    moving = [seconds(s.header.stamp) for s in made.states[before:]
              if 0.01 < s.position[s.name.index('x')] < 0.29]  # fmt: skip
    assert moving[-1] - moving[0] > 1.0


def test_a_reset_puts_a_mocap_body_back(world):
    _, made = world(POSE)
    made.place(0.2, -0.1)
    made.reach('x', 0.2)
    made.reset()
    made.later(0.5)
    made.reach('x', 0.0, within=0.001)


def test_what_is_wrong_moves_nothing_and_is_said_once_a_second(world):
    process, made = world(WRENCH, POSE)
    for wrong, told, times in (
        (lambda: made.push(math.nan), 'push: a message was refused: a force or a torque', 2),
        (lambda: made.push(4.0, 'odom'), "push: a message was refused: unknown frame 'odom'", 1),
        (lambda: made.place(math.inf, 0.0), 'hand: a message was refused: a position', 1),
        (lambda: made.place(1.0, 0.0, w=0.0), 'hand: a message was refused: an orientation i', 1),
        (lambda: made.place(1.0, 0.0, frame='odom'), 'hand: a message was refused: unknown fr', 1),
    ):
        begin = time.monotonic()
        while process.output.count(told) < times:
            wrong()
            assert time.monotonic() < begin + DEADLINE_S, told
        assert process.output.count(told) <= time.monotonic() - begin + 2
    assert (made.now('rail'), made.now('rail', 'velocity')) == (0.0, 0.0)
    made.reach('x', 0.0, within=1e-6)


def test_two_publishers_at_a_high_rate_are_heard_and_the_newest_pose_counts(world):
    _, made = world(POSE)
    other = World(made.client)
    for number in range(300):
        made.place(number / 300, 0.0)
        other.place(number / 300, 0.1)
    assert all(each.publishers['/hand/pose'].wait_for_all_acked() for each in (made, other))
    other.place(0.3, 0.2)
    made.reach('x', 0.3)
    made.reach('y', 0.2)
    assert made.client.trigger('reset').success, 'the server answers meanwhile'


def test_in_eval_mode_the_topics_are_there_only_if_the_organiser_allows_them(start):
    allowed = ({**each, 'in_eval_mode': True} for each in (WRENCH, POSE))
    others = ({**each, 'name': f'own_{each["name"]}'} for each in (WRENCH, POSE))
    plugins = json.dumps([*allowed, *others])
    protected = {'eval_mode': True, 'admin_hash': 'swordfish', 'unpause': True}
    _, client = start({**AT_REST, 'MujocoPlugins': plugins, **protected})
    made = World(client)
    made.push(4.0)
    made.reach('rail', 1.0, 'velocity', within=1e-6)
    made.place(0.2, 0.0)
    made.reach('x', 0.2)
    topics = {name for name, _ in client.node.get_topic_names_and_types()}
    assert {'/push/wrench', '/hand/pose'} <= topics
    assert not {'/own_push/wrench', '/own_hand/pose'} & topics
