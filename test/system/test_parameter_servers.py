from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from deadline import DEADLINE_S

from .harness import PENDULUM, Client, Process, parameter_file, wait_until
from .plugin_site import PluginSite, as_text, plugin

pytestmark = pytest.mark.slow

NAME = 'parameter_server'
NODE = '/a/b/mujoco_server'
IN_A_B = ['-r', '__ns:=/a/b']


@pytest.fixture
def serve(tmp_path, domain) -> Iterator:
    """`serve(namespace, parameters)`: a parameter server that answers, and its client."""
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
            return process, client

        yield serve


def _services(client) -> set[str]:
    return {name for name, _ in client.node.get_service_names_and_types()}


def named(label: str) -> str:
    return as_text(plugin('Recorder', label))


def test_the_nearest_parameter_server_with_plugins_wins(start, serve, tmp_path):
    site = PluginSite(tmp_path)
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': None}
    arm = {'type': 'recording/Recorder', 'label': 'arm', 'gains': [1.0, 2.0], 'in': {'x': 'tool0'}}
    serve('/', {'MujocoPlugins': {'names': ['arm'], 'arm': arm}})
    serve('/a', {'MujocoPlugins': named('nearer')})
    _, nearest = serve('/a/b', {'something': 'else'})

    process, client = start(parameters, *IN_A_B, node=NODE, **site.environment)
    assert site.names('load') == ['load nearer'], 'one without plugins is passed over'
    assert 'MujocoPlugins comes from /a/parameter_server' in process.output

    assert nearest.set_parameters(MujocoPlugins=named('nearest'))[0].successful
    assert client.trigger('reload').success, 'which asks again'
    assert site.names('load')[1:] == ['load nearest']

    in_c = ['-r', '__ns:=/c']
    process, client = start(parameters, *in_c, node='/c/mujoco_server', **site.environment)

    def of_the_same_branch() -> bool:
        if 'MujocoPlugins comes from /parameter_server' in process.output:
            return True
        client.trigger('reload')  # a busy machine may discover nobody in time
        return False

    wait_until(of_the_same_branch, 'the parameter server', process=process)
    assert site.events('load')[-1].config == {
        'label': 'arm', 'gains': [1.0, 2.0], 'in': {'x': 'tool0'},
    }  # fmt: skip

    start({**parameters, 'MujocoPlugins': named('own')}, **site.environment)
    assert site.names('load')[3:] == ['load own']


def test_where_nobody_has_plugins_the_server_says_so_and_runs(start):
    process, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': None})

    assert '[WARN]' in process.output
    assert 'neither here nor on a parameter_server up to /: running without plugins' in (
        process.output
    )
    values = client.diagnostics()['simulation'][2]
    assert int(values['steps']) > 0
    assert values['plugins configured'] == '0'


@pytest.mark.parametrize('strict', [False, True])
def test_a_reload_after_the_parameter_server_has_ended_says_so_or_is_refused(
    start, serve, tmp_path, strict
):
    site = PluginSite(tmp_path)
    parameters, _ = serve('/', {'MujocoPlugins': named('there')})
    given = {'mujoco_xml': PENDULUM, 'MujocoPlugins': None, 'strict': strict}
    _, client = start(given, **site.environment)
    wait_until(
        lambda: site.names('load') or not client.trigger('reload').success, 'the parameter server'
    )
    parameters.signal(signal.SIGINT)
    parameters.wait()
    wait_until(
        lambda: not any('parameter_server' in each for each in _services(client)), 'its end'
    )
    answer = client.trigger('reload')
    missing = 'no parameter MujocoPlugins, neither here nor on a parameter_server up to /'
    assert missing in answer.message
    assert answer.success is not strict
    ready = client.diagnostics()['simulation'][2]['plugins configured']
    assert ready == ('1' if strict else '0')
