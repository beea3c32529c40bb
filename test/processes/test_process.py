"""How processes are ended, and the messages about their end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from deadline import DEADLINE_S, runs, until

from mujoco_ros_py.processes import end_and_log
from mujoco_ros_py.processes.child import Child, spawn
from mujoco_ros_py.processes.process import cause_of_death
from mujoco_ros_py.processes.process_groups import Group, Reaper

OBEYS = 'trap "exit 3" TERM; echo ready; while :; do read line; done'
REFUSES = 'trap "" TERM; echo ready; while :; do read line; done'


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Callable[[str], Child]]:
    """`shell(script)`: a shell that has reported that it is ready, and waits for input."""
    waits, ours = os.pipe()

    def start(script: str) -> Child:
        with (tmp_path / 'log').open('wb') as log:
            child = spawn(['sh', '-c', script], stdin=waits, output=log.fileno())
        until(lambda: (tmp_path / 'log').read_text() == 'ready\n', 'the shell is ready')
        return child

    yield start
    os.close(waits)
    os.close(ours)


def test_a_process_that_obeys_ends_by_itself(shell: Callable[[str], Child]):
    assert shell(OBEYS).end(DEADLINE_S) == 3


def test_a_process_that_does_not_obey_is_killed_after_the_grace_time(shell):
    assert shell(REFUSES).end(0.0) == -signal.SIGKILL


def test_a_process_that_is_not_asked_gets_the_grace_time_all_the_same(shell):
    assert shell(OBEYS).end(0.0, ask=False) == -signal.SIGKILL


def test_the_peak_of_the_memory_is_known_at_the_end():
    child = spawn([sys.executable, '-c', 'kept = bytearray(b"1") * 2**26'])
    assert (child.peak_memory, child.wait()) == (0, 0)
    assert child.peak_memory > 2**26


def test_a_program_that_is_not_there_is_an_error():
    with pytest.raises(FileNotFoundError):
        spawn(['./no_such_program'])


def test_the_end_of_a_group_is_that_of_all_its_processes(tmp_path: Path):
    log = tmp_path / 'log'
    script = 'sh -c \'trap "" TERM; echo $$; while :; do sleep 1000; done\' & exit 0'
    reaper = Reaper()
    with log.open('wb') as output:
        group = reaper.start(['sh', '-c', script], tmp_path, {}, output.fileno())
    assert isinstance(group, Group)
    pid = int(until(log.read_text))
    assert group.wait(DEADLINE_S) == 0
    assert runs(pid)
    assert group.end(0.0) == 0
    until(lambda: not runs(pid))
    reaper.close()


@pytest.mark.parametrize(
    ('code', 'cause'),
    [
        (3, 'exit code 3'),
        (-9, 'signal SIGKILL (killed from outside)'),
        (-11, 'signal SIGSEGV (Segmentation fault)'),
        (-50, 'signal 50 (Real-time signal 16)'),
    ],
)
def test_the_cause_of_a_death_has_words(code: int, cause: str):
    assert cause_of_death(code) == cause


def test_the_report_of_an_end_has_the_last_lines_of_a_log(tmp_path: Path):
    log = tmp_path / 'log'
    assert end_and_log('it', -9, log) == 'it was killed by SIGKILL'
    log.write_text('\n'.join(map(str, range(100))))
    told = end_and_log('it', 2, log).splitlines()
    assert (told[0], told[1], told[-1]) == ('it exited with code 2; its log:', '85', '99')
