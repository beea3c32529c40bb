"""Workers whose first process is a fork of the process that owns the worker."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from deadline import DEADLINE_S, runs, until

from mujoco_ros_py.processes import ForkServer

TASK = """
import logging, os, signal, sys

MARK = 'as imported'

def carry_out(request, files, context):
    return globals()[request['do']](context)

def pid(context): return os.getpid()
def mark(context): return MARK
def descriptors(context): return sorted(map(int, os.listdir('/proc/self/fd')))
def handlers(context): return [str(signal.getsignal(n)) for n in (signal.SIGINT, signal.SIGTERM)]
def blocked(context): return sorted(signal.pthread_sigmask(signal.SIG_BLOCK, []))
def session(context): return os.getsid(0) == os.getpid()
def log(context): logging.getLogger('task').warning('told')
def say(context):
    print('said by the task')
    print('and as an error', file=sys.stderr)
def end(context):
    print('last words')
    os._exit(5)
def grow(context):
    kept = bytearray(b'1') * (64 * 2**20)
    os.abort()
"""
PROGRAM = """
import logging, os, signal, sys, threading, time
import task
from mujoco_ros_py.errors import IsolationError
from mujoco_ros_py.processes import MIB, Limits, Worker
LIMITS = Limits(memory=512 * MIB, time_s=300.0)

def prepare(): pass

def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job of a script ignores it
    globals()['worker'] = Worker('task:carry_out')
    exec(sys.argv[1], globals())
    return 0

def ask(what): return worker.ask({'do': what}, limits=LIMITS)
def error(what):
    try: ask(what)
    except IsolationError as raised: return str(raised)
"""


@pytest.fixture(scope='module')
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    """Starts programs that have a worker and no other thread."""
    folder = tmp_path_factory.mktemp('programs')
    (folder / 'task.py').write_text(TASK)
    (folder / 'program.py').write_text(PROGRAM)
    path = os.pathsep.join([str(folder), str(Path(__file__).parents[2])])
    warnings = {'PYTHONWARNINGS': 'error::DeprecationWarning'}
    made = ForkServer('program', {**os.environ, 'PYTHONPATH': path, **warnings})
    yield made
    made.close()
    made.await_end()


@pytest.fixture
def run(server: ForkServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs code in a program, and returns its output."""
    monkeypatch.chdir(tmp_path)

    def run(code: str) -> str:
        with (tmp_path / 'output').open('wb') as output:
            program = server.start([code], {}, output.fileno(), [])
        said = program.wait(DEADLINE_S), (tmp_path / 'output').read_text()
        assert said[0] == 0, said
        return said[1]

    return run


def test_the_copy_has_what_was_imported_and_its_successor_is_a_new_python(run):
    out = run("""
task.MARK = 'as changed'
worker.fork()
first = ask('pid')
print(first != os.getpid(), ask('mark'), ask('pid') == first, error('end'))
print(ask('pid') != first, ask('mark'))
""")
    said = 'its process died: exit code 5: last words'
    assert out == f'True as changed True {said}\nTrue as imported\n'


def test_the_copy_has_only_its_own_files_and_prints_nothing_here(run):
    out = run("""
here = open('here', 'w')
sys.stdout.write('before ')
worker.fork()
ask('say')
print(len(ask('descriptors')), ask('session'), ask('blocked'), error('end'))
""")
    # input, output, errors, the socket, the lifeline, the shared file, and /proc/self/fd itself
    assert out.startswith('before 7 True [] its process died: exit code 5: ')
    assert 'said by the task and as an error last words' in out


def test_the_copy_logs_here_though_its_parent_has_a_log(run):
    out = run("""
logging.basicConfig(format='%(name)s: %(message)s')
worker.fork()
ask('log')
""")
    assert out == 'task: told\n'


def test_the_copy_does_not_get_what_ends_its_parent_by_a_signal(run):
    out = run("""
caught = []
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, frame: caught.append(number))
worker.fork()
first = ask('pid')
os.killpg(0, signal.SIGINT)
print(ask('pid') == first, caught == [signal.SIGINT], ask('handlers'))
""")
    assert out == "True True ['0', '0']\n"


def test_a_signal_in_the_moment_of_the_fork_does_not_lead_the_copy_back_into_the_callers_code(run):
    out = run(
        """
fork = os.fork
def interrupted():
    pid = fork()
    os.kill(os.getpid(), signal.SIGINT)
    return pid
os.fork = interrupted
try:
    worker.fork()
except KeyboardInterrupt:
    print('interrupted', os.getpid() == parent)
""".replace('fork = ', 'parent = os.getpid()\nfork = ', 1)
    )
    assert out == 'interrupted True\n'


def test_the_copy_is_killed_with_its_parent(run):
    out = run("""
worker.fork()
print(ask('pid'), flush=True)
os._exit(0)
""")
    until(lambda: not runs(int(out)))


def test_no_zombie_is_left(run):
    out = run("""
worker.fork()
pid = ask('pid')
worker.close()
print(os.path.exists(f'/proc/{pid}'))
""")
    assert out == 'False\n'


@pytest.mark.parametrize('begin', ['fork', 'start'])
def test_an_error_tells_the_memory_that_the_task_took_and_not_what_its_parent_had(run, begin):
    out = run(f"""
had = bytearray(b'1') * (40 * MIB)
worker.{begin}()
print(error('grow'))
""")
    taken = int(out.partition('it had used ')[2].partition(' MiB')[0])
    assert 60 <= taken <= 80


def test_the_peak_of_a_large_parent_is_not_taken_for_the_tasks(run):
    out = run("""
had = bytearray(b'1') * (300 * MIB)
worker.start()
print(error('grow'))
""")
    assert 'SIGABRT' in out
    assert 'it had used' not in out  # unknown, because the parent had used more


def test_a_process_with_threads_starts_a_new_python(run):
    out = run("""
task.MARK = 'as changed'
stop = threading.Event()
thread = threading.Thread(target=stop.wait)
thread.start()
worker.fork()
print(ask('mark'))
stop.set()
""")
    assert out == 'as imported\n'


def test_a_copy_that_somebody_else_has_reaped_is_replaced(run):
    out = run("""
worker.fork()
first = ask('pid')
os.kill(first, signal.SIGKILL)
os.waitpid(first, 0)
error('pid')
print(ask('pid') != first)
""")
    assert out == 'True\n'


@pytest.mark.parametrize('stream', ['stdout', 'stderr'])
def test_a_process_without_output_forks(run, stream):
    code = f"""
out = os.dup(1)
sys.{stream} = None
worker.fork()
os.write(out, ask('mark').encode())
sys.{stream} = sys.__{stream}__
"""
    assert run(code) == 'as imported'


def test_it_does_not_matter_how_many_files_are_allowed(run):
    out = run("""
import resource
limit = 2**20
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
high = os.dup2(0, min(hard, limit) - 1, inheritable=False)
resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))  # below what is open
worker.fork()
print(high in ask('descriptors'))
""")
    assert out == 'False\n'


def test_waiting_for_a_copy_does_not_keep_others_from_ending_it(run):
    out = run("""
from mujoco_ros_py.processes.child import fork
process, codes = fork(signal.pause, os.open(os.devnull, os.O_WRONLY), []), []
waiting = threading.Thread(target=lambda: codes.append(process.wait()))
waiting.start()
while ') S ' not in open(f'/proc/self/task/{waiting.native_id}/stat').read():
    time.sleep(0.001)  # until it sleeps in the system
process.kill()
waiting.join()
print(codes, process.poll())
""")
    assert out == '[-9] -9\n'
