"""A plugin of a user's package in the server, and the same steps as in sessions without ROS."""

from __future__ import annotations

import functools
import json
import threading

import pytest
from action_msgs.msg import GoalStatus
from deadline import DEADLINE_S
from std_msgs.msg import Float64
from std_srvs.srv import Trigger

from mujoco_ros_py.session import Session

from .harness import answered_goal, wait_until

ROBOT = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body name="rod" pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
      <body name="hand" pos="0 0 -0.5">
        <joint name="wrist" axis="0 1 0"/>
        <geom type="box" size="0.1 0.02 0.02" pos="0.1 0 0"/>
      </body>
    </body>
    <body name="ball" pos="0.4 0 0.6">
      <freejoint/>
      <geom size="0.1"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="wrist"/></actuator>
</mujoco>
"""
PLUGINS = [
    {'type': 'swing_lab/Swing', 'joint': 'hinge', 'target': 0.3},
    {'type': 'mujoco_ros_py/JointController', 'name': 'wrist', 'stiffness': 1.0, 'damping': 0.05},
]

pytestmark = pytest.mark.slow

SERVICES = 'energy', 'wait', 'save', 'restore', 'lookup/_action/send_goal'


@pytest.fixture
def begin(share, user_package):
    """`begin(**parameters)`: a server with the plugins, which runs unless told otherwise."""

    def begin(unpause=True, update_in_pause=True, **parameters):
        at_rest = {'mujoco_xml': ROBOT, 'MujocoPlugins': '[]', 'realtime': 1.0, 'unpause': False,
                   'update_in_pause': update_in_pause}  # fmt: skip
        given = {'MujocoPlugins': json.dumps(PLUGINS), **parameters}
        process, client = share(at_rest, given=given, PYTHONPATH=str(user_package))
        assert client.pause(not unpause).success
        return process, client

    return begin


def state_of(client) -> dict:
    """What the plugin saved, by its service."""
    return json.loads(client.trigger('/swing/save').message)


def test_two_sessions_and_a_server_in_another_process_step_to_the_bit_alike(
    begin, user_package, monkeypatch
):
    _, client = begin(realtime=-1.0, update_in_pause=False)
    wait_until(lambda: state_of(client)['steps'] > 2000, 'the server steps')
    assert client.pause(True).success
    server = state_of(client)

    monkeypatch.syspath_prepend(user_package)
    sessions = [Session(mujoco_xml=ROBOT, plugins=PLUGINS, strict=True) for _ in range(2)]
    running = [threading.Thread(target=each.step, args=(server['steps'],)) for each in sessions]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    for session in sessions:
        saved = session.save()
        assert session.status.steps == server['steps']
        assert saved.integration.tobytes().hex() == server['integration']
        assert saved.plugins['swing']['integral'] == server['integral']
        session.close()


def test_its_service_answers_by_a_future_and_one_that_waits_holds_up_no_service_of_the_server(
    begin,
):
    _, client = begin(unpause=False)
    assert float(client.trigger('/swing/energy').message) > 0.0
    waiting = client.call_async(Trigger, '/swing/wait', Trigger.Request())
    assert all(client.trigger('step').success for _ in range(10))
    assert client.diagnostics()['simulation']
    assert not waiting.done()
    assert client.pause(False).success
    wait_until(waiting.done, 'a tenth of a second of simulated time')
    assert waiting.result().success


def test_its_action_waits_for_simulated_time_while_it_is_asked_other_things(begin):
    kind = pytest.importorskip('tf2_msgs.action', reason='tf2_msgs is not there').LookupTransform
    _, client = begin(unpause=False)
    actions = client.actions(kind, '/swing/lookup')
    assert actions.wait_for_server(DEADLINE_S)

    def send(**fields):
        goal = kind.Goal(target_frame='hand', **fields)
        goal.source_time.nanosec = 500_000_000
        return answered_goal(actions, goal)

    def outcome(handle):
        result = handle.get_result_async()
        wait_until(result.done, 'a result')
        return result.result()

    found, wrong, cancelled = (
        send(source_frame='world'), send(source_frame='moon'), send(source_frame='world')
    )  # fmt: skip
    assert client.trigger('/swing/energy').success
    cancelled.cancel_goal_async()
    assert outcome(cancelled).status == GoalStatus.STATUS_CANCELED
    assert client.pause(False).success
    answer = outcome(found)
    assert answer.status == GoalStatus.STATUS_SUCCEEDED
    assert answer.result.transform.child_frame_id == 'hand'
    assert 0.4 < answer.result.transform.transform.translation.z < 0.7
    assert outcome(wrong).status == GoalStatus.STATUS_ABORTED
    assert outcome(wrong).result.error.error_string == 'moon is not world'


def test_its_parameters_change_while_it_runs(begin):
    _, client = begin(realtime=-1.0)
    assert client.set_parameters(swing__target=-0.4)[0].successful
    refused = client.set_parameters(swing__target=4.0)[0]
    assert not refused.successful
    assert 'swing.target must be' in refused.reason
    assert client.get_parameter('swing.target').double_value == -0.4


def test_its_state_is_saved_and_restored_by_its_services(begin):
    _, client = begin(unpause=False, update_in_pause=False)
    assert all(client.trigger('step').success for _ in range(20))
    saved = state_of(client)
    assert all(client.trigger('step').success for _ in range(20))
    assert client.trigger('/swing/restore').success
    again = state_of(client)
    assert again['integration'] == saved['integration']
    assert again['integral'] == saved['integral']


@pytest.mark.usefixtures('graphics')
def test_what_its_camera_sees_is_on_its_topic(begin):
    plugins = json.dumps([{**PLUGINS[0], 'eye': True}])
    _, client = begin(MujocoPlugins=plugins)
    nearest = client.collect(Float64, '/swing/nearest')
    wait_until(lambda: nearest and nearest[-1].data < 10.0, 'an image')


@pytest.mark.usefixtures('graphics')
def test_its_camera_goes_on_when_it_stays_through_reloads(begin):
    plugins = json.dumps([{**PLUGINS[0], 'eye': True}])
    _, client = begin(MujocoPlugins=plugins)
    told = client.collect(Float64, '/swing/images')
    for _ in range(3):
        count = wait_until(lambda: told and told[-1], 'the number of images').data
        wait_until(lambda count=count: told[-1].data > count + 5, 'more images')
        assert client.trigger('reload').success
    counts = [message.data for message in told]
    assert counts == sorted(counts), 'one and the same plugin counts'


def test_it_stays_through_a_reload_and_is_gone_with_all_that_it_had_after_one_without_it(begin):
    _, client = begin(unpause=False)
    assert client.trigger('reload').success
    assert client.trigger('/swing/energy').success
    assert client.node.count_publishers('/swing/nearest') == 1
    assert client.set_parameters(MujocoPlugins='[]')[0].successful
    assert client.trigger('reload').success

    node = client.node
    left = [
        *(functools.partial(node.count_services, f'/swing/{name}') for name in SERVICES),
        functools.partial(node.count_publishers, '/swing/nearest'),
    ]
    wait_until(lambda: not any(count() for count in left), 'nothing of it is left')
