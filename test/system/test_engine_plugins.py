"""Engine plugins that a server's parameter lists."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from sensor_msgs.msg import JointState

from .faults import log_entries, sim_time
from .harness import PENDULUM, refusal_at_start, wait_until

pytestmark = pytest.mark.slow

LIFT = """
from mujoco_ros_py.engine.engine_plugins import Capability, EnginePlugin

class Lift(EnginePlugin):
    name = 'lifts.python'
    capabilities = Capability.PASSIVE

    @staticmethod
    def compute_passive(p, model, data):
        data.qfrc_passive[0] += 1.0

class Torn(Lift):
    name = 'lifts.torn'

    @staticmethod
    def compute_passive(p, model, data):
        data.qfrc_passive[0] += 1.0
        if data.time > 0.05:
            raise ValueError('the rope is torn')
"""


@pytest.fixture(scope='module')
def folder(tmp_path_factory) -> Path:
    """A folder with the module `lifts` and what pip would install of it."""
    folder = tmp_path_factory.mktemp('site')
    information = folder / 'lifts-1.0.dist-info'
    information.mkdir()
    (folder / 'lifts.py').write_text(LIFT)
    (information / 'METADATA').write_text('Name: lifts\nVersion: 1.0\n')
    (information / 'entry_points.txt').write_text(
        '[mujoco_ros_py.engine_plugins]\nlifts/Lift = lifts:Lift\nlifts/Torn = lifts:Torn\n'
    )
    return folder


@pytest.fixture
def load(share, folder):
    """`load(model)`: the process and a client of a running server that may use `lifts`."""

    def load(model: str) -> tuple[Any, Any]:
        path = os.pathsep.join([str(folder), *filter(None, [os.environ.get('PYTHONPATH')])])
        base = {
            'mujoco_xml': PENDULUM,
            'engine_plugins': ['lifts/Lift', 'lifts/Torn'],
            'trust_network': True,
        }
        process, client = share(base, given={'mujoco_xml': model}, PYTHONPATH=path)
        assert client.pause(False).success
        return process, client

    return load


def lifted(plugin: str) -> str:
    """A slider that only a plugin's force of 1 N on its 1 kg moves."""
    return (
        f'<mujoco><option gravity="0 0 0"/><extension><plugin plugin="{plugin}"/></extension>'
        '<worldbody><body><joint name="lift" type="slide"/><geom size="0.1" mass="1"/>'
        f'<plugin plugin="{plugin}"/></body></worldbody></mujoco>'
    )


def wait_until_it_moves(client: Any) -> None:
    states = client.collect(JointState, 'joint_states')
    wait_until(lambda: states and states[-1].position[0] > 0.01, 'motion')


def loads(client: Any) -> str:
    return client.diagnostics()['simulation'][2]['loads']


def test_a_type_that_is_listed_moves_the_model_also_when_its_module_was_edited(load, folder):
    process, client = load(lifted('lifts.python'))
    before = log_entries(process)
    wait_until_it_moves(client)
    (folder / 'lifts.py').write_text('raise SystemExit(3)')
    try:
        for _ in range(3):
            assert client.trigger('reload').success
        wait_until_it_moves(client)
    finally:
        (folder / 'lifts.py').write_text(LIFT)
    assert log_entries(process) == before


def test_one_that_raises_is_told_with_its_instance_at_each_load_and_the_simulation_goes_on(load):
    process, client = load(lifted('lifts.torn'))

    def entries() -> list[str]:
        return [entry for entry in log_entries(process) if 'the rope is torn' in entry]

    for told in (1, 2):
        wait_until(lambda n=told: len(entries()) == n, 'the error')
        before = sim_time(client)
        wait_until(lambda b=before: sim_time(client) > b + 0.1, 'time goes on')
        assert len(entries()) == told
        assert 'compute_passive of engine plugin lifts.torn, instance 0 raised' in entries()[-1]
        assert client.trigger('reset').success
        assert client.trigger('reload').success


