"""What `ros2 param dump` writes: for another start, and for `ros2 param load`.

ros2cli is not on PyPI. Its `dump` lists the names, gets the values and nests them by their dots;
its `load` is rclpy's AsyncParameterClient.load_parameter_file.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import GetParameters, ListParameters, SetParameters
from rclpy.parameter import parameter_value_to_python
from rclpy.parameter_client import AsyncParameterClient

from .harness import PENDULUM, Client, Process, answered, wait_until
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

NODE = '/mujoco_server'
CAMERAS = PENDULUM.replace(
    '<worldbody>', '<worldbody><camera name="left.eye"/><camera name="left"/>'
).replace('"hinge"', '"arm/elbow.1 ä"')
REST = {
    'mujoco_xml': CAMERAS,
    'render_offscreen': False,
    'model_modules': ['some.scenes', 'more'],
    'cam_config.left.eye.width': 32,
    'cam_config.left.height': 16,
    'cam_config.left.frequency': 2.5,
    'initial_joint_positions.joint_map.arm/elbow.1 ä': [0.25],
    'initial_joint_velocities.joint_map.arm/elbow.1 ä': '1e-3',
}
NATIVE = {
    'MujocoPlugins.names': ['arm', 'tool'],
    'MujocoPlugins.arm.type': 'recording/Recorder',
    'MujocoPlugins.arm.limits.low': [-1.5, 2.0],
    'MujocoPlugins.arm.limits.name': 'tip',
    'MujocoPlugins.tool.type': 'recording/Recorder',
}
TEXT = '- type: recording/Recorder\n  name: arm\n  limits: [[1, 2], [3.5]]\n  say: "it\'s"\n'
FILE = '- {type: recording/Recorder, name: arm}\n'


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    return PluginSite(tmp_path_factory.mktemp('plugins'))


@pytest.fixture(scope='module')
def form(site):
    """`form(name)`: the parameters of one form of MujocoPlugins."""
    file = site.folder / 'plugins.yaml'
    file.write_text(FILE)
    return {
        'native': NATIVE,
        'text': {'MujocoPlugins': TEXT},
        'file': {'MujocoPlugins': str(file)},
        'none': {'MujocoPlugins': '[]'},
    }.__getitem__


@pytest.fixture
def serve(share, site, form):
    """`serve(name)`: the client of a server with this form of MujocoPlugins."""
    return lambda name: share({**REST, **form(name)}, reload=False, **site.environment)[1]


def values_of(client: Client) -> dict[str, Any]:
    answer = client.call(ListParameters, 'list_parameters', ListParameters.Request())
    names = sorted(answer.result.names)
    answer = client.call(GetParameters, 'get_parameters', GetParameters.Request(names=names))
    values = map(parameter_value_to_python, answer.values)
    return {
        name: list(v) if hasattr(v, 'tolist') else v for name, v in zip(names, values, strict=True)
    }


def loaded(site: PluginSite) -> list[Any]:
    """What each plugin that was loaded found."""
    return [(event.config, event.qpos, event.qvel) for event in site.events('load')]


def dump(client: Client, path: Path) -> Path:
    """What `ros2 param dump` writes."""
    return write(values_of(client), path)


def write(values: dict[str, Any], path: Path) -> Path:
    """TypeError, as in `ros2 param dump`, where a name is a value and a struct."""
    tree: dict[str, Any] = {}
    for name, value in values.items():
        *parents, last = name.split('.')
        struct = tree
        for parent in parents:
            struct = struct.setdefault(parent, {})
        struct[last] = value
    path.write_text(yaml.dump({NODE: {'ros__parameters': tree}}))
    return path


def load(client: Client, path: Path) -> dict[str, str]:
    """Loads a file; why names were refused."""
    parameters = AsyncParameterClient(client.node, NODE)
    wait_until(lambda: parameters.services_are_ready(), 'the services')
    results = answered(
        lambda: parameters.load_parameter_file(str(path), use_wildcard=True), 'the file'
    ).results
    names = [name for name, _ in _leaves(yaml.safe_load(path.read_text())[NODE])]
    assert len(names) == len(results)
    return {n: r.reason for n, r in zip(names, results, strict=True) if not r.successful}


def _leaves(struct: dict[str, Any], start: str = '') -> list[tuple[str, Any]]:
    found = []
    for key, value in struct.items():
        name = f'{start}.{key}' if start and start != 'ros__parameters' else key
        found += _leaves(value, name) if isinstance(value, dict) else [(name, value)]
    return found


@pytest.mark.parametrize('name', ['native', 'text'])
def test_a_server_starts_again_from_its_dump(start, form, tmp_path, domain, name):
    site = PluginSite(tmp_path)
    _, client = start({**REST, **form(name)}, **site.environment)
    before, made = values_of(client), loaded(site)
    path = dump(client, tmp_path / 'dump.yaml')
    assert client.trigger('shutdown').success

    file = ['--ros-args', '--params-file', str(path)]
    again = Process('mujoco_ros_py', file, domain, copied=True, **site.environment)
    try:
        again.wait_for_output('loaded ')
        with closing(Client(domain)) as other:
            assert values_of(other) == before
        assert loaded(site) == made + made
    finally:
        again.end()


def test_each_form_loads_over_each_other(start, site, form, tmp_path):
    tour = 'native text native file native none text file text none file none native'
    first, *others = tour.split()  # each next to each, in both orders
    _, client = start({**REST, **form(first), 'trust_network': True}, **site.environment)
    for name in others:
        dump(client, tmp_path / 'before.yaml')
        path = write(form(name), tmp_path / f'{name}.yaml')
        assert load(client, path) == {}, name
        now = values_of(client)
        assert {k: v for k, v in now.items() if 'Plugins' in k} == form(name)
        count = len(loaded(site))
        answer = client.trigger('reload')
        assert answer.success, answer.message
        plugins = {'native': 2, 'text': 1, 'file': 1, 'none': 0}[name]
        assert len(loaded(site)) == count + plugins


def test_a_dump_loads_over_its_own_server_but_for_what_is_read_only(serve, tmp_path):
    client = serve('native')
    path, before = dump(client, tmp_path / 'dump.yaml'), values_of(client)

    refused = load(client, path)

    expected = 'read-only', 'admin_hash is not needed'
    assert all(any(each in reason for each in expected) for reason in refused.values()), refused
    after, model = values_of(client), before['mujoco_xml']
    assert after.pop('mujoco_xml').split() == model.split()  # YAML folds lines
    assert after == {name: value for name, value in before.items() if name != 'mujoco_xml'}
    assert client.set_parameters(mujoco_xml=model)[0].successful


def test_another_file_is_refused_aloud_where_the_network_is_not_trusted(serve, form):
    client = serve('text')
    for path in (*form('file').values(), '/etc/passwd', 'none.yaml'):
        (result,) = client.set_parameters(MujocoPlugins=path)
        assert not result.successful
        assert result.reason.startswith('MujocoPlugins can be set to the path of a file only if')
    assert client.get_parameter('MujocoPlugins').string_value == TEXT
    assert client.trigger('reload').success


def test_the_file_that_was_named_at_the_start_may_come_back(serve, form):
    client = serve('file')
    assert client.set_parameters(MujocoPlugins='[]')[0].successful
    assert client.set_parameters(**form('file'))[0].successful
    assert client.trigger('reload').success


def test_a_name_cannot_become_a_struct_and_a_value(serve):
    client = serve('native')
    for name, other in (
        ('MujocoPlugins.arm.limits', 'MujocoPlugins.arm.limits.'),
        ('MujocoPlugins.arm.type.more', 'MujocoPlugins.arm.type'),
    ):
        (result,) = client.set_parameters(**{name.replace('.', '__'): 1.0})
        assert not result.successful
        assert result.reason.startswith(f'{name} cannot be set next to {other}')
    both = {'MujocoPlugins': '[]', 'MujocoPlugins__third__type': 'a/B'}
    (result,) = client.set_parameters(atomically=True, **both)
    assert result.reason == 'MujocoPlugins cannot be set together with MujocoPlugins.third.type'


def test_deleting_the_plugins_leaves_a_server_without_plugins(serve, form):
    client = serve('text')
    assert client.set_parameters(MujocoPlugins=None)[0].successful
    assert client.get_parameter('MujocoPlugins').string_value == ''
    answer = client.trigger('reload')
    assert answer.success, answer.message
    assert client.diagnostics()['simulation'][2]['plugins configured'] == '0'

    for name, value in form('native').items():
        assert client.set_parameters(**{name.replace('.', '__'): value})[0].successful
    for name in form('native'):
        assert client.set_parameters(**{name.replace('.', '__'): None})[0].successful
    assert client.trigger('reload').success
    assert client.get_parameter('MujocoPlugins').string_value == ''
    assert client.set_parameters(**form('text'))[0].successful


def test_an_empty_list_for_a_new_joint_is_refused_with_an_answer(serve):
    client = serve('native')
    name = 'initial_joint_positions.joint_map.hinge'
    for kind in range(ParameterType.PARAMETER_NOT_SET, ParameterType.PARAMETER_STRING_ARRAY + 1):
        empty = ParameterValue(type=kind)
        if kind in (ParameterType.PARAMETER_INTEGER, ParameterType.PARAMETER_DOUBLE):
            continue  # 0
        request = SetParameters.Request(parameters=[Parameter(name=name, value=empty)])
        (result,) = client.call(SetParameters, 'set_parameters', request).results
        assert not result.successful, kind
        assert name in result.reason
    names = client.call(ListParameters, 'list_parameters', ListParameters.Request()).result.names
    assert name not in names
