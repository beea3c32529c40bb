from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from .faults import Counts, environment, reload_with, sim_time, with_plugins
from .harness import PENDULUM, Process, refusal_at_start

pytestmark = pytest.mark.slow

LONGEST = 2000
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


AT_START = 'not yaml', 'laughs by the billion', 'a device', 'a binary file', 'a pipe'
AT_SET = 'not yaml', 'no list', 'a key twice', 'two documents'


def values(folder: Path) -> dict[str, str]:
    """Returns values of MujocoPlugins that cannot be used."""
    paths = {what: folder / f'{number}.yaml' for number, what in enumerate(FILES)}
    for what, path in paths.items():
        FILES[what](path)
    return {**TEXTS, **{what: str(path) for what, path in paths.items()}}


@pytest.mark.parametrize(
    'what',
    [
        each if each in AT_START else pytest.param(each, marks=pytest.mark.nightly)
        for each in [*TEXTS, *FILES]
    ],
)
def test_garbage_for_plugins_ends_the_start_with_one_clear_line(what, tmp_path, domain):
    given = {'mujoco_xml': PENDULUM, 'MujocoPlugins': values(tmp_path)[what]}
    said = refusal_at_start(tmp_path, domain, given)
    assert '\n' not in said
    assert len(said) < LONGEST


def test_garbage_for_plugins_at_a_reload_leaves_the_old_ones_running(start, tmp_path):
    witness = {'type': 'faulty/Witness', 'name': 'first'}
    process, client = start(with_plugins(witness, trust_network=True), **environment())
    failures = []
    for what, value in values(tmp_path).items():
        (result,) = client.set_parameters(MujocoPlugins=value)
        if not result.successful:
            told = 'MujocoPlugins' in result.reason if what in AT_SET else result.reason
            if what in FILES or not told:
                failures.append(f'{what}: {result}')
            continue
        answer = client.trigger('reload')
        if what in AT_SET or answer.success or not answer.message:
            failures.append(f'{what}: {answer}')
    Counts(client, 'first').wait_for_more()
    told = client.diagnostics()['simulation'][2]
    assert (told['loads'], told['plugins ready']) == ('1', '1')
    assert sim_time(client) > float(told['time'])
    assert 'first unloads' not in process.output
    assert 'bought' not in [line.strip() for line in process.lines]
    assert 'Traceback' not in process.output
    assert not failures, '\n'.join(failures)
    assert reload_with(client, witness).success


def test_a_parameter_file_of_garbage_ends_the_start_with_one_clear_line(tmp_path, domain):
    nested = '/**:\n  ros__parameters:\n    MujocoPlugins:\n      - {type: [[1, 2], [3]]}\n'
    file = tmp_path / 'garbage.yaml'
    for content in ('no: [yaml', '- a\n- list\n', nested, '\0\1\2\3', None):
        file.unlink(missing_ok=True)
        if content is not None:
            file.write_text(content)
        args = ['--ros-args', '--params-file', str(file)]
        process = Process('mujoco_ros_py', args, domain, copied=True)
        try:
            assert process.wait() == 2, content
        finally:
            process.end()
        said = process.output.partition('mujoco_server: ')[2]
        assert said.strip(), process.output
        assert said.count('\n') == 1, said
        assert len(said) < LONGEST
        assert 'Traceback' not in process.output
