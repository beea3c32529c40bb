from __future__ import annotations

from contextlib import closing

import pytest
from rcl_interfaces.msg import Log, ParameterEvent
from rcl_interfaces.srv import GetParameters

from .harness import PENDULUM, Client, refusal_at_start, wait_until
from .plugin_site import PluginSite, as_text, data_of, plugin

SECRET = 'swordfish-8271'
EVAL = {'mujoco_xml': PENDULUM, 'eval_mode': True, 'admin_hash': SECRET}
PROTECTED = ['reset', 'reload', 'load_initial_joint_states', 'step', 'shutdown']


@pytest.fixture
def begin(start, tmp_path):
    """`begin(**parameters)`: a server in eval_mode with these, and its client."""

    def begin(**parameters):
        site = PluginSite(tmp_path)
        plugins = as_text(plugin('Probe'))
        return start({**EVAL, 'MujocoPlugins': plugins, **parameters}, **site.environment)

    return begin


def permit(client) -> None:
    """The way that a standard client passes the hash: a parameter set before the call."""
    (result,) = client.set_parameters(admin_hash=SECRET)
    assert result.successful, result.reason


def refused(answer) -> bool:
    return not answer.success and 'needs the admin hash in eval_mode' in answer.message


@pytest.mark.parametrize('hash_', [None, '', '  '], ids=['missing', 'empty', 'blank'])
def test_eval_mode_does_not_start_without_a_hash(tmp_path, domain, hash_):
    parameters = {'eval_mode': True} | ({} if hash_ is None else {'admin_hash': hash_})

    said = refusal_at_start(tmp_path, domain, parameters)

    assert said == 'mujoco_server: admin_hash must not be empty where eval_mode is true'


def test_protected_calls_are_refused_without_the_hash_and_do_nothing(begin):
    process, client = begin()
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


def test_protected_calls_are_allowed_with_the_hash(begin):
    process, client = begin()

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
def test_hash_and_realtime_go_together_in_one_call(begin):
    _, client = begin()

    (result,) = client.set_parameters(atomically=True, realtime=2.0, admin_hash=SECRET)

    assert result.successful, result.reason
    assert client.get_parameter('realtime').double_value == 2.0
    assert refused(client.trigger('reset')), 'the permission is used up'


@pytest.mark.slow
@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('modelfile', '/tmp/easier.xml'),
        ('mujoco_xml', '<mujoco/>'),
        ('boundscheck', True),
        ('reload_modules', True),
        ('MujocoPlugins', '[]'),
        ('MujocoPlugins__names', ['cheat']),
        ('initial_joint_positions__joint_map__hinge', 1.0),
        ('initial_joint_velocities__joint_map__hinge', 1.0),
        ('cam_config__wrist__width', 64),
    ],
)
def test_what_a_reload_reads_is_set_with_the_hash_alone(begin, name, value):
    _, client = begin()

    def values() -> list:
        """One; none, of a name that is not declared."""
        request = GetParameters.Request(names=[name.replace('__', '.')])
        return list(client.call(GetParameters, 'get_parameters', request).values)

    before = values()

    (result,) = client.set_parameters(**{name: value})
    assert not result.successful
    assert values() == before

    (result,) = client.set_parameters(atomically=True, **{name: value}, admin_hash=SECRET)
    assert result.successful, result.reason
    assert values() != before

    permit(client)
    (result,) = client.set_parameters(**{name: value})
    assert result.successful, result.reason
    assert refused(client.trigger('reload')), 'the permission is used up'


@pytest.mark.slow
def test_in_eval_mode_no_parameter_server_brings_plugins_in(begin):
    process, client = begin(MujocoPlugins=None)

    assert 'in eval_mode no other node is asked' in process.output
    assert client.diagnostics()['simulation'][2]['plugins registered'] == '0'


@pytest.mark.slow
@pytest.mark.parametrize('wrong', ['swordfish', SECRET.upper(), f'{SECRET} ', '', 'größer', 8271])
def test_a_wrong_hash_is_refused_and_permits_nothing(begin, wrong):
    _, client = begin()

    (result,) = client.set_parameters(admin_hash=wrong)
    assert not result.successful
    assert refused(client.trigger('reset'))

    (result,) = client.set_parameters(atomically=True, admin_hash=wrong, realtime=2.0)
    assert not result.successful
    assert client.get_parameter('realtime').double_value == 1.0


@pytest.mark.slow
def test_a_permission_is_used_up_by_one_call(begin):
    _, client = begin()

    permit(client)
    assert client.trigger('reset').success
    assert refused(client.trigger('reset'))

    permit(client)
    permit(client)
    assert client.pause(True).success
    assert refused(client.trigger('step')), 'two sets of the hash are one permission'


@pytest.mark.slow
def test_unpausing_needs_no_hash_and_uses_no_permission_up(begin):
    _, client = begin(unpause=False)

    permit(client)
    assert client.pause(False).success
    wait_until(lambda: data_of(client).time > 0, 'moving time')
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
        process, client = start(EVAL, **site.environment)
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