def test_a_library_and_a_directory_that_are_listed_move_the_model(start, plugin_library, tmp_path):
    plugin_library('one.so', 'add("lifts.one");')
    plugin_library('all/two.so', 'add("lifts.two");')
    listed = [str(tmp_path / 'one.so'), str(tmp_path / 'all')]
    _, client = start({'mujoco_xml': lifted('lifts.one'), 'engine_plugins': listed})
    wait_until_it_moves(client)
    assert client.set_parameters(mujoco_xml=lifted('lifts.two'))[0].successful
    for _ in range(3):
        answer = client.trigger('reload')
        assert answer.success, answer.message
    wait_until_it_moves(client)


def test_the_plugins_that_come_along_need_not_be_listed(load):
    pid = PENDULUM.replace(
        '<worldbody>',
        '<extension><plugin plugin="mujoco_ros_py.pid"><instance name="pid">'
        '<config key="kp" value="3"/></instance></plugin></extension><worldbody>',
    ).replace('<motor name="motor" joint="hinge"/>', '<plugin joint="hinge" instance="pid"/>')
    _, client = load(pid)
    assert client.diagnostics()['simulation'][0] == b'\x00'


def test_what_cannot_be_switched_on_ends_the_start_with_one_clear_line(tmp_path, domain):
    line = refusal_at_start(tmp_path, domain, {'engine_plugins': ['lifts/Lift']})
    assert '\n' not in line
    assert "engine_plugins[0]: unknown engine plugin type 'lifts/Lift'; known: " in line


def test_a_model_with_an_unknown_plugin_ends_the_start_with_those_there_are(tmp_path, domain):
    line = refusal_at_start(tmp_path, domain, {'mujoco_xml': lifted('lifts.python')})
    assert '\n' not in line
    assert 'plugin lifts.python not found' in line
    assert 'mujoco_ros_py.pid' in line


def test_no_reload_with_what_is_wrong_disturbs_what_runs(load, plugin_library, tmp_path):
    plugin_library('clash.so', 'add("lifts.python");')
    plugin_library('pid.so', 'add("mujoco.pid");')
    plugin_library('dies.so', 'add("lifts.dies"); abort();')
    (tmp_path / 'text.so').write_text('no library ' * 100)
    (tmp_path / 'empty').mkdir()
    _, client = load(lifted('lifts.python'))
    wait_until_it_moves(client)
    before = loads(client)
    for listed, said in {
        'clash.so': "engine plugin 'lifts.python' is taken by class lifts.Lift",
        'pid.so': "engine plugin 'mujoco.pid' is taken by a library, ",
        'dies.so': 'dies.so: ends the process that loads it: Aborted',
        'text.so': 'text.so: cannot be loaded: invalid ELF header',
        'none.so': 'none.so: no such file',
        'empty': 'contains no shared library (*.so)',
        '': 'clash.so: ',
    }.items():
        (result,) = client.set_parameters(engine_plugins=['lifts/Lift', str(tmp_path / listed)])
        assert result.successful, result.reason
        time = sim_time(client)
        answer = client.trigger('reload')
        assert not answer.success
        assert answer.message.startswith('engine_plugins[1]: ')
        assert said in answer.message
        assert sim_time(client) > time
    assert loads(client) == before
    (result,) = client.set_parameters(engine_plugins=[''])
    assert "engine_plugins[0] must not be empty, got ''" in result.reason
    assert client.set_parameters(engine_plugins=['lifts/Lift', 'lifts/Torn'])[0].successful
    answer = client.trigger('reload')
    assert answer.success, answer.message


def test_what_is_listed_later_is_there_after_a_reload_and_stays(start, plugin_library, tmp_path):
    plugin_library('later.so', 'add("lifts.later");')
    _, client = start({'mujoco_xml': PENDULUM, 'trust_network': True})
    listed = {'engine_plugins': [str(tmp_path / 'later.so')], 'mujoco_xml': lifted('lifts.later')}
    assert all(result.successful for result in client.set_parameters(**listed))
    assert client.trigger('reload').success
    wait_until_it_moves(client)
    (result,) = client.set_parameters(engine_plugins=[])
    assert result.successful, result.reason
    assert client.get_parameter('engine_plugins').string_array_value == []
    assert client.trigger('reload').success, 'what MuJoCo knows it does not forget'
    wait_until_it_moves(client)
