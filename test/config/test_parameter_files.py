"""ROS parameter files, without ROS."""

import pytest

from mujoco_ros_py.config.parameter_files import foreign_nodes, holds_parameters, quoted
from mujoco_ros_py.errors import ConfigError


@pytest.mark.parametrize(
    ('key', 'others'),
    [
        ('/**', []),
        ('mujoco_server', ['/mujoco_server']),
        ('/lab/mujoco_server', []),
        ('lab: {mujoco_server', []),
        ('/*/mujoco_server', []),
        ('/**/mujoco_server', []),
        ('/*', ['/*']),
        ('/lab/other', ['/lab/other']),
        ('/lab/mujoco_servers', ['/lab/mujoco_servers']),
    ],
)
def test_a_file_is_for_the_nodes_that_its_keys_match(tmp_path, key, others):
    path = tmp_path / 'server.yaml'
    path.write_text(f'{key}: {{ros__parameters: {{a: 1}}}}{"}" * key.count("{")}\n')
    assert holds_parameters(path)
    assert foreign_nodes(path, '/lab/mujoco_server') == others


def test_a_file_is_not_foreign_if_one_of_its_nodes_is_the_own_one(tmp_path):
    path = tmp_path / 'server.yaml'
    path.write_text('/a: {ros__parameters: {b: 1}}\n/mujoco_server: {ros__parameters: {b: 1}}\n')
    assert foreign_nodes(path, '/mujoco_server') == []
    assert foreign_nodes(path, '/c') == ['/a', '/mujoco_server']


def test_a_list_of_plugins_is_no_parameter_file(tmp_path):
    path = tmp_path / 'plugins.yaml'
    path.write_text('- {type: a/B}')
    assert not holds_parameters(path)
    with pytest.raises(ConfigError, match=r'gone\.yaml cannot be read: No such file'):
        holds_parameters(tmp_path / 'gone.yaml')


def test_a_text_in_quotes_has_its_own_quotes_twice():
    assert quoted("it's") == "'it''s'"
