"""Work in a separate process: whatever happens there, the parent process keeps running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from deadline import DEADLINE_S, runs, until

from mujoco_ros_py.errors import IsolationError
from mujoco_ros_py.processes import MIB, Limits, Worker

TASK = """
import ctypes, logging, os, signal, sys, time

prepared = []
def prepare(): prepared.append(os.getpid())

def carry_out(request, files, context):
    return globals()[request['do']](request, files, context)

def add(request, files, context): return sum(request['numbers'])
def pid(request, files, context): return os.getpid()
def preparations(request, files, context): return prepared
def sizes(request, files, context): return [len(file) for file in files]
def leave(request, files, context): os.pwrite(context.file, b'left', 0)
def ask(request, files, context): return context.call('square', 7)[0]
def log(request, files, context): logging.getLogger('task').warning('told')
def fail(request, files, context): raise ValueError('no such thing')
def leave_python(request, files, context): raise SystemExit(3)
def crash(request, files, context): ctypes.string_at(0)
def abort(request, files, context):
    print('last words', file=sys.stderr, flush=True)
    os.abort()
def exit(request, files, context): os._exit(5)
def loop(request, files, context):
    while True: pass
def sleep_in_c(request, files, context): ctypes.PyDLL(None).sleep(1000)
def take_memory(request, files, context): return len(bytearray(request['size']))
def take_bit_by_bit(request, files, context):
    kept = []
    while True: kept.append(bytearray(2**20))
