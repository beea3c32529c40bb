"""The standard services of a run: features, states, resets, steps, and the action of steps."""

from __future__ import annotations

import signal

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from action_msgs.msg import GoalStatus
from simulation_interfaces.action import SimulateSteps
from simulation_interfaces.msg import Result, SimulationState, SimulatorFeatures
from simulation_interfaces.srv import GetSimulationState, ResetSimulation, SetSimulationState

from .harness import PENDULUM, answered_goal, seconds, wait_until
from .standard_requests import (
    OK,
    PAUSED,
    PLAYING,
    SECOND_VERSION,
    STOPPED,
    ask,
    done,
    refused,
    set_state,
    state_of,
)

pytestmark = pytest.mark.slow
AT_START = {'mujoco_xml': PENDULUM, 'unpause': False}
MANY = 10**9
ACTION = '/mujoco_server/simulate_steps'
ALREADY = SetSimulationState.Response.ALREADY_IN_TARGET_STATE
WRONG_WAY = SetSimulationState.Response.INCORRECT_TRANSITION


def values(client):
    return client.diagnostics()['simulation'][2]


def step(client, count):
    actions = client.actions(SimulateSteps, ACTION)
    wait_until(actions.server_is_ready, 'the action')
    return answered_goal(actions, SimulateSteps.Goal(steps=count))


def ended(handle):
    future = handle.get_result_async()
    wait_until(future.done, 'the result')
    return future.result().status, future.result().result.result


def test_the_features_are_those_of_the_version(share):
    _, client = share(AT_START)
    features = ask(client, 'GetSimulatorFeatures').features
    assert list(features.features) == sorted(set(features.features))
    assert {
        SimulatorFeatures.SIMULATION_RESET,
        SimulatorFeatures.SIMULATION_RESET_TIME,
        SimulatorFeatures.SIMULATION_RESET_STATE,
        SimulatorFeatures.SIMULATION_RESET_SPAWNED,
        SimulatorFeatures.SIMULATION_STATE_GETTING,
        SimulatorFeatures.SIMULATION_STATE_SETTING,
        SimulatorFeatures.SIMULATION_STATE_PAUSE,
        SimulatorFeatures.STEP_SIMULATION_SINGLE,
        SimulatorFeatures.STEP_SIMULATION_MULTIPLE,
        SimulatorFeatures.STEP_SIMULATION_ACTION,
    } <= set(features.features)
    assert list(features.spawn_formats) == ['mjcf', 'urdf']
    assert f'version {1 + SECOND_VERSION} of' in features.custom_info


def test_the_services_are_also_at_the_root_where_that_is_wanted(start):
    _, client = start({**AT_START, 'root_services': True})
    request = GetSimulationState.Request()
    answer = client.call(GetSimulationState, '/get_simulation_state', request)
    assert answer.state.state == STOPPED == state_of(client)
    actions = client.actions(SimulateSteps, '/simulate_steps')
    wait_until(actions.server_is_ready, 'the action')
    handle = answered_goal(actions, SimulateSteps.Goal(steps=3))
    assert ended(handle)[0] == GoalStatus.STATUS_SUCCEEDED


def test_the_state_goes_from_stopped_to_playing_paused_and_back(share):
    _, client = share(AT_START)
    assert state_of(client) == STOPPED
    assert set_state(client, STOPPED).result == ALREADY
    assert set_state(client, PAUSED).result == OK
    assert state_of(client) == PAUSED
    assert set_state(client, PLAYING).result == OK
    assert state_of(client) == PLAYING
    told = set_state(client, PLAYING)
    assert (told.result, told.error_message) == (ALREADY, 'the simulation is playing already')
    wait_until(lambda: float(values(client)['time']) > 0, 'a step')
    assert set_state(client, PAUSED).result == OK
    assert state_of(client) == PAUSED
    assert set_state(client, STOPPED).result == OK
    assert state_of(client) == STOPPED
    assert values(client)['time'] == '0.000000'


def test_the_states_follow_the_other_services_too(share):
    _, client = share(AT_START)
    assert client.trigger('step').success
    assert state_of(client) == PAUSED
    assert client.trigger('reset').success
    assert state_of(client) == STOPPED
    assert client.pause(False).success
    assert state_of(client) == PLAYING


def test_states_that_nobody_can_ask_for_are_no_transitions(share):
    _, client = share(AT_START)
    for target in (SimulationState.STATE_NO_WORLD, SimulationState.STATE_LOADING_WORLD, 77):
        assert set_state(client, target).result == WRONG_WAY, target
        assert state_of(client) == STOPPED


def test_quitting_ends_the_server(share):
    process, client = share(AT_START)
    assert set_state(client, SimulationState.STATE_QUITTING).result == OK
    assert process.wait() == 0


def test_steps_are_made_before_the_answer(share):
    _, client = share(AT_START)
    done(client, 'StepSimulation')
    done(client, 'StepSimulation', steps=9)
    assert values(client)['steps'] == '10'
    assert state_of(client) == PAUSED


def test_no_steps_and_too_many_are_refused(share):
    _, client = share(AT_START)
    for steps in (0, 2**64 - 1):
        code, message = refused(client, 'StepSimulation', steps=steps)
        assert code == Result.RESULT_OPERATION_FAILED, steps
        assert 'at least 1' in message
        assert ended(step(client, steps))[0] == GoalStatus.STATUS_ABORTED, steps


def test_a_running_simulation_makes_no_single_steps(share):
    _, client = share(AT_START)
    assert client.pause(False).success
    code, message = refused(client, 'StepSimulation')
    assert (code, message) == (
        Result.RESULT_OPERATION_FAILED, 'cannot step while running: pause first',
    )  # fmt: skip
    status, result = ended(step(client, 5))
    assert status == GoalStatus.STATUS_ABORTED
    assert (result.result, result.error_message) == (code, message)


