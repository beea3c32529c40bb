from __future__ import annotations

from dataclasses import fields

import pytest

from mujoco_ros_py.config import ServerConfig, changed, parameters_of, read
from mujoco_ros_py.errors import ConfigError

TABLE = parameters_of(ServerConfig)


def refusal(values: dict[str, object], where: str = '') -> str:
    with pytest.raises(ConfigError) as caught:
        read(ServerConfig, values, where)
    return str(caught.value)


def test_every_field_has_a_parameter_of_the_type_it_is_annotated_with():
    assert {field.name: field.type.partition('[')[0] for field in fields(ServerConfig)} == {
        name: parameter.value_type.__name__ for name, parameter in TABLE.items()
    }


def test_the_real_time_factor_and_what_services_list_take_effect_at_once():
    live = [name for name, parameter in TABLE.items() if parameter.when == 'now']
    assert live == ['realtime', 'spawnables', 'worlds', 'named_poses']


def test_bounds_enclose_the_special_value_and_have_the_type_of_the_parameter():
    assert TABLE['realtime'].bounds[0] == -1.0
    assert isinstance(TABLE['realtime'].bounds[0], float)
    assert TABLE['num_steps'].bounds == (-1, 2**63 - 1)
    assert TABLE['clock_rate'].bounds == (0.0, 10_000.0)
    assert TABLE['modelfile'].bounds is None


@pytest.mark.parametrize(
    ('name', 'value', 'message'),
    [
        ('realtime', -5, 'realtime must be -1 or at least 0.01, got -5'),
        ('realtime', 0.0099, 'realtime must be -1 or at least 0.01, got 0.0099'),
        ('realtime', float('nan'), 'realtime must be finite (-1 or at least 0.01), got nan'),
        ('realtime', 10**400, 'realtime must be finite (-1 or at least 0.01), got inf'),
        ('num_steps', 0, 'num_steps must be -1 or at least 1, got 0'),
        ('thread_priority', 100, 'thread_priority must be at least 0 and at most 99, got 100'),
        ('cpu_affinity', [0, -1], 'cpu_affinity[1] must be at least 0 and at most 8191, got -1'),
        ('clock_rate', 1e5, 'clock_rate must be greater than 0 and at most 10000, got 100000'),
        (
            'joint_states_rate',
            -1,
            'joint_states_rate must be at least 0 and at most 10000, got -1',
        ),
        (
            'report_interval',
            0.05,
            'report_interval must be 0 or at least 0.1 and at most 86400, got 0.05',
        ),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_rule_and_the_value(name, value, message):
    assert refusal({name: value}) == message


@pytest.mark.parametrize(
    ('name', 'value', 'message'),
    [
        ('num_steps', 3.0, 'num_steps must be a whole number, got 3.0'),
        ('num_steps', False, 'num_steps must be a whole number, got False'),
        ('cpu_affinity', [True], 'cpu_affinity must be a list of whole numbers, got [True]'),
        ('unpause', 'true', "unpause must be true or false, got 'true'"),
        ('modelfile', ['a.xml'], "modelfile must be a string, got ['a.xml']"),
        ('engine_plugins', ['a/B', 3], "engine_plugins must be a list of strings, got ['a/B', 3]"),
        ('engine_plugins', ['a/B', ' '], "engine_plugins[1] must not be empty, got ' '"),
    ],
)
def test_a_value_of_another_type_is_refused_with_what_came(name, value, message):
    assert refusal({name: value}) == message


@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('realtime', -1),
        ('realtime', 0.01),
        ('realtime', 1e6),
        ('num_steps', 1),
        ('clock_rate', 10_000),
        ('joint_states_rate', 0),
        ('report_interval', 0.1),
    ],
)
def test_values_at_the_edges_of_the_range_are_accepted(name, value):
    assert getattr(read(ServerConfig, {name: value}), name) == value


def test_the_place_leads_in_every_message():
    assert refusal({'realtime': -5}, 'a.b').startswith('a.b.realtime must be')
    assert refusal({'realtime': ''}, 'a.b').startswith('a.b.realtime must be')
    assert refusal({'x': ''}, 'a.b').startswith("a.b: unknown parameter 'x'; known: ")


@pytest.mark.parametrize('secret', ['', '  '])
def test_eval_mode_without_a_hash_is_refused(secret):
    message = refusal({'eval_mode': True, 'admin_hash': secret})
    assert message == 'admin_hash must not be empty if eval_mode is true'


def test_the_hash_shows_neither_in_the_repr_nor_in_a_message():
    config = read(ServerConfig, {'eval_mode': True, 'admin_hash': 'c0ffee'})
    assert config.admin_hash == 'c0ffee'
    assert 'c0ffee' not in repr(config)
    assert '1234' not in refusal({'admin_hash': 1234})


def test_a_long_value_is_shortened_in_the_message():
    assert len(refusal({'realtime': 'x' * 10_000})) < 200


def test_a_change_is_checked_like_the_start_and_leaves_the_old_configuration():
    old = read(ServerConfig, {'modelfile': 'arm.xml', 'eval_mode': True, 'admin_hash': 'c0ffee'})
    new = changed(old, {'realtime': 2})
    assert (new.realtime, new.modelfile, old.realtime) == (2.0, 'arm.xml', 1.0)
    with pytest.raises(ConfigError, match='realtime must be -1 or at least'):
        changed(old, {'realtime': 0})
    with pytest.raises(ConfigError, match='admin_hash must not be empty'):
        changed(old, {'admin_hash': ''})


def test_a_configuration_made_in_python_is_checked_as_well():
    with pytest.raises(ConfigError, match='num_steps must be -1 or at least 1, got -3'):
        ServerConfig(num_steps=-3)


@pytest.mark.parametrize(
    'hosts', [[], ['example.org'], ['a.b-c.org', '127.0.0.1:80', 'localhost']]
)
def test_hosts_are_names_or_addresses_with_or_without_a_port(hosts):
    assert read(ServerConfig, {'http_hosts': hosts}).http_hosts == tuple(hosts)


@pytest.mark.parametrize('host', ['http://a.org', 'a.org/x', 'a.org b.org', 'a@b.org', 'a:b', '*'])
def test_what_is_no_host_is_refused(host):
    rule = 'http_hosts must be <name> or <name>:<port>'
    assert refusal({'http_hosts': ['fine.org', host]}) == f'{rule}, got {host!r}'


def test_modules_are_dotted_names():
    modules = ['my_pkg', 'my_pkg.scenes', '_a.b2.c']
    assert read(ServerConfig, {'model_modules': modules}).model_modules == tuple(modules)


@pytest.mark.parametrize('module', ['a b', 'a.', '.a', 'a..b', '1a', 'a:b', 'a/b', '*', 'a.*'])
def test_what_is_no_module_is_refused(module):
    rule = 'model_modules must be module names'
    assert refusal({'model_modules': ['fine', module]}) == f'{rule}, got {module!r}'
