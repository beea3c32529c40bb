from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

import pytest
from std_srvs.srv import Trigger

from .bad_models import BAD
from .faults import sim_time
from .harness import PENDULUM, refusal_at_start, server_process, wait_until

pytestmark = pytest.mark.slow

LONGEST_MESSAGE = 2000


LONG = 'model that attaches itself', 'model that takes all memory'
"""These take seconds; `test/simulation/models` has them, too."""
AT_START = 'no such file', 'pipe', 'model that takes all memory', 'cut off'


@pytest.mark.parametrize(
    'what',
    [each if each in AT_START else pytest.param(each, marks=pytest.mark.nightly) for each in BAD],
)
def test_a_model_that_cannot_be_used_ends_the_start_with_one_clear_line(what, tmp_path, domain):
    said = refusal_at_start(tmp_path, domain, BAD[what](tmp_path))
    assert '\n' not in said
    assert len(said) < LONGEST_MESSAGE


def test_a_start_that_is_refused_leaves_no_shared_memory_behind(tmp_path, domain):
    shared = Path('/dev/shm')
    used: set[str] = set()
    process = server_process(tmp_path, domain, {'mujoco_xml': '<mujok/>'})
    while process.running():
        with contextlib.suppress(OSError):  # it has just ended
            maps = Path(f'/proc/{process.pid}/maps').read_text()
            used |= set(re.findall(r'/dev/shm/(fast(?:dds|rtps)_[0-9a-f]{16})', maps))
    assert process.wait() == 2
    if not used:
        pytest.skip('this middleware has no such shared memory')
    assert [name for name in used if (shared / name).exists()] == []


@pytest.fixture
def client(share):
    """The client of a server with a pendulum, which has it again after the test."""
    parameters = {'mujoco_xml': PENDULUM, 'modelfile': '', 'unpause': False}
    _, client = share(parameters, given={'mujoco_xml': PENDULUM, 'modelfile': ''})
    assert client.pause(False).success
    return client


@pytest.mark.parametrize(
    'bad',
    [BAD.keys() - LONG, pytest.param(LONG, marks=pytest.mark.nightly)],
    ids=['quick', 'long'],
)
def test_no_bad_model_disturbs_the_one_that_runs(faulty, tmp_path, bad):
    client = faulty.client
    faulty.load({'type': 'faulty/Witness'})
    before = client.diagnostics()['simulation'][2]
    failures = []
    for number, what in enumerate(sorted(bad)):
        folder = tmp_path / str(number)
        folder.mkdir()
        parameters = {'modelfile': '', 'mujoco_xml': '', **BAD[what](folder)}
        assert all(result.successful for result in client.set_parameters(**parameters)), what
        answer = client.trigger('reload')
        if answer.success or not answer.message or len(answer.message) > LONGEST_MESSAGE:
            failures.append(f'{what}: {answer.success} {answer.message[:100]!r}')
    values = client.diagnostics()['simulation'][2]
    assert (values['loads'], values['plugins ready']) == (before['loads'], '1')
    assert sim_time(client) > float(values['time'])
    assert 'unloads' not in faulty.output
    assert 'Traceback' not in faulty.output
    assert not failures, '\n'.join(failures)
    client.set_parameters(modelfile='', mujoco_xml=PENDULUM)
    assert client.trigger('reload').success


@pytest.mark.skipif(os.geteuid() == 0, reason='root may read every file')
def test_a_model_without_permission_to_read_ends_the_start_with_one_clear_line(tmp_path, domain):
    path = tmp_path / 'closed.xml'
    path.write_text(PENDULUM)
    path.chmod(0)
    assert str(path) in refusal_at_start(tmp_path, domain, {'modelfile': str(path)})


@pytest.mark.parametrize('value', ['nan 0 0', '0 0 inf'])
def test_a_value_that_is_no_number_is_refused_or_warned_of(value, client):
    bad = PENDULUM.replace('pos="0 0 1"', f'pos="{value}"')
    assert bad != PENDULUM
    assert client.set_parameters(mujoco_xml=bad)[0].successful
    answer = client.trigger('reload')
    if answer.success:
        wait_until(lambda: client.diagnostics()['simulation'][0] == b'\x01', 'a warning')
    assert client.set_parameters(mujoco_xml=PENDULUM)[0].successful
    assert client.trigger('reload').success
    assert client.diagnostics()['simulation'][0] == b'\x00'


def test_a_large_include_leaves_a_server_that_answers(client, tmp_path: Path):
    """The limit on a model's size is for the file itself: this one may even be used."""
    large = tmp_path / 'large.xml'
    comment = b'<!-- 10 MB of nothing but a comment -->'
    large.write_bytes(b'<mujoco>' + comment * 260_000 + b'</mujoco>')
    model = tmp_path / 'model.xml'
    model.write_text(f'<mujoco><include file="{large}"/></mujoco>')
    client.set_parameters(modelfile=str(model), mujoco_xml='')
    reload = client.call_async(Trigger, 'reload', Trigger.Request())
    assert client.trigger('reset').success
    wait_until(reload.done, 'an answer of reload')
    assert client.set_parameters(mujoco_xml=PENDULUM)[0].successful
    assert client.trigger('reload').success
