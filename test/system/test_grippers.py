"""Grippers over DDS: what MoveIt and action clients send, and what they are answered."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from .harness import seconds, wait_until

pytest.importorskip('control_msgs', reason='control_msgs is not there')
from control_msgs import action as control_actions

from .gripper_clients import GripperClient, outcome

pytestmark = pytest.mark.slow
SUCCEEDED, ABORTED = GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_ABORTED
CANCELED = GoalStatus.STATUS_CANCELED
HAND = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <default><geom solref="0.004 1" solimp="0.99 0.99 0.001"/></default>
  <worldbody>
    <body name="box" pos="0 0 {away}"><freejoint/>
      <geom type="box" size="0.01 0.02 0.01" mass="0.2"/></body>
    <body pos="0 0.06 0">
      <joint name="finger" type="slide" axis="0 -1 0" range="0 0.06" limited="true"/>
      <geom type="box" size="0.01 0.005 0.02" mass="0.1"/>
    </body>
    <body pos="0 -0.06 0">
      <joint name="follower" type="slide" axis="0 1 0"/>
      <geom type="box" size="0.01 0.005 0.02" mass="0.1"/>
    </body>
  </worldbody>
  <equality><joint joint1="follower" joint2="finger"/></equality>
  <actuator><position joint="finger" kp="1000" kv="60"/></actuator>
</mujoco>
"""
EMPTY, HOLDING = HAND.format(away=1), HAND.format(away=0)
PLUGIN = {'type': 'mujoco_ros_py/ParallelGripperController', 'name': 'gripper',
          'joint': 'finger', 'goal_tolerance': 0.002, 'stall_timeout': 0.3}  # fmt: skip
STOP = {'type': 'mujoco_ros_py/EmergencyStop'}
OLD = {'action_type': 'GripperCommand'}
Grip = Callable[..., tuple[Any, Any, GripperClient]]


@pytest.fixture
def gripper(share) -> Grip:
    """`gripper(xml, **config)`: the process, a client and one of the action."""

    def begin(xml: str = EMPTY, **config: Any) -> Any:
        kind = config.get('action_type', 'ParallelGripperCommand')
        plugin = {key: value for key, value in {**PLUGIN, **config}.items() if value is not None}
        given = {'mujoco_xml': xml, 'MujocoPlugins': json.dumps([STOP, plugin])}
        # A process can have one type of a service, so each kind of action has a server.
        usual = {
            'mujoco_xml': EMPTY,
            'MujocoPlugins': json.dumps([{**PLUGIN, 'action_type': kind}]),
        }
        process, client = share(usual, given=given)
        hand = GripperClient(client, getattr(control_actions, kind))
        assert client.pause(False).success
        return process, client, hand

    return begin


def position(client: Any) -> Callable[[], float]:
    """Returns a function that tells where the finger is."""
    states = client.collect(JointState, 'joint_states')
    wait_until(lambda: states, 'joint states')
    return lambda: states[-1].position[states[-1].name.index('finger')]


def test_a_goal_is_reached_within_the_goal_tolerance_with_feedback(gripper):
    _, _, hand = gripper()
    status, result = outcome(hand.move(0.04, max_velocity=0.1))
    assert (status, result.reached_goal, result.stalled) == (SUCCEEDED, True, False)
    assert abs(result.state.position[0] - 0.04) < 0.002
    assert result.state.name == ['finger']
    assert hand.feedback
    positions = [each.state.position[0] for each in hand.feedback]
    assert positions == sorted(positions)
    stamps = [seconds(each.state.header.stamp) for each in hand.feedback]
    assert max(after - before for before, after in pairwise(stamps)) < 0.2


def test_the_older_action_has_the_same_name_and_reaches_its_goal_as_well(gripper):
    _, _, hand = gripper(**OLD)
    goal = hand.kind.Goal()
    goal.command.position = math.nan
    assert not hand.send(goal).accepted
    status, result = outcome(hand.move(0.04, max_effort=0.0))
    assert (status, result.reached_goal, result.stalled) == (SUCCEEDED, True, False)
    assert abs(result.position - 0.04) < 0.002


@pytest.mark.parametrize('config', [{}, OLD], ids=['parallel', 'older'])
def test_below_the_stall_velocity_for_the_stall_timeout_a_goal_is_aborted_as_stalled(
    gripper, config
):
    _, _, hand = gripper(HOLDING, **config)
    status, result = outcome(hand.move(0.06))
    assert (status, result.reached_goal, result.stalled) == (ABORTED, False, True)


@pytest.mark.parametrize('config', [{}, OLD], ids=['parallel', 'older'])
def test_a_stalled_goal_succeeds_only_if_stalling_is_allowed(gripper, config):
    _, _, hand = gripper(HOLDING, allow_stalling=True, **config)
    status, result = outcome(hand.move(0.06, max_effort=3.0))
    assert (status, result.reached_goal, result.stalled) == (SUCCEEDED, False, True)
    effort = result.effort if config else result.state.effort[0]
    assert effort == pytest.approx(3.0, abs=0.01), 'what MoveIt asks for is not exceeded'


REJECTED = [
    {},
    {'position': [0.01, 0.02]},
    {'position': [math.nan]},
    {'position': [0.01], 'effort': [math.inf]},
    {'position': [0.01], 'velocity': [0.1, 0.1]},
    {'position': [0.01], 'name': ['thumb']},
]


