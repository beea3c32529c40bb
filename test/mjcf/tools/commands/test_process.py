"""Commands as processes: exit status, streams and signals, without ROS."""

import os
import pty
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from deadline import DEADLINE_S

import mujoco_ros_py

pytestmark = pytest.mark.slow

PACKAGE = Path(mujoco_ros_py.__file__).parents[1]
PROGRAMS = [['mujoco_ros_py', 'mjcf'], ['mujoco_ros_py.mjcf']]


@pytest.fixture
def environment(folder):
    """The environment variables of processes that cannot import rclpy."""
    Path('without_ros').mkdir()
    Path('without_ros/rclpy.py').write_text('raise ImportError("there is no ROS here")')
    paths = [str(folder / 'without_ros'), str(PACKAGE), os.environ.get('PYTHONPATH', '')]
    return {**os.environ, 'PYTHONPATH': os.pathsep.join(filter(None, paths))}


@pytest.fixture
def start(environment):
    """Returns `start('diff', ...)`, which starts a process with pipes."""
    started = []

    def begin(*argv, program=PROGRAMS[0], **options):
        pipes = dict.fromkeys(('stdin', 'stdout', 'stderr'), subprocess.PIPE)
        command = [sys.executable, '-m', *program, *argv]
        started.append(subprocess.Popen(command, env=environment, **{**pipes, **options}))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        with process:  # closes the pipes
            pass


@pytest.fixture
def run(start):
    """Returns `run('diff', ...)`, which returns the process's exit status, output and errors."""

    def do(*argv, given=b'', **options):
        process = start(*argv, **options)
        out, err = process.communicate(given, timeout=DEADLINE_S)
        return process.returncode, out, err

    return do


@pytest.mark.parametrize('program', PROGRAMS, ids=' '.join)
def test_the_commands_run_without_ros(run, program):
    assert run('validate', '-v', 'good.xml', program=program) == (0, b'good.xml: fine\n', b'')


def test_the_status_tells_wrong_from_impossible(run):
    Path('wrong.xml').write_text('<mujoco>\n<worldbdy/></mujoco>')
    assert [run('validate', file)[0] for file in ('wrong.xml', 'none.xml')] == [1, 2]


def test_bytes_go_through_pipes_as_they_are(run):
    content = '<?xml version="1.0" encoding="latin-1"?>\n<mujoco model="ä"/>\n'.encode('latin-1')
    assert run('flatten', '-', given=content) == (0, content, b'')
    wide = content.decode('latin-1').replace('latin-1', 'utf-16').encode('utf-16')
    assert run('format', '-', given=wide) == (0, wide, b'')


def test_an_output_may_be_a_pipe(run):
    code, out, err = run('flatten', 'good.xml', '-o', '/dev/stdout')
    assert (code, out, err) == (0, Path('good.xml').read_bytes(), b'')


def test_names_that_the_terminal_cannot_show_are_told_all_the_same(run, environment):
    environment['PYTHONIOENCODING'] = 'ascii'
    assert run('validate', 'nä.xml') == (2, b'', b'n\\xe4.xml: No such file or directory\n')
    Path(os.fsdecode(b'\xff.xml')).write_text('<mujoco/>')
    code, out, err = run('validate', '-v', b'\xff.xml')
    assert (code, err) == (0, b'')
    assert out == b'\\udcff.xml: fine\n'


def different(count):
    for name, size in (('a.xml', 1), ('b.xml', 2)):
        geoms = (f'<geom name="g{number}" size="{size}"/>' for number in range(count))
        Path(name).write_text(f'<mujoco><worldbody>{"".join(geoms)}</worldbody></mujoco>')


def test_a_pipe_that_is_closed_ends_it_quietly(start):
    different(2_000)
    process = start('diff', 'a.xml', 'b.xml')
    assert process.stdout.readline().startswith(b'changed ')
    process.stdout.close()
    assert process.wait(DEADLINE_S) == 128 + signal.SIGPIPE
    assert process.stderr.read() == b''


