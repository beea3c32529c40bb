"""The arguments of the launch file, which are available without ROS."""

from __future__ import annotations

import pytest
import yaml

from mujoco_ros_py.config import ServerConfig, parameters_of, read
from mujoco_ros_py.config.launch_arguments import (
    check_names,
    launch_arguments,
    log_level,
    parameter_values,
)
from mujoco_ros_py.config.parameter_files import parameter_file_text
from mujoco_ros_py.errors import ConfigError


def text_of(value: object) -> str:
    """Returns a value as a user types it after `name:=`."""
    if isinstance(value, tuple):
        return ' '.join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_every_parameter_of_the_server_is_an_argument_with_a_description():
    arguments = launch_arguments()
    rows = parameters_of(ServerConfig)
    assert rows.keys() <= arguments.keys()
    assert {'viewer', 'viewer_port', 'strict', 'reload_modules', 'use_sim_time'} < arguments.keys()
    assert all(row.description in arguments[name] for name, row in rows.items())
    assert 'one of none, web' in arguments['viewer']


def test_every_default_comes_through_the_arguments_and_a_parameter_file_as_it_is():
    rows = parameters_of(ServerConfig)
    values = parameter_values({name: text_of(row.default) for name, row in rows.items()})
    (node,) = yaml.safe_load(parameter_file_text(values)).values()
    assert read(ServerConfig, node['ros__parameters']) == ServerConfig()


def test_values_have_the_types_of_the_parameters():
    given = {
        'modelfile': '42', 'admin_hash': '0815', 'realtime': '1e-1', 'num_steps': '5',
        'strict': 'true', 'viewer_port': '8080', 'model_modules': 'my_pkg other.scenes',
        'cpu_affinity': '[2, 3]', 'http_hosts': 'localhost:80', 'use_sim_time': 'false',
        'namespace': 'lab',
    }  # fmt: skip
    assert parameter_values(given) == {
        'modelfile': '42', 'admin_hash': '0815', 'realtime': 0.1, 'num_steps': 5,
        'strict': True, 'viewer_port': 8080, 'model_modules': ['my_pkg', 'other.scenes'],
        'cpu_affinity': [2, 3], 'http_hosts': ['localhost:80'], 'use_sim_time': False,
    }  # fmt: skip
    joints = {'initial_joint_positions': '{joint1: 1, box: [0, 1]}'}
    assert parameter_values(joints) == {
        'initial_joint_positions': {'joint_map': {'joint1': 1.0, 'box': [0.0, 1.0]}}
    }


@pytest.mark.parametrize(
    ('name', 'text', 'said'),
    [
        ('realtime', 'fast', "realtime must be a number, got 'fast'"),
        ('realtime', '0', 'realtime must be -1 or at least 0.01, got 0'),
        ('num_steps', '1.5', "num_steps must be a whole number, got '1.5'"),
        ('unpause', '2', "unpause must be true or false, got '2'"),
        ('viewer', 'wbe', "viewer must be one of none, web, got 'wbe'"),
        ('cpu_affinity', 'all', "cpu_affinity must be a list of whole numbers, got 'all'"),
        ('use_sim_time', '1', "use_sim_time must be true or false, got '1'"),
        ('initial_joint_positions', '0.5', "must map joints to numbers, as in '{joint1: 0.5}'"),
        ('initial_joint_positions', '{joint1: up}', "joint1, must be a number, got 'up'"),
    ],
)
def test_a_wrong_value_is_refused_with_its_name_and_the_rule(name, text, said):
    with pytest.raises(ConfigError) as raised:
        parameter_values({name: text})
    assert said in str(raised.value)
    with pytest.raises(ConfigError, match='log_level must be one of debug, info'):
        log_level('loud')


def test_an_argument_that_no_launch_file_has_is_refused_with_a_suggestion():
    wrong = r"unknown launch argument 'viwer' \(did you mean 'viewer'\?\)"
    with pytest.raises(ConfigError, match=wrong):
        check_names(['viwer'], (), ['viwer'])
    with pytest.raises(ConfigError, match=wrong):
        check_names(['viwer'], (), [])
    with pytest.raises(ConfigError, match="unknown launch argument 'foo'; known: "):
        check_names(['foo'], (), ['foo'])


def test_arguments_of_a_launch_file_that_includes_the_server_are_its_own():
    check_names(['viewer', 'viwer', 'robot'], ['viwer', 'robot'], ['robot', 'viwer'])
    check_names(['ros_namespace', 'launch-prefix'], (), ['launch-prefix'])
