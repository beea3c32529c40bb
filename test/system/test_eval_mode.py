from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest
from rcl_interfaces.msg import Log, ParameterEvent
from std_msgs.msg import Float64MultiArray

from .harness import PENDULUM, Client, refusal_at_start, wait_until
from .plugin_site import PluginSite, as_text, data_of, plugin

SECRET = 'swordfish-8271'
EVAL = {'mujoco_xml': PENDULUM, 'unpause': True, 'eval_mode': True, 'admin_hash': SECRET}
PROTECTED = ['reset', 'reload', 'load_initial_joint_states', 'step', 'shutdown']


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    return PluginSite(tmp_path_factory.mktemp('eval'))


@pytest.fixture
def shared(share, site):
    """A server in eval_mode, as the test before has left it, and its client."""
    return share({**EVAL, 'MujocoPlugins': as_text(plugin('Probe'))}, False, **site.environment)


def permit(client) -> None:
    """The way that a standard client passes the hash: a parameter set before the call."""
    (result,) = client.set_parameters(admin_hash=SECRET)
    assert result.successful, result.reason


def refused(answer) -> bool:
    return not answer.success and 'needs the admin hash in eval_mode' in answer.message


def test_eval_mode_does_not_start_without_a_hash(tmp_path, domain):
    said = refusal_at_start(tmp_path, domain, {'eval_mode': True, 'admin_hash': '  '})

    assert said == 'mujoco_server: admin_hash must not be empty if eval_mode is true'


def test_protected_calls_are_refused_without_the_hash_and_do_nothing(shared):
    process, client = shared
    wait_until(lambda: data_of(client).time > 0.1, 'moving time')

    for name in PROTECTED:
        assert refused(client.trigger(name)), name
    assert refused(client.pause(True))
    (result,) = client.set_parameters(realtime=2.0)
    assert not result.successful
    assert 'needs the admin hash in eval_mode' in result.reason

    assert client.get_parameter('realtime').double_value == 1.0
    before = data_of(client).time
    assert before > 0.1, 'it was neither reset nor reloaded'
    wait_until(lambda: data_of(client).time > before, 'moving time')
    assert process.running()


def test_protected_calls_are_allowed_with_the_hash(start):
    process, client = start(EVAL)

    permit(client)
    assert client.pause(True).success
    for name in ('step', 'reset', 'reload', 'load_initial_joint_states'):
        permit(client)
        answer = client.trigger(name)
        assert answer.success, answer.message
    permit(client)
    assert client.set_parameters(realtime=2.0)[0].successful
    permit(client)
    assert client.trigger('shutdown').success
    assert process.wait() == 0, process.output


@pytest.mark.slow
def test_hash_and_parameters_go_together_in_one_call(shared):
    _, client = shared
    changed = {
        'realtime': 2.0,
        'mujoco_xml': '<mujoco/>',
        'MujocoPlugins': '[]',
        'initial_joint_positions__joint_map__hinge': 1.0,
        'cam_config__wrist__width': 64,
    }

    def values() -> dict[str, Any]:
        known = client.all_parameters()
        return {name: known.get(name.replace('__', '.')) for name in changed}

    before = values()
    (result,) = client.set_parameters(atomically=True, **changed)
    assert not result.successful
    (result,) = client.set_parameters(atomically=True, **changed, admin_hash=SECRET)
    assert result.successful, result.reason
    assert all(values()[name] != before[name] for name in changed), values()

    permit(client)
    of_the_start = {'mujoco_xml': PENDULUM, 'MujocoPlugins': as_text(plugin('Probe'))}
    back = {'realtime': 1.0, **of_the_start}
    (result,) = client.set_parameters(atomically=True, **back)
    assert result.successful, result.reason
    assert refused(client.trigger('reload')), 'the permission is used up'


@pytest.mark.slow
def test_in_eval_mode_no_parameter_server_brings_plugins_in(start):
    process, client = start({**EVAL, 'MujocoPlugins': None})

    assert 'in eval_mode no other node is asked' in process.output
    assert client.diagnostics()['simulation'][2]['plugins configured'] == '0'