def test_the_action_makes_steps_and_tells_of_them(share):
    _, client = share(AT_START)
    heard = client.feedback(SimulateSteps, ACTION)
    status, result = ended(step(client, 100))
    assert (status, result.result) == (GoalStatus.STATUS_SUCCEEDED, OK)
    wait_until(lambda: heard and heard[-1].feedback.remaining_steps == 0, 'the last feedback')
    counts = [each.feedback for each in heard]
    assert all(each.completed_steps + each.remaining_steps == 100 for each in counts)
    assert values(client)['steps'] == '100'


def test_a_cancelled_action_drops_the_steps_that_are_left(share):
    _, client = share(AT_START)
    heard = client.feedback(SimulateSteps, ACTION)
    handle = step(client, MANY)
    wait_until(lambda: heard and heard[-1].feedback.completed_steps, 'the first steps')
    assert ended(step(client, 5))[0] == GoalStatus.STATUS_ABORTED, 'one goal at a time'
    cancelled = handle.cancel_goal_async()
    status, result = ended(handle)
    assert (status, result.result) == (
        GoalStatus.STATUS_CANCELED, Result.RESULT_OPERATION_FAILED,
    )  # fmt: skip
    wait_until(cancelled.done, 'the cancellation')
    made = int(values(client)['steps'])
    wait_until(lambda: heard[-1].feedback.completed_steps == made, 'the last feedback')
    assert 'cancelled after' in result.error_message
    done(client, 'StepSimulation')
    assert int(values(client)['steps']) == made + 1


WORLD = '<mujoco model="hall"/>'
ENDS = {
    'stopping': lambda _, client: set_state(client, STOPPED),
    'playing': lambda _, client: set_state(client, PLAYING),
    'a reset': lambda _, client: done(client, 'ResetSimulation'),
    'a reload': lambda _, client: client.trigger('reload'),
    'another world': lambda _, client: done(client, 'LoadWorld', resource_string=WORLD),
    'no world': lambda _, client: done(client, 'UnloadWorld'),
    'shutdown': lambda _, client: client.trigger('shutdown'),
    'a signal': lambda process, _: process.signal(signal.SIGINT),
}


@pytest.mark.parametrize('by', ENDS)
def test_an_action_ends_with_what_ends_its_steps_and_tells_it(share, by):
    process, client = share({**AT_START, 'modelfile': ''}, given={'mujoco_xml': PENDULUM})
    heard = client.feedback(SimulateSteps, ACTION)
    handle = step(client, MANY)
    wait_until(lambda: heard and heard[-1].feedback.completed_steps, 'the first steps')
    ENDS[by](process, client)
    status, result = ended(handle)
    assert (status, result.result) == (
        GoalStatus.STATUS_ABORTED, Result.RESULT_OPERATION_FAILED,
    )  # fmt: skip
    assert result.error_message
    if by in ('shutdown', 'a signal'):
        assert process.wait() == 0


def reset(client, scope):
    return refused(client, 'ResetSimulation', scope=scope)


def position_and_time(client):
    from sensor_msgs.msg import JointState

    messages = client.collect(JointState, '/joint_states', reliable=False)
    first = wait_until(lambda: messages and messages[-1], 'joint states')
    return round(first.position[0], 4), round(seconds(first.header.stamp), 3)


def test_a_reset_takes_back_what_its_scope_names(start):
    _, client = start({**AT_START, 'initial_joint_positions.joint_map.hinge': 0.5})
    scopes = ResetSimulation.Request
    done(client, 'StepSimulation', steps=200)
    moved, time_s = position_and_time(client)
    assert (moved != 0.5, time_s) == (True, 0.4)

    assert reset(client, scopes.SCOPE_TIME)[0] == OK
    assert position_and_time(client) == (moved, 0.0)

    done(client, 'StepSimulation', steps=50)
    assert reset(client, scopes.SCOPE_STATE)[0] == OK
    assert position_and_time(client) == (0.5, 0.1)

    done(client, 'StepSimulation', steps=50)
    assert reset(client, scopes.SCOPE_SPAWNED)[0] == OK
    assert position_and_time(client)[1] == 0.2

    for scope in (scopes.SCOPE_DEFAULT, scopes.SCOPE_ALL, 3, 7):
        done(client, 'StepSimulation', steps=50)
        assert reset(client, scope)[0] == OK
        assert position_and_time(client) == (0.5, 0.0), scope


def test_a_reset_of_an_unknown_scope_is_not_supported(share):
    _, client = share(AT_START)
    code, message = reset(client, 8)
    assert code == Result.RESULT_FEATURE_UNSUPPORTED
    assert '255 (all), got 8' in message


def test_a_reset_keeps_a_simulation_running(share):
    _, client = share(AT_START)
    assert client.pause(False).success
    assert reset(client, 0)[0] == OK
    assert state_of(client) == PLAYING


SECRET = 'swordfish 8271'


def test_in_a_protected_run_only_reading_and_running_are_free(start):
    _, client = start({**AT_START, 'eval_mode': True, 'admin_hash': SECRET})
    assert state_of(client) == STOPPED
    assert ask(client, 'GetSimulatorFeatures').features.features
    assert set_state(client, PLAYING).result == OK
    for kind in ('StepSimulation', 'ResetSimulation'):
        assert 'needs the admin hash' in refused(client, kind)[1]
    told = set_state(client, PAUSED)
    assert told.result == Result.RESULT_OPERATION_FAILED
    assert 'needs the admin hash' in told.error_message
    assert not step(client, 1).accepted
    assert client.set_parameters(admin_hash=f'{SECRET} set_simulation_state')[0].successful
    assert set_state(client, PAUSED).result == OK
