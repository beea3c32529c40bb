from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from deadline import DEADLINE_S

from .harness import PENDULUM, Client, Process, parameter_file, wait_until
from .plugin_site import PluginSite, as_text, plugin

pytestmark = pytest.mark.slow

NODE = '/a/b/mujoco_server'
IN_A_B = ['-r', '__ns:=/a/b']


@pytest.fixture
def serve(tmp_path, domain) -> Iterator:
    """`serve(namespace, parameters)`: a parameter server that answers, and a client for it."""
    with ExitStack() as stack:

        def serve(namespace, parameters):
            name = f'{namespace.rstrip("/")}/parameter_server'
            file = parameter_file(tmp_path / f'{name.replace("/", "_")}.yaml', parameters)
            args = ['--ros-args', '-r', f'__ns:={namespace}', '--params-file', str(file)]
            process = Process('mujoco_ros_py.ros.parameter_server', args, domain)
            stack.callback(process.kill)
            client = Client(domain, name)
            stack.callback(client.close)
            wait_until(lambda: _services(client) >= {f'{name}/get_parameters'}, name, DEADLINE_S)
            return client

        yield serve


def _services(client) -> set[str]:
    return {name for name, _ in client.node.get_service_names_and_types()}


def named(label: str) -> str:
    return as_text(plugin('Recorder', label))


@pytest.mark.parametrize('namespaces', [['/', '/a', '/a/b'], ['/', '/a'], ['/']], ids=str)
def test_the_nearest_parameter_server_wins(start, serve, tmp_path, namespaces):
    site = PluginSite(tmp_path)
    for namespace in namespaces:
        serve(namespace, {'MujocoPlugins': named(f'of{namespace}'.replace('/', '_'))})

    process, _ = start(
        {'mujoco_xml': PENDULUM, 'MujocoPlugins': None}, *IN_A_B, node=NODE, **site.environment
    )

    nearest = namespaces[-1]
    assert site.names('load') == [f'load of{nearest}'.replace('/', '_')]
    assert f'MujocoPlugins comes from {nearest.rstrip("/")}/parameter_server' in process.output


def test_the_own_parameter_beats_all_parameter_servers(start, serve, tmp_path):
    site = PluginSite(tmp_path)
    serve('/', {'MujocoPlugins': named('foreign')})

    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': named('own')}
    start(parameters, **site.environment)

    assert site.names('load') == ['load own']


def test_a_parameter_server_without_plugins_is_passed_over(start, serve, tmp_path):
    site = PluginSite(tmp_path)
    serve('/a/b', {'something': 'else'})
    serve('/', {'MujocoPlugins': named('root')})

    start({'mujoco_xml': PENDULUM, 'MujocoPlugins': None}, *IN_A_B, node=NODE, **site.environment)

    assert site.names('load') == ['load root']


def test_native_parameters_come_from_a_parameter_server_too(start, serve, tmp_path):
    site = PluginSite(tmp_path)
    arm = {'type': 'recording/Recorder', 'label': 'arm', 'gains': [1.0, 2.0], 'in': {'x': 'tool0'}}
    serve('/', {'MujocoPlugins': {'names': ['arm'], 'arm': arm}})

    start({'mujoco_xml': PENDULUM, 'MujocoPlugins': None}, **site.environment)

    (load,) = site.events('load')
    assert load.config == {'label': 'arm', 'gains': [1.0, 2.0], 'in': {'x': 'tool0'}}


def test_a_reload_asks_the_parameter_server_again(start, serve, tmp_path):
    site = PluginSite(tmp_path)
    holder = serve('/', {'MujocoPlugins': named('before')})
    _, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': None}, **site.environment)

    assert holder.set_parameters(MujocoPlugins=named('after'))[0].successful
    assert client.trigger('reload').success

    assert site.names('load') == ['load before', 'load after']


def test_a_parameter_server_in_another_branch_is_not_asked(start, serve, tmp_path):
    site = PluginSite(tmp_path)
    serve('/c', {'MujocoPlugins': named('foreign')})
    process, client = start(
        {'mujoco_xml': PENDULUM, 'MujocoPlugins': None}, *IN_A_B, node=NODE, **site.environment
    )

    assert 'no parameter MujocoPlugins' in process.output
    assert site.names() == []
    assert client.trigger('reset').success


def test_where_nobody_has_plugins_the_server_says_so_and_runs(start):
    process, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': None})

    assert '[WARN]' in process.output
    assert 'neither here nor on a parameter_server up to /: running without plugins' in (
        process.output
    )
    values = client.diagnostics()['simulation'][2]
    assert int(values['steps']) > 0
    assert values['plugins registered'] == '0'