@pytest.mark.slow
def test_a_wrong_hash_is_refused_and_permits_nothing(shared):
    _, client = shared

    for wrong in ('swordfish', SECRET.upper(), f'{SECRET} ', '', 'größer', 8271):
        (result,) = client.set_parameters(admin_hash=wrong)
        assert not result.successful, wrong
        assert refused(client.trigger('reset')), wrong

        (result,) = client.set_parameters(atomically=True, admin_hash=wrong, realtime=2.0)
        assert not result.successful, wrong
        assert client.get_parameter('realtime').double_value == 1.0


@pytest.mark.slow
def test_a_permission_is_used_up_by_one_call_but_not_by_unpausing(shared):
    _, client = shared

    permit(client)
    assert client.trigger('reset').success
    assert refused(client.trigger('reset'))

    permit(client)
    permit(client)
    assert client.pause(True).success
    assert refused(client.trigger('step')), 'two sets of the hash are one permission'

    paused = data_of(client).time
    permit(client)
    assert client.pause(False).success
    wait_until(lambda: data_of(client).time > paused, 'moving time')
    assert client.pause(True).success, 'with the permission from before'
    assert client.pause(False).success


@pytest.mark.slow
def test_a_hash_is_refused_where_eval_mode_is_off(start):
    _, client = start({'mujoco_xml': PENDULUM})

    (result,) = client.set_parameters(admin_hash=SECRET)

    assert not result.successful
    assert 'eval_mode is false' in result.reason
    assert client.trigger('reset').success


@pytest.mark.slow
def test_the_hash_can_be_read_nowhere(start, tmp_path, domain):
    site = PluginSite(tmp_path)
    found = site.wait_for_listener('/parameter_events')
    with closing(Client(domain)) as listener:
        events = listener.collect(ParameterEvent, '/parameter_events', found=found)
        log = listener.collect(Log, '/rosout')
        process, client = start(EVAL, fresh=True, **site.environment)
        assert client.get_parameter('admin_hash').string_value == ''

        permit(client)
        client.set_parameters(admin_hash=f'not {SECRET}')
        client.set_parameters(atomically=True, admin_hash=SECRET, realtime=2.0)
        assert client.get_parameter('admin_hash').string_value == ''
        assert refused(client.trigger('reset'))

        wait_until(lambda: _changes(events, 'realtime') >= 2, 'the event of the newest change')
        process.wait_for_output('needs the admin hash')
        wait_until(lambda: 'needs the admin hash' in str(log), 'the log')
        assert _changes(events, 'mujoco_xml'), 'events of the start are heard, or it says nothing'
    assert SECRET not in process.output
    assert SECRET not in str(log)
    assert not [event for event in events if SECRET in str(event)]


def _changes(events, name) -> int:
    changed = [p for e in events for p in [*e.new_parameters, *e.changed_parameters]]
    return sum(parameter.name == name for parameter in changed)


@pytest.mark.slow
def test_a_contestant_cannot_reset_the_run_by_a_huge_command(share):
    """MuJoCo resets what becomes unstable; in a protected run that ends it."""
    command = {
        'type': 'mujoco_ros_py/ForwardCommandController',
        'name': 'push',
        'joints': ['hinge'],
        'interface_name': 'effort',
    }
    process, client = share({**EVAL, 'MujocoPlugins': json.dumps([command])})
    assert client.pause(False).success
    publisher = client.node.create_publisher(Float64MultiArray, '/push/commands', 10)
    wait_until(publisher.get_subscription_count, 'the subscription')
    wait_until(lambda: client.diagnostics()['simulation'][2]['steps'] != '0', 'steps')
    publisher.publish(Float64MultiArray(data=[9e9]))
    process.wait_for_output('the simulation stopped; reset or reload it: it became unstable')
    level, message, values = client.diagnostics()['simulation']
    assert (level, values['resets']) == (b'\2', '0')
    assert message.startswith('it became unstable')
    assert float(values['time']) > 0.0
    assert refused(client.trigger('reset'))
    permit(client)
    assert client.trigger('reset').success
