"""The configuration files that ship."""

import re
from dataclasses import asdict
from pathlib import Path

import mujoco
import pytest
import yaml

from mujoco_ros_py.config import read, read_cameras, read_plugins, register
from mujoco_ros_py.config.server import ServerConfig
from mujoco_ros_py.engine.resources import local_path
from mujoco_ros_py.plugins.host.plugin_types import known_types

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


@pytest.fixture(scope='module')
def types() -> set[str]:
    """The types of plugins that ship, and those that the examples have."""
    examples = re.findall(r' name="(\S+)"', (ROOT / 'examples/plugins/plugins.xml').read_text())
    return {*known_types(), *examples}


@pytest.mark.parametrize('name', FILES)
def test_a_file_sets_parameters_that_there_are_and_names_what_its_model_has(name, types):
    parameters = _parameters(name)
    assert set(parameters) <= FIXED | GROUPS
    read(ServerConfig, {key: parameters[key] for key in parameters if key in FIXED})
    read_cameras(parameters.get('cam_config', {}))
    if name == 'server.yaml':
        return
    _are_known(parameters['MujocoPlugins'], types)
    path = ROOT / parameters['modelfile'].removeprefix('package://mujoco_ros_py/')
    model = mujoco.MjModel.from_xml_path(str(path))
    cameras = {model.camera(camera).name for camera in range(model.ncam)}
    joints = {model.joint(joint).name for joint in range(model.njnt)}
    assert set(parameters.get('cam_config', {})) <= cameras
    for group in ('initial_joint_positions', 'initial_joint_velocities'):
        assert set(parameters.get(group, {}).get('joint_map', {})) <= joints


def test_the_list_of_plugins_of_the_arm_has_types_that_there_are(types):
    _are_known(str(CONFIG / 'arm_plugins.yaml'), types)


def _are_known(value, types):
    plugins, refusals = register(read_plugins(value, local_path))
    assert refusals == []
    assert plugins
    assert {plugin.type for plugin in plugins} <= types


def test_the_file_of_rviz_shows_both_topics_of_markers():
    displays = yaml.safe_load((CONFIG / 'markers.rviz').read_text())['Visualization Manager']
    topics = [each['Topic']['Value'] for each in displays['Displays']]
    assert topics == ['/markers/model', '/markers/state']
    assert displays['Global Options']['Fixed Frame'] == 'world'
