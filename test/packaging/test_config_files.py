"""The configuration files that ship."""

import re
from dataclasses import asdict
from pathlib import Path

import mujoco
import pytest
import yaml

from mujoco_ros_py.config import read, read_cameras, read_plugins, register
from mujoco_ros_py.config.server_config import ServerConfig
from mujoco_ros_py.engine.resources import local_path
from mujoco_ros_py.plugins.plugin_types import known_types

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / 'config'
FIXED = set(asdict(ServerConfig()))
GROUPS = {
    'MujocoPlugins',
    'cam_config',
    'initial_joint_positions',
    'initial_joint_velocities',
}
FILES = sorted(
    path.name for path in CONFIG.glob('*.yaml') if 'ros__parameters:' in path.read_text()
)
WITH_A_MODEL = [name for name in FILES if name != 'server.yaml']


def _parameters(name):
    return yaml.safe_load((CONFIG / name).read_text())['/**']['ros__parameters']


def test_the_default_file_holds_every_parameter_at_its_default():
    written = _parameters('server.yaml')
    values = asdict(ServerConfig()).items()
    defaults = {name: list(v) if isinstance(v, tuple) else v for name, v in values}
    assert written == defaults
    assert {name: type(value) for name, value in written.items()} == {
        name: type(value) for name, value in defaults.items()
    }


@pytest.mark.parametrize('name', FILES)
def test_a_file_sets_only_parameters_that_there_are_to_values_that_are_accepted(name):
    parameters = _parameters(name)
    assert set(parameters) <= FIXED | GROUPS
    read(ServerConfig, {key: parameters[key] for key in parameters if key in FIXED})
    read_cameras(parameters.get('cam_config', {}))


@pytest.mark.parametrize('name', WITH_A_MODEL)
def test_a_file_names_joints_and_cameras_of_its_model(name):
    parameters = _parameters(name)
    path = ROOT / parameters['modelfile'].removeprefix('package://mujoco_ros_py/')
    model = mujoco.MjModel.from_xml_path(str(path))
    cameras = {model.camera(camera).name for camera in range(model.ncam)}
    joints = {model.joint(joint).name for joint in range(model.njnt)}
    assert set(parameters.get('cam_config', {})) <= cameras
    for group in ('initial_joint_positions', 'initial_joint_velocities'):
        assert set(parameters.get(group, {}).get('joint_map', {})) <= joints


@pytest.mark.parametrize('name', [*WITH_A_MODEL, 'arm_plugins.yaml'])
def test_a_file_lists_plugins_that_ship_or_that_the_examples_have(name):
    is_list = name == 'arm_plugins.yaml'
    value = str(CONFIG / name) if is_list else _parameters(name)['MujocoPlugins']
    plugins, refusals = register(read_plugins(value, local_path))
    assert refusals == []
    examples = re.findall(r' name="(\S+)"', (ROOT / 'examples/plugins/plugins.xml').read_text())
    assert plugins
    assert {plugin.type for plugin in plugins} <= {*known_types(), *examples}


def test_the_file_of_rviz_shows_both_topics_of_markers():
    displays = yaml.safe_load((CONFIG / 'markers.rviz').read_text())['Visualization Manager']
    topics = [each['Topic']['Value'] for each in displays['Displays']]
    assert topics == ['/markers/model', '/markers/state']
    assert displays['Global Options']['Fixed Frame'] == 'world'