@pytest.mark.parametrize('command', ['format', pytest.param('flatten', marks=pytest.mark.nightly)])
def test_bytes_into_a_pipe_that_is_closed_end_it_quietly(start, command):
    process = start(command, '-')
    process.stdout.close()
    process.stdin.write(b'<mujoco/>')
    process.stdin.close()
    assert process.wait(DEADLINE_S) == 128 + signal.SIGPIPE
    assert process.stderr.read() == b''


def test_a_full_disk_is_told(run):
    different(10)
    with open('/dev/full', 'wb') as full:
        code, _, err = run('diff', 'a.xml', 'b.xml', stdout=full)
    assert (code, err) == (2, b'mujoco_ros_py mjcf: No space left on device\n')


def test_closed_streams_are_nothing_to_stumble_over(start):
    process = start('validate', '-v', 'good.xml', preexec_fn=lambda: os.close(1))
    assert process.wait(DEADLINE_S) == 0
    assert process.stderr.read() == b''


def test_a_file_that_cannot_be_written_is_as_it_was_and_nothing_else_is_left(environment):
    Path('a.xml').write_text('<mujoco>' + '<worldbody/>' * 1000 + '</mujoco>')
    before, files = Path('a.xml').read_bytes(), sorted(os.listdir())
    command = f'ulimit -f 1; exec {sys.executable} -B -m mujoco_ros_py mjcf format a.xml'
    done = subprocess.run(
        ['bash', '-c', command], env=environment, capture_output=True, timeout=DEADLINE_S
    )
    assert (done.returncode, done.stderr) == (2, b'a.xml: File too large\n')
    assert Path('a.xml').read_bytes() == before
    assert sorted(os.listdir()) == files


def test_a_terminal_is_told_which_file_is_read(run):
    Path('texture.png').touch()
    Path('m.xml').write_text(
        '<mujoco><asset><texture type="2d" file="texture.png"/></asset></mujoco>'
    )
    terminal, end = pty.openpty()
    assert run('export', 'm.xml', '-o', 'out', stderr=end)[0] == 0
    os.close(end)
    assert b'1 texture.png' in os.read(terminal, 1000)
    os.close(terminal)


@pytest.fixture
def fifo(folder):
    os.mkfifo('pipe.stl')
    return 'pipe.stl'


def test_ctrl_c_while_a_file_is_read_ends_it_quietly(start, fifo):
    process = start('validate', fifo)
    with open(fifo, 'wb'):  # waits until the process opens the pipe
        process.send_signal(signal.SIGINT)
        assert process.wait(DEADLINE_S) == 128 + signal.SIGINT
    assert process.stderr.read() == b''


# MuJoCo needs minutes to compile this model.
ENDLESS = """
<mujoco><worldbody><replicate count="1000000"><body><geom size="1"/></body></replicate></worldbody>
</mujoco>
"""


def children_s() -> float:
    """CPU time of all processes that were started and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def compiles(pid: int, beginning_s: float) -> bool:
    """Returns whether a child compiles, because its CPU time exceeds the time of a start."""
    with suppress(FileNotFoundError, ProcessLookupError):  # the child may have just ended
        for child in Path(f'/proc/{pid}/task/{pid}/children').read_text().split():
            user, system = (
                Path(f'/proc/{child}/stat').read_text().rpartition(')')[2].split()[11:13]
            )
            return (int(user) + int(system)) / os.sysconf('SC_CLK_TCK') > beginning_s
    return False


def test_ctrl_c_while_mujoco_compiles_ends_it_quietly(start, run):
    before = children_s()
    assert run('validate', 'good.xml')[0] == 0
    whole_s = children_s() - before  # longer than the start of a child takes
    Path('m.xml').write_text(ENDLESS)
    process = start('validate', 'm.xml')
    end, pause = time.monotonic() + DEADLINE_S, threading.Event()
    while not compiles(process.pid, whole_s):
        assert time.monotonic() < end
        assert process.poll() is None
        pause.wait(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait(DEADLINE_S) == 128 + signal.SIGINT
    assert process.stderr.read() == b''
