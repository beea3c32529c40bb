from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from .faults import Counts, environment, reload_with, sim_time, starting
from .harness import PENDULUM, Process

pytestmark = pytest.mark.slow

LAUGHS = [f'a{n + 1}: &a{n + 1} [{", ".join([f"*a{n}"] * 9)}]' for n in range(9)]
TEXTS = {
    'not yaml': 'a: b: {[',
    'no list': 'only words',
    'a number': '17 ',
    'a tab': '- type: a/B\n\tname: c',
    'a tag that makes an object': '- !!python/object/apply:os.system ["echo bought"]',
    'laughs by the billion': 'a0: &a0 lol\n' + '\n'.join(LAUGHS),
    'a key twice': '- {type: a/B, type: a/C}',
    'nested too deep': '[' * 5000 + ']' * 5000,
    'two documents': '- {type: a/B}\n---\n- {type: a/B}',
    'control characters': '- "\x01\x02"\n- \x7f',
    'half a megabyte': '# ' + 'x' * 2**19,
    'a file that is not there': 'nothing/plugins.yaml',
    'a package that is not there': 'package://no_such_package/plugins.yaml',
    'a device': '/dev/zero\n',
}
FILES: dict[str, Callable[[Path], object]] = {
    'an empty file': lambda path: path.write_text(''),
    'a binary file': lambda path: path.write_bytes(random.Random(1).randbytes(10_000)),
    'a file of 50 MB': lambda path: path.write_bytes(b'- {type: a/B}\n' * 3_700_000),
    'a directory': Path.mkdir,
    'a dangling link': lambda path: path.symlink_to('nothing'),
    'a pipe': os.mkfifo,
    'a file of not yaml': lambda path: path.write_text('a: b: {['),
}


@pytest.fixture(params=[*TEXTS, *FILES])
def garbage(request, tmp_path: Path) -> str:
    """A value of MujocoPlugins that cannot be used."""
    if request.param in TEXTS:
        return TEXTS[request.param]
    path = tmp_path / 'plugins.yaml'
    FILES[request.param](path)
    return str(path)


def test_garbage_for_plugins_ends_the_start_with_one_clear_line(garbage, tmp_path, domain):
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': garbage}
    with starting(tmp_path, domain, parameters) as process:
        assert process.wait() == 2
    assert_one_clear_line(process)


@pytest.mark.parametrize('text', ['not yaml', 'no list', 'a key twice', 'two documents'])
def test_a_text_that_is_no_list_of_plugins_is_a_rejected_set(start, text):
    _, client = start({'mujoco_xml': PENDULUM})
    (result,) = client.set_parameters(MujocoPlugins=TEXTS[text])
    assert not result.successful
    assert 'MujocoPlugins' in result.reason
    assert client.get_parameter('MujocoPlugins').string_value == '[]'


def test_garbage_for_plugins_at_a_reload_leaves_the_old_ones_running(start, tmp_path):
    witness = {'type': 'faulty/Witness', 'name': 'first'}
    process, client = start(
        {
            'mujoco_xml': PENDULUM,
            'MujocoPlugins': '[{type: faulty/Witness, name: first}]',
            'trust_network': True,
        },
        **environment(),
    )
    files = {}
    for number, (what, make) in enumerate(FILES.items()):
        files[what] = tmp_path / f'{number}.yaml'
        make(files[what])
    failures = []
    for what, value in {**TEXTS, **files}.items():
        (result,) = client.set_parameters(MujocoPlugins=str(value))
        if not result.successful:
            if what in files or not result.reason:
                failures.append(f'{what}: {result}')
            continue
        answer = client.trigger('reload')
        if answer.success or not answer.message:
            failures.append(f'{what}: {answer}')
    Counts(client, 'first').wait_for_more()
    values = client.diagnostics()['simulation'][2]
    assert (values['loads'], values['plugins ready']) == ('1', '1')
    assert sim_time(client) > float(values['time'])
    assert 'first unloads' not in process.output
    assert 'bought' not in [line.strip() for line in process.lines]
    assert 'Traceback' not in process.output
    assert not failures, '\n'.join(failures)
    assert reload_with(client, witness).success


@pytest.mark.parametrize(
    'content',
    [
        'no: [yaml',
        '- a\n- list\n',
        '/**:\n  ros__parameters:\n    MujocoPlugins:\n      - {type: [[1, 2], [3]]}\n',
        '\0\1\2\3',
        None,
    ],
)
def test_a_parameter_file_of_garbage_ends_the_start_with_one_clear_line(tmp_path, domain, content):
    file = tmp_path / 'garbage.yaml'
    if content is not None:
        file.write_text(content)
    process = Process('mujoco_ros_py', ['--ros-args', '--params-file', str(file)], domain)
    try:
        assert process.wait() == 2
    finally:
        process.end()
    assert_one_clear_line(process)


def assert_one_clear_line(process: Process) -> None:
    said = process.output.partition('mujoco_server: ')[2]
    assert said.strip(), process.output
    assert said.count('\n') == 1, said
    assert len(said) < 2000
    assert 'Traceback' not in process.output