"""
LIMITS = Limits(memory=256 * MIB, time_s=DEADLINE_S)


@pytest.fixture(scope='module')
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """A worker shared by all tests; its process may have served an earlier test."""
    folder = tmp_path_factory.mktemp('task')
    (folder / 'isolated_task.py').write_text(TASK)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv('PYTHONPATH', str(folder))
        made = Worker('isolated_task:carry_out')
        yield made
        made.close()


@pytest.fixture
def closing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """A worker for one test, which may close it, and may edit its task before the start."""
    (tmp_path / 'isolated_task.py').write_text(TASK)
    monkeypatch.setenv('PYTHONPATH', str(tmp_path))
    made = Worker('isolated_task:carry_out')
    yield made
    made.close()


def test_a_task_is_prepared_once_in_its_process_before_the_first_request(worker: Worker) -> None:
    assert worker.ask({'do': 'preparations'}, limits=LIMITS) == [worker.pid]
    assert worker.ask({'do': 'preparations'}, limits=LIMITS) == [worker.pid]


def test_what_is_logged_while_the_task_is_imported_is_not_taken_for_an_answer(
    closing: Worker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    logged = "logging.getLogger('task').warning('imported')"
    (tmp_path / 'isolated_task.py').write_text(f'{TASK}\n{logged}\n')
    assert closing.ask({'do': 'add', 'numbers': [1, 2]}, limits=LIMITS) == 3
    assert [record.message for record in caplog.records] == ['imported']


def test_requests_are_carried_out_by_one_process(worker: Worker):
    assert worker.ask({'do': 'add', 'numbers': [1, 2]}, limits=LIMITS) == 3
    pids = {worker.ask({'do': 'pid'}, limits=LIMITS) for _ in range(3)}
    assert pids == {worker.pid} != {os.getpid()}


def test_files_go_over_whole_and_one_is_shared(worker: Worker):
    files = [b'', b'\0' * 5_000_000, memoryview(b'abc')]
    assert worker.ask({'do': 'sizes'}, files, limits=LIMITS) == [0, 5_000_000, 3]
    left = worker.ask({'do': 'leave'}, limits=LIMITS, take=lambda file, _: os.pread(file, 9, 0))
    assert left == b'left'


def test_the_task_may_call_back_and_log(worker: Worker, caplog: pytest.LogCaptureFixture):
    calls = {'square': lambda number: ({'is': number**2}, [])}
    assert worker.ask({'do': 'ask'}, limits=LIMITS, calls=calls) == {'is': 49}
    with pytest.raises(IsolationError, match='KeyError'):
        worker.ask({'do': 'ask'}, limits=LIMITS)
    worker.ask({'do': 'log'}, limits=LIMITS)
    assert ('task', 30, 'told') in caplog.record_tuples


@pytest.mark.parametrize(
    ('what', 'message'),
    [
        ('fail', 'ValueError: no such thing'),
        ('leave_python', 'SystemExit: 3'),
        ('crash', 'died: signal SIGSEGV'),
        ('abort', 'died: signal SIGABRT .*: last words'),
        ('exit', 'died: exit code 5'),
        ('take_bit_by_bit', r'MemoryError.* \(the limit of memory is 256 MiB\)'),
    ],
)
def test_whatever_ends_a_task_is_an_error_and_the_next_is_carried_out(
    worker: Worker, what: str, message: str
):
    with pytest.raises(IsolationError, match=message):
        worker.ask({'do': what}, limits=LIMITS)
    assert worker.ask({'do': 'add', 'numbers': [1, 2]}, limits=LIMITS) == 3


@pytest.mark.parametrize('what', ['loop', 'sleep_in_c'])
def test_what_takes_too_long_is_ended_whether_it_holds_the_interpreter_or_not(
    worker: Worker, what: str
):
    worker.ask({'do': 'pid'}, limits=LIMITS)
    limits = Limits(time_s=0.2, time_name='patience')
    with pytest.raises(IsolationError, match=r'took longer than 0\.2 s \(patience\)'):
        worker.ask({'do': what}, limits=limits)
    assert worker.ask({'do': 'add', 'numbers': [1]}, limits=LIMITS) == 1


def test_the_limit_of_memory_is_that_of_each_request(worker: Worker):
    size = 200 * MIB
    for _ in range(3):
        assert worker.ask({'do': 'take_memory', 'size': size}, limits=LIMITS) == size
    limits = Limits(memory=100 * MIB, memory_name='model_memory')
    with pytest.raises(IsolationError, match=r'MemoryError.* \(model_memory is 100 MiB\)'):
        worker.ask({'do': 'take_memory', 'size': size}, limits=limits)


def test_a_request_that_is_under_way_when_it_is_closed_is_an_error(closing: Worker):
    closing.ask({'do': 'pid'}, limits=LIMITS)
    errors = []

    def ask() -> None:
        try:
            closing.ask({'do': 'ask'}, limits=LIMITS, calls={'square': square})
        except IsolationError as error:
            errors.append(str(error))

    begun, closes = threading.Event(), threading.Event()

    def square(number: int):
        begun.set()
        closes.wait(DEADLINE_S)
        return {}, []

    thread, pid = threading.Thread(target=ask), closing.pid
    thread.start()
    assert begun.wait(DEADLINE_S)
    closer = threading.Thread(target=closing.close)
    closer.start()
    assert pid is not None
    until(lambda: not runs(pid))
    closes.set()
    thread.join(DEADLINE_S)
    closer.join(DEADLINE_S)
    assert errors == ['its process was ended']
    with pytest.raises(IsolationError, match='was ended'):
        closing.ask({'do': 'pid'}, limits=LIMITS)


def test_a_task_that_cannot_be_imported_is_an_error_with_the_reason():
    worker = Worker('no_such_module:carry_out')
    with pytest.raises(IsolationError, match=r"did not start.*No module named 'no_such_module'"):
        worker.ask({}, limits=LIMITS)
    worker.close()


PARENT = """
import sys, threading, time
from mujoco_ros_py.processes import Limits, Worker
worker = Worker('isolated_task:carry_out')
print(worker.ask({'do': 'pid'}, limits=Limits()), flush=True)
if sys.argv[1] != 'idle':
    worker.ask({'do': sys.argv[1]}, limits=Limits())
time.sleep(1000)
"""


@pytest.mark.slow
@pytest.mark.parametrize('what', ['idle', 'sleep_in_c'])
def test_the_process_ends_with_the_one_that_made_it_however_that_ends(tmp_path: Path, what: str):
    (tmp_path / 'isolated_task.py').write_text(TASK)
    env = {**os.environ, 'PYTHONPATH': str(tmp_path)}
    command = [sys.executable, '-c', PARENT, what]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    until(lambda: not runs(pid))
