"""Services about the run, the reload with a model and the step action of the original server."""

from __future__ import annotations

import math
import threading

import pytest

pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')

from action_msgs.msg import GoalStatus
from mujoco_ros_msgs.action import Step
from mujoco_ros_msgs.srv import GetPluginStats, GetStateUint, Reload, SetFloat
from rclpy.parameter import parameter_value_to_python

from .harness import PENDULUM, answered_goal, wait_until
from .original_robot import ROBOT, body, info

pytestmark = pytest.mark.slow
PAUSED = {'mujoco_xml': ROBOT, 'unpause': False}
BOX = '<mujoco><worldbody><body name="box"><geom size="1"/></body></worldbody></mujoco>'
ARM = 'package://mujoco_ros_py/examples/arm.xml'
MANY = 60_000
ACTION = '/mujoco_server/step'
PLUGINS = """
- type: mujoco_ros_py/JointController
  name: arm
"""


def reload(client, model=''):
    return client.call(Reload, 'reload_model', Reload.Request(model=model))


def step(client, count):
    """Returns the handle of a goal that was accepted."""
    actions = client.actions(Step, ACTION)
    wait_until(actions.server_is_ready, 'the action')
    return answered_goal(actions, Step.Goal(num_steps=count))


def left(heard):
    """Returns the steps that are left by each feedback."""
    return [message.feedback.steps_left for message in heard]


def ended(handle):
    """Returns status and success of a goal, when it has ended."""
    future = handle.get_result_async()
    wait_until(future.done, 'the result')
    return future.result().status, future.result().result.success


def test_the_run_is_told(start):
    _, client = start({**PAUSED, 'realtime': 0.5})
    found = info(client)
    assert (found.model_path, found.model_valid, found.load_count) == ('mujoco_xml', True, 1)
    assert (found.paused, found.pending_sim_steps, found.rt_setting) == (True, 0, 0.5)
    assert (found.loading_state.value, found.loading_state.description) == (
        0, 'Simulation is ready',
    )  # fmt: skip
    state = client.call(GetStateUint, 'get_loading_request_state', GetStateUint.Request()).state
    assert state == found.loading_state
    assert client.pause(False).success
    wait_until(lambda: 0.25 < info(client).rt_measured < 0.75, 'half of real time')
    assert not info(client).paused


def test_the_real_time_factor_is_set_and_is_that_of_the_parameter(share):
    _, client = share(PAUSED)
    for value, success in ((0.25, True), (-1.0, True), (0.0, False), (math.nan, False)):
        answer = client.call(SetFloat, 'set_rt_factor', SetFloat.Request(value=value))
        assert answer.success is success, value
    assert info(client).rt_setting == -1.0
    assert parameter_value_to_python(client.get_parameter('realtime')) == -1.0
    assert client.call(SetFloat, 'set_rt_factor', SetFloat.Request(value=1.0)).success


def test_each_plugin_has_its_costs(start):
    _, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': PLUGINS})

    def stats():
        answer = client.call(GetPluginStats, 'get_plugin_stats', GetPluginStats.Request())
        return {each.plugin_type: each for each in answer.stats}

    wait_until(lambda: stats()['mujoco_ros_py/JointController'].ema_steptime_control > 0, 'a cost')
    assert client.trigger('reset').success
    found = stats()['mujoco_ros_py/JointController']
    assert 0 < found.ema_steptime_control < 0.01
    assert 0 < found.load_time < 100
    assert 0 < found.reset_time < 10
    assert found.ema_steptime_render == found.ema_steptime_passive == 0


def test_a_model_is_loaded_by_its_text_or_its_file_and_anew_without_a_name(share):
    _, client = share(PAUSED)
    before = info(client).load_count
    answer = reload(client, BOX)
    assert (answer.success, answer.status_message) == (True, 'reloaded')
    assert body(client, 'box').success
    assert reload(client).success
    assert body(client, 'box').success
    assert reload(client, ARM).success
    assert info(client).model_path.endswith('examples/arm.xml')
    assert parameter_value_to_python(client.get_parameter('modelfile')) == ARM
    assert parameter_value_to_python(client.get_parameter('mujoco_xml')) == ''
    assert client.trigger('reload').success
    assert info(client).load_count == before + 4
    assert info(client).paused
    assert reload(client, ROBOT).success