def test_a_goal_without_exactly_one_position_is_rejected(gripper):
    process, client, hand = gripper()
    begin, before = time.monotonic(), len(process.output)
    for command in 3 * REJECTED:
        assert not hand.send(hand.kind.Goal(command=JointState(**command))).accepted, command
    reasons = (
        'the command must have exactly one position', 'position must be finite',
        'velocity must have at most one element',
        'the command is for joint thumb, but this gripper moves finger',
    )  # fmt: skip
    for reason in reasons:
        process.wait_for_output(f'gripper: a goal was rejected: {reason}')
        assert process.output[before:].count(reason) <= time.monotonic() - begin + 1
    assert abs(position(client)()) < 0.001
    assert outcome(hand.move(0.02))[0] == SUCCEEDED


def test_a_new_goal_aborts_the_old_one_with_a_result(gripper):
    _, client, hand = gripper()
    first = hand.move(0.05, max_velocity=0.005)
    wait_until(lambda: hand.feedback, 'the first goal to be pursued')
    second = hand.move(0.01)
    status, result = outcome(first)
    assert (status, result.reached_goal, result.stalled) == (ABORTED, False, False)
    assert 0.0 <= result.state.position[0] < 0.05
    assert outcome(second)[0] == SUCCEEDED
    assert abs(position(client)() - 0.01) < 0.003


def test_of_many_goals_at_once_the_last_is_reached_and_all_are_answered(gripper):
    _, _, hand = gripper()
    results = [hand.move(0.001 * number) for number in range(1, 16)]
    statuses = [outcome(each)[0] for each in results]
    assert statuses[-1] == SUCCEEDED
    assert set(statuses) <= {SUCCEEDED, ABORTED}


def test_a_cancelled_goal_is_canceled_and_the_gripper_holds_where_it_was(gripper):
    """It is cancelled in a pause amid its motion, so that it is known where."""
    _, client, hand = gripper()
    states = client.collect(JointState, 'joint_states')
    result = hand.move(0.05, max_velocity=0.01)

    def finger() -> float:
        return float(states[-1].position[states[-1].name.index('finger')]) if states else 0.0

    wait_until(lambda: finger() > 0.01, 'motion')
    assert client.pause(True).success
    hand.last.cancel_goal_async()
    status, told = outcome(result)
    assert (status, told.reached_goal) == (CANCELED, False)
    there, when = told.state.position[0], seconds(told.state.header.stamp)
    assert 0.01 <= there < 0.05
    assert client.pause(False).success
    wait_until(lambda: seconds(states[-1].header.stamp) > when + 0.5, 'half a second')
    assert finger() == pytest.approx(there, abs=1e-4)


def test_an_emergency_stop_aborts_the_goal_and_rejects_others_until_the_release(gripper):
    _, client, hand = gripper()
    result = hand.move(0.05, max_velocity=0.005)
    wait_until(lambda: hand.feedback, 'the goal to be pursued')
    assert client.call(SetBool, '/emergency_stop/set', SetBool.Request(data=True)).success
    assert outcome(result)[0] == ABORTED
    goal = hand.kind.Goal(command=JointState(position=[0.01]))
    assert not hand.send(goal).accepted
    assert client.call(SetBool, '/emergency_stop/set', SetBool.Request(data=False)).success
    assert outcome(hand.move(0.01))[0] == SUCCEEDED


@pytest.mark.parametrize('service', ['reset', 'reload'])
def test_a_reset_and_a_reload_answer_the_goal(gripper, service):
    process, client, hand = gripper()
    result = hand.move(0.05, max_velocity=0.005)
    wait_until(lambda: hand.feedback, 'the goal to be pursued')
    assert client.trigger(service).success
    assert outcome(result, process)[0] == ABORTED
    wait_until(hand._actions.server_is_ready, 'the action')
    assert outcome(hand.move(0.01), process)[0] == SUCCEEDED


def test_a_goal_waits_through_a_pause_and_can_be_cancelled_in_it(gripper):
    _, client, hand = gripper()
    result = hand.move(0.05, max_velocity=0.01)
    assert client.pause(True).success
    hand.last.cancel_goal_async()
    assert outcome(result)[0] == CANCELED
    waiting = hand.move(0.02)
    assert not waiting.done()
    assert client.pause(False).success
    assert outcome(waiting)[0] == SUCCEEDED


def test_a_hand_on_a_tendon_is_moved_by_its_actuator_whatever_a_goal_calls_its_joint(gripper):
    plugin = {'type': 'mujoco_ros_py/ActuatorGripperController', 'actuator': 'hand'}
    tendon = '<position name="hand" tendon="split" kp="1000" kv="60"/>'
    xml = EMPTY.replace('<position joint="finger" kp="1000" kv="60"/>', tendon).replace(
        '<equality>',
        '<tendon><fixed name="split"><joint joint="finger" coef="0.5"/>'
        '<joint joint="follower" coef="0.5"/></fixed></tendon><equality>',
    )
    _, client, hand = gripper(xml, joint=None, **plugin)
    status, result = outcome(hand.move(0.04, max_velocity=0.2))
    assert (status, result.reached_goal) == (SUCCEEDED, True)
    assert result.state.name == ['hand']
    assert abs(position(client)() - 0.04) < 0.003


def test_stalling_counts_in_simulated_time(gripper):
    _, client, hand = gripper(HOLDING, stall_timeout=2.0, action_monitor_rate=50.0)
    assert client.pause(True).success
    assert client.set_parameters(realtime=4.0)[0].successful
    moved = hand.move(0.06)
    wait_until(lambda: hand.feedback, 'feedback of the pause')
    begin = seconds(hand.feedback[0].state.header.stamp)
    assert client.pause(False).success
    status, result = outcome(moved)
    assert (status, result.stalled) == (ABORTED, True)
    assert client.set_parameters(realtime=1.0)[0].successful
    assert 2.0 < seconds(result.state.header.stamp) - begin < 4.0
