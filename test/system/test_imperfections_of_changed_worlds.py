"""Messages on their way while a robot is spawned or deleted, and at resets and reloads."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import Any

import pytest
import yaml
from builtin.controllers.trajectories.trajectory_messages import trajectory
from control_msgs.action import FollowJointTrajectory
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from .faults import sim_time
from .harness import Client, seconds, wait_until
from .late_wheel import MODEL, PLUGINS, PROBE, changes, commands, held, stamps, step
from .plugin_site import PluginSite
from .standard_requests import done, pose_in, spawn

pytestmark = pytest.mark.slow

OBSERVED = {'seen': {'of': {'observation': 'qpos'}, 'latency': 0.003}}
"""With this entry, the plugin needs a new state when the size of `qpos` changes."""
LATE = {'late': {'of': 'motors', 'latency': 0.01}}
ARM = {
    'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm', 'joints': ['wheel'],
}  # fmt: skip


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    made = PluginSite(tmp_path_factory.mktemp('changed_worlds'))
    made.add_module('probes', PROBE)
    return made


@pytest.fixture
def robot(share, site):
    """`robot(timeline)`: the client of a paused server with that timeline."""

    def robot(timeline: dict[str, Any], first: dict[str, Any] = PLUGINS[0]):
        before = [first, *PLUGINS[1:]]
        bus = {'type': 'mujoco_ros_py/Imperfections', 'name': 'bus', 'timeline': timeline}
        base = {'mujoco_xml': MODEL, 'MujocoPlugins': yaml.safe_dump(before)}
        given = {'MujocoPlugins': yaml.safe_dump([*before, bus], sort_keys=False)}
        return share(base, given=given, **site.environment)[1]

    return robot


@pytest.fixture
def sent():
    """`sent(client)`: the future of a goal that is on its way to the arm.

    A node of its own sends it. The shared one may still see the action of before the reload.
    """
    with ExitStack() as stack:

        def send(client):
            domain = client.node.context.get_domain_id()
            sender = stack.enter_context(closing(Client(domain)))
            actions = sender.actions(FollowJointTrajectory, '/arm/follow_joint_trajectory')
            wait_until(actions.server_is_ready, 'the action')
            goal = FollowJointTrajectory.Goal()
            goal.trajectory = trajectory((0.02, [0.5]), joints=['wheel'])
            asked = actions.send_goal_async(goal)
            wait_until(lambda: held(client) == 1, 'the goal')
            return asked

        yield send


def spawn_second(client) -> None:
    answer = spawn(client, MODEL, name='second', initial_pose=pose_in('', 0.0, 3.0))
    assert answer.result.result == 1, answer.result.error_message


@pytest.mark.parametrize('more', [{}, OBSERVED], ids=['', 'with observations'])
def test_commands_on_their_way_arrive_at_their_time_after_a_spawn_and_a_deletion(robot, more):
    client = robot({**LATE, **more})
    with commands(client) as publisher:
        for number in range(1, 4):
            publisher.publish(Float64MultiArray(data=[float(number)]))
            wait_until(lambda number=number: held(client) == number, 'the command')
            step(client, 2)
        spawn_second(client)
        assert held(client) == 3
        step(client, 5)
        assert changes(client) == '1 at 0.010'
        publisher.publish(Float64MultiArray(data=[4.0]))
        wait_until(lambda: held(client) == 3, 'the command')
        done(client, 'DeleteEntity', entity='second')
        assert held(client) == 3
        step(client, 20)
        assert changes(client) == '1 at 0.010; 2 at 0.012; 3 at 0.014; 4 at 0.021'


@pytest.mark.parametrize('more', [{}, OBSERVED], ids=['', 'with observations'])
def test_states_on_their_way_arrive_with_their_stamps_after_a_spawn(robot, more):
    client = robot({'late': {'of': '/joint_states', 'latency': 0.02}, **more})
    late = client.collect(JointState, '/joint_states')
    true = client.collect(JointState, '/true_states')
    for topic in ('/joint_states', '/true_states'):
        wait_until(lambda topic=topic: client.node.count_publishers(topic) == 1, 'publishers')
    client.trigger('reset')
    for number in range(1, 13):
        step(client, 1)
        wait_until(lambda number=number: number in stamps(true), 'the true states')
    before = held(client)
    wait_until(lambda: held(client) >= 12, 'the late states')
    spawn_second(client)
    assert held(client) >= before
    wait_until(lambda: step(client, 1) or (late and max(stamps(late)) > 20), 'later states')
    assert set(range(1, 13)) <= stamps(late)
    for message in late:
        assert len(message.position) == len(message.name)
        time_s = seconds(message.header.stamp)
        if abs(time_s - 0.012) > 0.0005:  # at 12 ms there are states from before and after
            assert list(message.name) == ['wheel', 'second/wheel'][: 1 if time_s < 0.012 else 2]


def test_a_goal_on_its_way_is_accepted_at_its_time_after_a_spawn(robot, sent):
    client = robot({'late': {'of': 'arm', 'latency': 0.01}}, ARM)
    asked = sent(client)
    step(client, 4)
    spawn_second(client)
    step(client, 5)
    assert held(client) == 1
    assert not asked.done()
    step(client, 1)
    wait_until(asked.done, 'the acceptance')
    assert asked.result().accepted


@pytest.mark.parametrize('change', ['reset', 'reload'])
def test_commands_on_their_way_are_lost_at_a_reset_and_a_reload(robot, change):
    client = robot({**LATE, **OBSERVED})
    with commands(client) as publisher:
        publisher.publish(Float64MultiArray(data=[1.0]))
        wait_until(lambda: held(client) == 1, 'the command')
        step(client, 5)
        assert client.trigger(change).success
        assert held(client) == 0
        wait_until(lambda: publisher.get_subscription_count() == 1, 'the subscription')
        begin = round(1e3 * sim_time(client))
        step(client, 20)
        assert changes(client) == ''
        value = 2 if change == 'reset' else 3  # a repetition of an old command is ignored
        publisher.publish(Float64MultiArray(data=[float(value)]))
        wait_until(lambda: held(client) == 1, 'the next command')
        step(client, 20)
        assert changes(client) == f'{value} at {1e-3 * (begin + 30):.3f}'


@pytest.mark.parametrize('change', ['reset', 'reload'])
def test_a_goal_on_its_way_is_answered_at_a_reset_and_a_reload(robot, sent, change):
    client = robot({'late': {'of': 'arm', 'latency': 0.01}}, ARM)
    asked = sent(client)
    step(client, 4)
    assert client.trigger(change).success
    assert held(client) == 0
    wait_until(asked.done, 'the answer')
    assert not asked.result().accepted
