from __future__ import annotations

import os
from pathlib import Path

import pytest
from sensor_msgs.msg import JointState

from .bad_models import entity_bomb, external_document_type, external_entity
from .faults import Counts, between_witnesses, environment, with_plugins
from .harness import PENDULUM, wait_until

pytestmark = pytest.mark.slow

SECRET = 'secret_that_nobody_may_read'


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that must not be read, and that was not read since it was written."""
    path = tmp_path / 'secret.txt'
    path.write_text(SECRET)
    os.utime(path, (1.0, 2.0))
    return path


def was_read(path: Path) -> bool:
    before = path.stat().st_atime
    if before == 1.0:
        path.read_bytes()
        if path.stat().st_atime == before:
            pytest.skip('this file system does not tell when a file was read')
    return before != 1.0


def memory_mib(pid: int) -> float:
    status = Path(f'/proc/{pid}/status').read_text()
    return int(status.partition('VmHWM:')[2].split()[0]) / 1024


@pytest.fixture
def server(share):
    """A server with a pendulum, which has it again after the test."""
    parameters = {'mujoco_xml': PENDULUM, 'modelfile': '', 'unpause': False}
    return share(parameters, given={'mujoco_xml': PENDULUM, 'modelfile': ''})


def test_an_entity_bomb_in_a_model_is_refused_or_stays_what_it_is(server):
    process, client = server
    before = memory_mib(process.pid)
    assert client.set_parameters(mujoco_xml=entity_bomb())[0].successful
    client.trigger('reload')
    states = client.collect(JointState, '/joint_states')
    assert len(wait_until(lambda: states and states[-1], 'joint states').name[0]) < 100
    assert memory_mib(process.pid) < before + 50


@pytest.mark.parametrize('make', [external_entity, external_document_type])
def test_an_external_entity_in_a_model_reads_no_file(server, secret, make):
    process, client = server
    model = secret.with_name('model.xml')
    model.write_text(make(secret))
    client.set_parameters(mujoco_xml='', modelfile=str(model))
    answer = client.trigger('reload')
    states = client.collect(JointState, '/joint_states')
    names = wait_until(lambda: states and states[-1], 'joint states').name
    assert SECRET not in f'{answer.message} {names} {process.output}'
    assert not was_read(secret)


DESCRIPTION = (
    '{doctype}<library path="stolen"><class name="bad/Plugin" type="Plugin"'
    ' base_class_type="mujoco_ros_py::MujocoPlugin">'
    '<description>{text}</description></class></library>'
)


def register(prefix: Path, package: str, content: str | bytes | None) -> Path:
    """A package under a prefix with a plugin description; None: registered, but not there."""
    index = prefix / 'share/ament_index/resource_index/mujoco_ros_py__pluginlib__plugin'
    index.mkdir(parents=True, exist_ok=True)
    (index / package).write_text(f'share/{package}/plugins.xml\n')
    path = prefix / 'share' / package / 'plugins.xml'
    if content is not None:
        path.parent.mkdir(parents=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_plugin_descriptions_that_cannot_be_used_are_reported_once_and_read_no_file(
    start, tmp_path, secret
):
    good = DESCRIPTION.format(doctype='', text='')
    bomb = entity_bomb().partition('?>')[2].partition(']>')[0] + ']>'
    external = f'<!DOCTYPE library [<!ENTITY secret SYSTEM "file://{secret}">]>'
    contents = {
        'nothing': None,
        'binary': bytes(range(256)) * 400,
        'large': bytes(range(1, 255)) * 20_000,
        'bomb': DESCRIPTION.format(doctype=bomb, text='&e12;'),
        'thief': DESCRIPTION.format(doctype=external, text='&secret;'),
        'cut_off': good[:60],
        'no_type': good.replace('type="Plugin"', ''),
        'no_name': good.replace('"bad/Plugin"', '"no slash at all"'),
        'deep': '<library>' * 100_000,
    }
    paths = [register(tmp_path, package, content) for package, content in contents.items()]
    directory = register(tmp_path, 'directory', None)
    directory.mkdir(parents=True)
    index = tmp_path / 'share/ament_index/resource_index/mujoco_ros_py__pluginlib__plugin'
    for number, garbage in enumerate([b'', bytes(range(256)), b'a\0b', b'../../../etc/passwd']):
        (index / f'garbage{number}').write_bytes(garbage)
    process, client = start(
        with_plugins(*between_witnesses('bad/Plugin')), **environment(tmp_path)
    )
    assert client.trigger('reload').success
    Counts(client, 'first', 'last').wait_for_more()
    assert '2 of 3 plugins ready' in process.output
    for path in [*paths, directory]:
        reports = [line for line in process.lines if str(path) in line and '[WARN]' in line]
        assert len(reports) == 1, (path, reports)
    for word in ('Traceback', 'root:', SECRET):
        assert word not in process.output
    assert not was_read(secret)
