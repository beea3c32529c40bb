"""The Imperfections plugin over DDS: messages, encoders, services, diagnostics and states."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from builtin.controllers.trajectories.trajectory_messages import trajectory
from control_msgs.action import FollowJointTrajectory
from mujoco_ros_py_interfaces.srv import GetState, SetState
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from tf2_msgs.msg import TFMessage

from .harness import seconds, wait_until
from .late_wheel import (
    MODEL,
    PLUGINS,
    PROBE,
    changes,
    commands,
    held,
    stamps,
    status,
    step,
    switch,
)
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    made = PluginSite(tmp_path_factory.mktemp('imperfections'))
    made.add_module('probes', PROBE)
    return made


@pytest.fixture
def robot(share, site):
    """`robot(timeline, ...)`: a paused server with that timeline, and a client."""

    def robot(timeline: dict[str, Any], seed: int = 0, **parameters: Any):
        bus = {'type': 'mujoco_ros_py/Imperfections', 'name': 'bus', 'seed': seed}
        plugins = yaml.safe_dump([*PLUGINS, {**bus, 'timeline': timeline}])
        base = {'mujoco_xml': MODEL, 'MujocoPlugins': yaml.safe_dump(PLUGINS), **parameters}
        return share(base, given={'MujocoPlugins': plugins}, **site.environment)

    return robot


def test_a_delay_of_7_ms_is_7_steps(robot):
    _, client = robot({'late': {'of': 'motors', 'latency': 0.007}})
    with commands(client) as publisher:
        publisher.publish(Float64MultiArray(data=[5.0]))
        wait_until(lambda: held(client) == 1, 'the command')
        step(client, 20)
        assert changes(client) == '5 at 0.007'


def test_commands_that_wait_all_arrive_and_are_part_of_the_saved_state(robot):
    _, client = robot({'late': {'of': 'motors', 'latency': 0.01}})
    with commands(client) as publisher:
        for number in range(1, 4):
            publisher.publish(Float64MultiArray(data=[float(number)]))
            wait_until(lambda number=number: held(client) == number, 'the command')
            step(client, 2)
        saved = client.call(GetState, 'get_state', GetState.Request())
        assert saved.success, saved.message
        step(client, 20)
        arrived = '1 at 0.010; 2 at 0.012; 3 at 0.014'
        assert changes(client) == arrived
        assert client.trigger('reset').success
        step(client, 20)
        assert changes(client) == ''
        answer = client.call(SetState, 'set_state', SetState.Request(state=saved.state))
        assert answer.success, answer.message
        assert held(client) == 3
        step(client, 20)
        assert changes(client) == arrived


def lost(robot, seed: int, realtime: float) -> tuple[set[int], set[int]]:
    """The stamps in milliseconds of all joint states and of those that were lost."""
    burst = {'enter': 0.05, 'leave': 0.2}
    timeline = {
        'lossy': {'of': '/joint_states', 'drop': {'burst': burst}},
        'late': {'of': '/joint_states', 'latency': {'uniform': [0.0, 0.02]}},
    }
    _, client = robot(timeline, seed)
    assert all(each.successful for each in client.set_parameters(realtime=realtime))
    some = client.collect(JointState, '/joint_states')
    every = client.collect(JointState, '/true_states')
    for topic in ('/joint_states', '/true_states'):
        wait_until(lambda topic=topic: client.node.count_publishers(topic) == 1, 'publishers')
    client.pause(False)
    wait_until(lambda: len(some) > 400 and len(every) > 600, 'messages')
    client.pause(True)
    assert [seconds(m.header.stamp) for m in some] == sorted(seconds(m.header.stamp) for m in some)
    first = max(min(stamps(some)), min(stamps(every)))
    last = max(stamps(some))
    published = {stamp for stamp in stamps(every) if first <= stamp <= last}
    return published, published - stamps(some)


def test_losses_depend_on_the_seed_and_the_time_alone(robot):
    published, gone = lost(robot, 7, 1.0)
    assert 0.05 < len(gone) / len(published) < 0.4, 'one in five is lost on average'
    for realtime in (5.0, -1.0):
        also_published, also_gone = lost(robot, 7, realtime)
        common = published & also_published
        assert gone & common == also_gone & common, realtime
    other_published, other_gone = lost(robot, 8, 1.0)
    common = published & other_published
    assert gone & common != other_gone & common


def test_an_encoder_is_wrong_in_all_joint_states(robot):
    _, client = robot({'worn': {'of': {'joint': 'wheel'}, 'offset': 0.25, 'at': 0.01}})
    for topic in ('/joint_states', '/true_states'):
        heard = client.collect(JointState, topic)
        wait_until(lambda topic=topic: client.node.count_publishers(topic) == 1, 'publishers')
        client.trigger('reset')
        client.pause(False)
        wait_until(lambda heard=heard: heard and max(stamps(heard)) > 30, 'joint states')
        client.pause(True)
        for message in heard:
            wrong = round(seconds(message.header.stamp) * 1000) >= 10
            assert message.position[0] == (0.25 if wrong else 0.0)
        assert len(stamps(heard)) > 10


def test_services_switch_entries_which_the_diagnostics_name(robot):
    _, client = robot(
        {
            'weak': {'of': {'actuator': 'motor'}, 'scale': 0.5, 'active': False},
            'cut': {'of': 'motors', 'disconnect': True, 'active': False},
        }
    )
    assert status(client)['active'] == 'none'
    assert switch(client, 'weak', True) == 'weak is active'
    switch(client, 'cut', True)
    wait_until(lambda: status(client)['active'] == 'cut, weak', 'the diagnostics')
    with commands(client) as publisher:
        publisher.publish(Float64MultiArray(data=[5.0]))
        wait_until(lambda: status(client)['messages lost'] == '1', 'the lost command')
        step(client, 5)
        assert changes(client) == ''
        assert switch(client, 'cut', False) == 'cut has ended'
        publisher.publish(Float64MultiArray(data=[6.0]))
        wait_until(lambda: step(client, 1) or changes(client), 'the command')
    assert changes(client).startswith('6 at')


def test_reloads_and_resets_leave_nothing_on_the_way(robot):
    _, client = robot({'late': {'of': '/joint_states', 'latency': 0.005}})
    for _ in range(5):
        step(client, 20)
        assert 1 <= held(client) <= 6, 'messages of five steps, some of which are left out'
        assert client.trigger('reset').success
        assert client.trigger('reload').success
        assert held(client) <= 1


WRONG = [
    ({'a': {'of': 'arm', 'latency': 1.0}}, "timeline.a.of: unknown plugin 'arm'"),
    ({'a': {'of': '/nothing', 'latency': 1.0}}, "timeline.a.of: unknown topic '/nothing'"),
    ({'a': {'of': 'states', 'latency': 1.0}}, "plugin 'states' subscribes to no topic and has no"),
    ({'a': {'of': {'joint': 'w'}, 'offset': 1.0}}, "timeline.a.of: unknown joint 'w'"),
    ({'a': {'of': '/joint_states', 'latency': -1.0}}, 'timeline.a.latency must be at least 0'),
    (
        {'a': {'of': {'topic': '/joint_states', 'field': 'positions'}, 'offset': 1.0}},
        "timeline.a.of.field: unknown number of JointState 'positions'",
    ),
]  # fmt: skip


@pytest.mark.parametrize(('timeline', 'said'), WRONG, ids=[said for _, said in WRONG])
def test_a_wrong_entry_is_refused_with_its_place(robot, timeline, said):
    process, _ = robot(timeline)
    process.wait_for_output(said)


ARM = {
    'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm', 'joints': ['wheel'],
}  # fmt: skip


def test_goals_of_actions_are_late_and_lost_goals_are_rejected(share, site):
    latency = {'of': 'arm', 'latency': 0.01}
    bus = {
        'type': 'mujoco_ros_py/Imperfections', 'name': 'bus',
        'timeline': {'late': latency, 'cut': {'of': 'arm', 'disconnect': True, 'active': False}},
    }  # fmt: skip
    # Without the arm, so that an action which the client sees is not of before the reload
    base = {'mujoco_xml': MODEL, 'MujocoPlugins': yaml.safe_dump(PLUGINS)}
    given = {'MujocoPlugins': yaml.safe_dump([ARM, *PLUGINS[1:], bus], sort_keys=False)}
    _, client = share(base, given=given, **site.environment)
    actions = client.actions(FollowJointTrajectory, '/arm/follow_joint_trajectory')
    wait_until(actions.server_is_ready, 'the action')
    goal = FollowJointTrajectory.Goal()
    goal.trajectory = trajectory((0.02, [0.5]), joints=['wheel'])

    asked = actions.send_goal_async(goal)
    wait_until(lambda: held(client) == 1, 'the goal')
    step(client, 9)
    assert held(client) == 1
    assert not asked.done()
    step(client, 1)
    wait_until(asked.done, 'the acceptance')
    assert asked.result().accepted
    switch(client, 'cut', True)
    lost = actions.send_goal_async(goal)
    wait_until(lost.done, 'the answer')
    assert not lost.result().accepted
    assert status(client)['messages lost'] == '1'
    switch(client, 'cut', False)
    late = actions.send_goal_async(goal)
    wait_until(lambda: step(client, 2) or late.done(), 'the next goal')
    assert late.result().accepted


def test_transforms_and_other_messages_that_python_fills_are_late_too(share, site):
    plugins = [
        {'type': 'mujoco_ros_py/Transforms', 'name': 'transforms', 'rate': 100.0},
        {
            'type': 'mujoco_ros_py/Imperfections', 'name': 'bus',
            'timeline': {'late': {'of': '/tf', 'latency': 0.02}},
        },
    ]  # fmt: skip
    base = {'mujoco_xml': MODEL, 'MujocoPlugins': yaml.safe_dump(PLUGINS)}
    given = {'MujocoPlugins': yaml.safe_dump([*PLUGINS, *plugins], sort_keys=False)}
    _, client = share(base, given=given, **site.environment)
    heard = client.collect(TFMessage, '/tf')
    client.pause(False)
    wait_until(lambda: len(heard) > 20, 'transforms')
    client.pause(True)
    wait_until(lambda: held(client) >= 1, 'transforms on their way')
    stamps = [seconds(message.transforms[0].header.stamp) for message in heard]
    assert stamps == sorted(stamps)