def test_a_model_that_cannot_be_loaded_leaves_the_one_that_runs(share):
    _, client = share(PAUSED)
    before = info(client).load_count
    for model in '<mujoco><nonsense/></mujoco>', '/no/such/file.xml':
        answer = reload(client, model)
        assert not answer.success
        assert ('nonsense' if '<' in model else 'no/such/file.xml') in answer.status_message
        assert info(client).load_count == before
    assert client.trigger('reload').success, 'the parameters name the old model again'
    assert body(client, 'body_ball').success


def test_of_reloads_at_once_each_loads_its_model(share):
    _, client = share(PAUSED)
    other = BOX.replace('"box"', '"crate"')
    futures = [
        client.call_async(Reload, 'reload_model', Reload.Request(model=model))
        for model in (BOX, '<broken', other)
    ]
    wait_until(lambda: all(future.done() for future in futures), 'answers')
    assert [future.result().success for future in futures] == [True, False, True]
    assert body(client, 'crate').success
    assert reload(client, ROBOT).success


def test_steps_are_made_and_the_feedback_ends_with_none_left(share):
    _, client = share(PAUSED)
    heard = client.feedback(Step, ACTION)
    handle = step(client, 100)
    assert ended(handle) == (GoalStatus.STATUS_SUCCEEDED, True)
    wait_until(lambda: heard and left(heard)[-1] == 0, 'the last feedback')
    assert left(heard) == sorted(left(heard), reverse=True)
    assert client.diagnostics()['simulation'][2]['steps'] == '100'
    assert ended(step(client, 0)) == (GoalStatus.STATUS_SUCCEEDED, True)


def test_a_running_simulation_aborts_the_goal(share):
    process, client = share(PAUSED)
    assert client.pause(False).success
    assert ended(step(client, 5)) == (GoalStatus.STATUS_ABORTED, False)
    process.wait_for_output('~/step: cannot step while running: pause first')


@pytest.fixture
def slow(share):
    """The process and the client of a server that takes minutes for as many steps."""
    slow = ROBOT.replace('timestep="0.002"', 'timestep="0.002" iterations="10000" tolerance="0"')
    return share({**PAUSED, 'mujoco_xml': slow})


def stepping(client):
    """Returns the handle of a goal that takes long, whose steps have begun, and its feedback."""
    heard = client.feedback(Step, ACTION)
    handle = step(client, MANY)
    wait_until(lambda: heard and left(heard)[-1] < MANY, 'the first steps')
    assert info(client).pending_sim_steps > 0
    return handle, heard


def test_a_goal_is_cancelled_and_tells_how_many_steps_were_left(slow):
    _, client = slow
    handle, heard = stepping(client)
    cancelled = handle.cancel_goal_async()
    assert ended(handle) == (GoalStatus.STATUS_CANCELED, False)
    wait_until(cancelled.done, 'the cancellation')
    made = int(client.diagnostics()['simulation'][2]['steps'])
    wait_until(lambda: left(heard)[-1] == MANY - made, 'the last feedback')
    assert 0 < made < MANY
    assert info(client).pending_sim_steps == 0
    assert client.trigger('step').success


def test_a_second_goal_is_aborted_while_the_first_is_carried_out(slow):
    _, client = slow
    handle, _ = stepping(client)
    assert ended(step(client, 5)) == (GoalStatus.STATUS_ABORTED, False)
    handle.cancel_goal_async()
    assert ended(handle)[0] == GoalStatus.STATUS_CANCELED


def test_a_goal_ends_with_what_ends_its_steps(slow):
    process, client = slow
    for by, end in {
        'reset': lambda: client.trigger('reset'),
        'reload': lambda: client.trigger('reload'),
        'unpausing': lambda: client.pause(False),
        'shutdown': lambda: client.trigger('shutdown'),
    }.items():
        assert client.pause(True).success
        handle, _ = stepping(client)
        asked = threading.Thread(target=end)
        asked.start()
        assert ended(handle) == (GoalStatus.STATUS_ABORTED, False), by
        asked.join()
    assert process.wait() == 0
