"""Models that functions make, in a real server."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from .faults import log_entries
from .harness import Client, Process, refusal_at_start, server_process, wait_until

pytestmark = pytest.mark.slow

SOURCE = """
import sys, threading
from pathlib import Path
from mujoco_ros_py import mjcf

def rail(joint=''):
    name = joint or Path(__file__).with_name('joint.txt').read_text()
    return FAULTS[name]() if name in FAULTS else sliding(name)

def sliding(name):
    scene = mjcf.RootElement(model='rail')
    scene.option.gravity = [0, 0, 0]
    sled = scene.worldbody.add('body', name='sled')
    sled.add('joint', name=name, type='slide')
    sled.add('geom', size=[0.1])
    return scene

def raises():
    raise ValueError('no rail today')

def blocks():
    print('blocked', flush=True)
    threading.Event().wait()

def interrupts():
    raise KeyboardInterrupt

FAULTS = {
    'raises': raises, 'exits': sys.exit, 'interrupts': interrupts, 'blocks': blocks,
    'text': lambda: '<mujoco/>', 'broken': lambda: broken(sliding('broken')),
}

def broken(scene):
    scene.find('body', 'sled').geom[0].remove()
    return scene
"""
URI = 'python://scenery.rails:rail'
GIVEN = {'modelfile': URI, 'model_modules': ['scenery']}
MESSAGES = {
    'raises': 'rail raised ValueError: no rail today (',
    'exits': 'rail raised SystemExit (',
    'interrupts': 'rail raised KeyboardInterrupt (',
    'text': 'rail must return mjcf.RootElement, returned str',
    'broken': 'Error: mass and inertia of moving bodies must be larger than mjMINVAL',
}


class Scenery:
    """The package, and the file that its function reads."""

    def __init__(self, folder: Path) -> None:
        self.module = folder / 'site/scenery/rails.py'
        self.module.parent.mkdir(parents=True)
        self.module.write_text(SOURCE)
        self._joint = self.module.with_name('joint.txt')
        self.name('red')

    def name(self, joint: str) -> None:
        self._joint.write_text(joint)

    @property
    def environment(self) -> dict[str, str]:
        paths = [str(self.module.parents[1]), os.environ.get('PYTHONPATH', '')]
        return {'PYTHONPATH': os.pathsep.join(paths)}


@pytest.fixture(scope='module')
def package(tmp_path_factory) -> Scenery:
    return Scenery(tmp_path_factory.mktemp('scenery'))


@pytest.fixture
def scenery(package) -> Scenery:
    """The package, whose function names the joint red."""
    package.name('red')
    return package


@pytest.fixture
def server(share, scenery) -> tuple[Process, Client]:
    """A server with a model of the package, which runs, and its client."""
    process, client = share(GIVEN, **scenery.environment)
    assert client.pause(False).success
    return process, client


def wait_for_joint(states: list[JointState], name: str) -> None:
    wait_until(lambda: states and states[-1].name == [name], f'a model with the joint {name}')


def test_a_reload_makes_the_model_anew_with_the_arguments_of_then(server, scenery):
    process, client = server
    process.wait_for_output(f'loaded {URI}: 2 bodies')
    states = client.collect(JointState, 'joint_states')
    wait_for_joint(states, 'red')

    scenery.name('green')
    assert client.trigger('reload').success
    wait_for_joint(states, 'green')

    assert client.set_parameters(modelfile=f'{URI}?joint=blue')[0].successful
    answer = client.trigger('reload')
    assert answer.success, answer.message
    wait_for_joint(states, 'blue')
    assert client.set_parameters(modelfile=URI)[0].successful


def test_a_function_that_fails_leaves_the_old_model_running(server, scenery):
    process, client = server
    states = client.collect(JointState, 'joint_states')
    wait_for_joint(states, 'red')
    loads = client.diagnostics()['simulation'][2]['loads']
    for fault, message in MESSAGES.items():
        scenery.name(fault)
        answer = client.trigger('reload')
        assert not answer.success, fault
        assert answer.message.startswith(f'{URI}: {message}')
        raised = 'raised' in message
        assert (f'({scenery.module}:' in answer.message) == raised
        logged = [entry for entry in log_entries(process) if answer.message in entry]
        assert ['Traceback' in entry for entry in logged] == [True] * raised
    process.wait_for_output(f'~/reload: {URI}: {MESSAGES["raises"]}')  # others within a second
    seen = len(states)
    wait_until(lambda: len(states) > seen + 5, 'steps')
    assert client.diagnostics()['simulation'][2]['loads'] == loads
    assert states[-1].name == ['red']

    scenery.name('green')
    assert client.trigger('reload').success
    wait_for_joint(states, 'green')


def test_a_function_that_blocks_keeps_nobody_but_reloads_waiting(server, scenery):
    process, client = server
    states = client.collect(JointState, 'joint_states')
    scenery.name('blocks')
    reload = client.call_async(Trigger, 'reload', Trigger.Request())
    process.wait_for_output('blocked')

    assert client.trigger('reset').success
    seen = len(states)
    wait_until(lambda: len(states) > seen + 5, 'steps')
    assert not reload.done()

    process.signal(signal.SIGINT)
    wait_until(reload.done, 'an answer')
    assert reload.result().message == 'the simulation is shutting down'
    assert process.wait() == 0


def test_a_function_that_fails_ends_the_start_with_the_traceback_and_one_line(
    tmp_path, domain, scenery
):
    scenery.name('raises')
    process = server_process(tmp_path, domain, GIVEN, **scenery.environment)
    try:
        assert process.wait() == 2
    finally:
        process.end()
    assert f'File "{scenery.module}"' in process.output
    assert process.lines[-1].startswith(f'mujoco_server: {URI}: rail raised ValueError: no rail')


MODULES = [
    (['my_pkg'], f"{URI}: module 'scenery.rails' is not among model_modules: my_pkg"),
    ('scenery', "model_modules must be a list of strings, got 'scenery'"),
]


@pytest.mark.parametrize(('modules', 'message'), MODULES)
def test_a_module_that_is_not_listed_ends_the_start(tmp_path, domain, modules, message):
    said = refusal_at_start(tmp_path, domain, {'modelfile': URI, 'model_modules': modules})
    assert said == f'mujoco_server: {message}'


def test_nobody_lists_more_modules_while_the_server_runs(start, scenery):
    _, client = start({'model_modules': ['my_pkg']}, **scenery.environment)
    assert client.set_parameters(modelfile='python://os:system?command=exit')[0].successful
    for modules in (['os'], ['my_pkg', 'os'], []):
        (result,) = client.set_parameters(model_modules=modules)
        assert not result.successful
    answer = client.trigger('reload')
    assert not answer.success
    assert answer.message.endswith("module 'os' is not among model_modules: my_pkg")
    assert client.get_parameter('model_modules').string_array_value == ['my_pkg']
