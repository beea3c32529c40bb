"""Programs that start as copies of a process that has already imported them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from contextlib import contextmanager
from pathlib import Path

import pytest
from deadline import DEADLINE_S, runs, until

from mujoco_ros_py.processes import ForkServer, ForkServers

PROGRAM = """
import atexit, json, os, signal, sys, threading, time

prepared = []

def prepare():
    prepared.append(os.getpid())
    print('prepared')

def main():
    return globals()[sys.argv[1]](*sys.argv[2:])

def tell(*words):
    print(json.dumps({
        'prepared': len(prepared), 'pid': os.getpid(), 'copied': prepared[0] == os.getppid(),
        'words': sys.argv[1:], 'own': os.environ.get('OWN'), 'shared': os.environ.get('SHARED'),
        'directory': os.getcwd(), 'path': sys.path[0], 'session': os.getsid(0) == os.getpid(),
        'files': len(os.listdir('/proc/self/fd')), 'input': sys.stdin.read(),
        'blocked': sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    }))
    return 0

def write(*numbers):
    for number in numbers:
        os.write(int(number), number.encode())
    return 0

def code(number):
    return int(number)

def leave(number):
    sys.exit(int(number))

def fail():
    raise ValueError('this cannot work')

def at_exit():
    atexit.register(print, 'at the exit')
    return 0

def path():
    print(json.dumps(sys.path))
    return 0

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def wait():
    print('waits', flush=True)
    time.sleep(3600)
"""


class Started:
    """A fork server, and the output of its programs."""

    def __init__(self, folder: Path, server: ForkServer) -> None:
        self.folder, self.server = folder, server

    def start(
        self, *words: str, changes: dict[str, str] | None = None, files: tuple[int, ...] = ()
    ):
        self.output = self.folder / f'output_{len(list(self.folder.glob("output_*")))}'
        with self.output.open('wb') as output:
            return self.server.start(words, changes or {}, output.fileno(), files)

    def run(self, *words: str, **options) -> tuple[int, str]:
        """Runs a program, and returns its exit code and its output."""
        code = self.start(*words, **options).wait(DEADLINE_S)
        return code, self.output.read_text()


@contextmanager
def servers(folder: Path):
    (folder / 'program.py').write_text(PROGRAM)
    environment = {
        **os.environ,
        'SHARED': 'of all',
        'PYTHONPATH': f'{folder}{os.pathsep}{os.getcwd()}',
    }
    server = ForkServer('program', environment)
    try:
        yield Started(folder, server)
    finally:
        server.close()
        server.await_end()


@pytest.fixture(scope='module')
def started(tmp_path_factory: pytest.TempPathFactory):
    with servers(tmp_path_factory.mktemp('programs')) as started:
        yield started


def descriptors() -> int:
    return len(os.listdir('/proc/self/fd'))


def test_a_copy_is_prepared_and_has_what_is_given_to_it(started, monkeypatch, tmp_path):
    told = []
    for number in range(2):
        folder = tmp_path / f'folder {number}'
        folder.mkdir()
        monkeypatch.chdir(folder)
        code, out = started.run('tell', 'a b', 'ü', changes={'OWN': f'{number}'})
        assert code == 0, out
        told.append(json.loads(out))
        assert told[-1].pop('directory') == told[-1].pop('path') == str(folder)
    assert [each.pop('own') for each in told] == ['0', '1']
    assert told[0].pop('pid') != told[1].pop('pid')
    assert told[0] == told[1]
    assert told[0].items() >= {
        'prepared': 1, 'copied': True, 'words': ['tell', 'a b', 'ü'], 'shared': 'of all',
        'session': True, 'input': '', 'blocked': [],
    }.items()  # fmt: skip
    assert told[0]['files'] == 4, 'input, output, errors and the folder of these'


def test_files_have_the_numbers_that_they_have_here_also_if_they_are_those_of_one_another(started):
    pairs = [os.pipe() for _ in range(3)]
    try:
        files = [writes for _, writes in pairs]
        for given in (files, files[::-1], [files[0]]):
            code, out = started.run('write', *map(str, given), files=tuple(given))
            assert code == 0, out
            for reads, writes in pairs:
                if writes in given:
                    assert os.read(reads, 100).decode() == str(writes)
    finally:
        for pair in pairs:
            for each in pair:
                os.close(each)


def test_the_end_of_a_program_is_told(started):
    for words, code, said in [
        (['code', '7'], 7, ''),
        (['leave', '5'], 5, ''),
        (['fail'], 1, 'ValueError: this cannot work'),
        (['die'], -signal.SIGKILL, ''),
        (['at_exit'], 0, 'at the exit'),
    ]:
        ended, out = started.run(*words)
        assert ended == code
        assert said in out


def test_programs_run_beside_each_other_until_they_are_ended(started):
    first, second = started.start('wait'), started.start('wait')
    assert first.pid != second.pid
    until(lambda: 'waits' in started.output.read_text(), 'the second one runs')
    assert first.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        first.wait(0.01)
    second.terminate()
    assert second.wait(DEADLINE_S) == -signal.SIGTERM
    assert started.run('code', '3')[0] == 3
    first.kill()
    assert first.wait(DEADLINE_S) == first.poll() == first.returncode == -signal.SIGKILL
    first.kill()
    first.terminate()


def test_a_closed_server_ends_after_the_programs_that_run(tmp_path):
    with servers(tmp_path) as started:
        program = started.start('wait')
        until(lambda: program.pid and 'waits' in started.output.read_text(), 'it runs')
        assert not started.server.close()
        assert program.poll() is None
        with pytest.raises(OSError, match='descriptor'):
            started.start('tell')
        program.terminate()
        assert program.wait(DEADLINE_S) == -signal.SIGTERM


def test_where_the_server_is_killed_its_programs_end_and_no_other_begins(tmp_path):
    with servers(tmp_path) as started:
        program = started.start('wait')
        until(lambda: program.pid and 'waits' in started.output.read_text(), 'it runs')
        os.kill(started.server._process.pid, signal.SIGKILL)
        assert program.wait(DEADLINE_S) == -signal.SIGKILL
        until(lambda: not runs(program.pid), 'the program has ended')
        with pytest.raises(OSError, match='Broken pipe'):
            started.start('tell')


def test_a_program_that_cannot_be_imported_ends_without_a_number(tmp_path):
    with servers(tmp_path) as started:
        (tmp_path / 'program.py').write_text('import not_there')
        program = started.start('tell')
        assert program.wait(DEADLINE_S) == -signal.SIGKILL
        assert program.pid == 0


def test_a_copy_finds_modules_along_its_own_python_path(started, tmp_path):
    first = os.pathsep.join([str(tmp_path / 'added'), str(tmp_path)])
    code, out = started.run('path', changes={'PYTHONPATH': first})
    assert code == 0, out
    assert json.loads(out)[1] == str(tmp_path / 'added')
    code, out = started.run('path')
    assert str(tmp_path / 'added') not in json.loads(out)


def test_a_copy_has_the_standard_library_whatever_the_first_python_path_had(tmp_path, monkeypatch):
    (tmp_path / 'program.py').write_text(PROGRAM)
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    server = ForkServer('program', os.environ)
    started = Started(tmp_path, server)
    code, out = started.run('path', changes={'PYTHONPATH': str(tmp_path)})
    assert code == 0, out
    there = json.loads(out)
    assert there[1] == str(tmp_path)
    assert str(Path(os.__file__).parent) in there
    server.close()
    server.await_end()


@pytest.mark.slow  # the programs have five seconds to end by themselves
def test_the_server_and_its_programs_end_with_a_starter_that_is_killed(tmp_path):
    (tmp_path / 'program.py').write_text(PROGRAM)
    script = textwrap.dedent("""
        import os, sys, time
        from mujoco_ros_py.processes import ForkServer
        server = ForkServer('program', {**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path[1:])})
        program = server.start(['wait'], {}, 1, [])
        print(program.pid, server._process.pid, flush=True)
        time.sleep(3600)
    """)
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    with subprocess.Popen(
        [sys.executable, '-c', script], env={**os.environ, 'PYTHONPATH': path},
        stdout=subprocess.PIPE, text=True,
    ) as starter:  # fmt: skip
        told = [starter.stdout.readline() for _ in range(3)]
        pids = [int(word) for line in told for word in line.split() if word.isdigit()]
        assert len(pids) == 2
        assert all(map(runs, pids))
        starter.kill()
    until(lambda: not any(map(runs, pids)), 'the server and the program have ended')


def test_programs_that_have_ended_leave_no_descriptors(started):
    started.run('code', '0')
    before = descriptors()
    there = Path(f'/proc/{started.server._process.pid}/fd')
    count = len(os.listdir(there))
    for _ in range(10):
        started.run('code', '0')
    assert descriptors() == before
    until(lambda: len(os.listdir(there)) <= count, 'the descriptors of the server')


def test_a_program_is_found_along_the_python_path_of_its_starter_alone(tmp_path, monkeypatch):
    (tmp_path / 'program.py').write_text(PROGRAM)
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    elsewhere = tmp_path / 'elsewhere'
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    servers = ForkServers('program', {'PYTHONPATH', 'OWN'})
    for number in '34':
        environment = {**os.environ, 'PYTHONPATH': path, 'OWN': number}
        with (tmp_path / 'output').open('wb') as output:
            copy = servers.start(['code', number], environment, output.fileno(), [])
        assert copy.wait(DEADLINE_S) == int(number), (tmp_path / 'output').read_text()
    servers.close()
