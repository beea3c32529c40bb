"""The priority and the cores of one thread."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from deadline import DEADLINE_S
from unprivileged import unprivileged

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.simulation import Scheduling
from mujoco_ros_py.simulation.threads.scheduling import ScheduledThread, in_words

PRIORITY = 3
NO_SUCH_CORE = 8191
ASK = """
import sys, threading
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.simulation.threads.scheduling import set_fifo

try:
    set_fifo(threading.get_native_id(), int(sys.argv[1]))
    print('permitted')
except ConfigError as error:
    print(error)
"""


class Waiting(threading.Thread):
    """A thread that calls a function when it is told to."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._told, self._done = threading.Event(), threading.Event()
        self.function = lambda: None
        self.result = None

    def run(self) -> None:
        self._told.wait(DEADLINE_S)
        self.result = self.function()

    def call(self, function):
        """Returns the result of the function, with which the thread ends."""
        self.function = function
        self._told.set()
        self.join(DEADLINE_S)
        return self.result


@pytest.fixture
def thread() -> Iterator[Waiting]:
    """Yields a thread that waits, and ends it."""
    made = Waiting()
    made.start()
    yield made
    made.call(lambda: None)


@pytest.fixture
def permitted(thread) -> None:
    """Skips a test where Linux permits no priority; `test_..._is_refused` run there, too."""
    try:
        os.sched_setscheduler(thread.native_id, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        pytest.skip('SCHED_FIFO is not permitted here')
    os.sched_setscheduler(thread.native_id, os.SCHED_OTHER, os.sched_param(0))


def policy(thread: threading.Thread) -> int:
    return os.sched_getscheduler(thread.native_id) & ~os.SCHED_RESET_ON_FORK


def started_by(thread: Waiting) -> tuple[int, set[int]]:
    """Returns the policy and the cores of a thread that this thread starts."""

    def start():
        told = []
        child = threading.Thread(
            target=lambda: told.append((os.sched_getscheduler(0), os.sched_getaffinity(0)))
        )
        child.start()
        child.join(DEADLINE_S)
        return told[0]

    return thread.call(start)


def test_nothing_changes_where_nothing_is_asked_for(thread):
    cores = os.sched_getaffinity(0)
    scheduled = ScheduledThread(Scheduling())

    scheduled.begin(thread.native_id)

    assert os.sched_getscheduler(thread.native_id) == os.SCHED_OTHER
    assert os.sched_getaffinity(thread.native_id) == cores
    assert scheduled.describe() == f'SCHED_OTHER on the cores {in_words(cores)}'


def test_the_thread_alone_gets_the_cores(thread):
    before = os.sched_getaffinity(0)
    core = max(before)
    scheduled = ScheduledThread(Scheduling(cpu_affinity=frozenset({core})))

    scheduled.begin(thread.native_id)

    assert os.sched_getaffinity(thread.native_id) == {core}
    assert os.sched_getaffinity(0) == before
    assert scheduled.describe() == f'SCHED_OTHER on the cores {core}'


def test_the_thread_alone_gets_the_priority(thread, permitted):
    scheduled = ScheduledThread(Scheduling(thread_priority=PRIORITY))

    scheduled.begin(thread.native_id)

    assert policy(thread) == os.SCHED_FIFO
    assert os.sched_getparam(thread.native_id).sched_priority == PRIORITY
    assert os.sched_getscheduler(0) == os.SCHED_OTHER
    assert scheduled.describe().startswith(f'SCHED_FIFO {PRIORITY} on the cores ')


def test_a_thread_that_it_starts_has_no_priority(thread, permitted):
    ScheduledThread(Scheduling(thread_priority=PRIORITY)).begin(thread.native_id)

    inherited, _ = started_by(thread)

    assert inherited == os.SCHED_OTHER


def test_a_thread_that_it_starts_while_it_is_suspended_has_all_cores(thread):
    before = os.sched_getaffinity(0)
    scheduled = ScheduledThread(Scheduling(cpu_affinity=frozenset({min(before)})))
    scheduled.begin(thread.native_id)

    with scheduled.suspended():
        _, cores = started_by(thread)

    assert cores == before


def test_it_is_scheduled_as_before_while_it_is_suspended(thread, permitted):
    before = os.sched_getaffinity(0)
    asked = Scheduling(thread_priority=PRIORITY, cpu_affinity=frozenset({min(before)}))
    scheduled = ScheduledThread(asked)
    scheduled.begin(thread.native_id)

    with scheduled.suspended():
        inside = policy(thread), os.sched_getaffinity(thread.native_id)

    assert inside == (os.SCHED_OTHER, before)
    assert (policy(thread), os.sched_getaffinity(thread.native_id)) == (
        os.SCHED_FIFO,
        {min(before)},
    )


def test_an_exception_does_not_keep_it_suspended(thread):
    core = min(os.sched_getaffinity(0))
    scheduled = ScheduledThread(Scheduling(cpu_affinity=frozenset({core})))
    scheduled.begin(thread.native_id)

    with pytest.raises(ZeroDivisionError), scheduled.suspended():
        raise ZeroDivisionError

    assert os.sched_getaffinity(thread.native_id) == {core}


def test_a_core_that_is_not_there_is_refused_although_another_one_is(thread):
    before = os.sched_getaffinity(thread.native_id)
    asked = Scheduling(cpu_affinity=frozenset({min(before), NO_SUCH_CORE}))

    with pytest.raises(ConfigError) as caught:
        ScheduledThread(asked).begin(thread.native_id)

    said = str(caught.value)
    assert said.startswith('cpu_affinity must be among the cores ')
    assert f', got {NO_SUCH_CORE}; ' in said
    assert '--cpuset-cpus' in said
    assert os.sched_getaffinity(thread.native_id) == before


def test_a_thread_that_has_ended_is_described_as_such(thread):
    scheduled = ScheduledThread(Scheduling())
    scheduled.begin(thread.native_id)

    thread.call(lambda: None)

    deadline = time.monotonic() + DEADLINE_S  # Linux ends it a moment after Python
    while (said := scheduled.describe()) != 'the thread has ended':
        assert time.monotonic() < deadline, said


@pytest.mark.slow
@pytest.mark.parametrize(
    ('limit', 'asked', 'said'),
    [
        (
            0,
            80,
            'thread_priority must be at most 0 (RLIMIT_RTPRIO), got 80. To raise',
        ),
        (
            20,
            21,
            'thread_priority must be at most 20 (RLIMIT_RTPRIO), got 21. To rai',
        ),
        (20, 20, 'permitted'),
    ],
)
def test_a_priority_over_the_limit_is_refused_with_the_limit(limit, asked, said):
    command = unprivileged([sys.executable, '-c', ASK, str(asked)], rtprio=limit)

    told = subprocess.check_output(command, text=True, timeout=DEADLINE_S)

    assert told.startswith(said)
    if said != 'permitted':
        for way in (
            f'sudo prlimit --pid $$ --rtprio={asked}',
            f'@realtime - rtprio {asked}',
            f'--ulimit rtprio={asked}',
        ):
            assert way in told


@pytest.mark.parametrize(
    ('cores', 'said'),
    [
        ({5}, '5'),
        ({0, 1}, '0, 1'),
        ({2, 0, 1, 3}, '0-3'),
        ({0, 2, 3, 4, 8, 9}, '0, 2-4, 8, 9'),
    ],
)
def test_cores_are_listed_shortly(cores, said):
    assert in_words(cores) == said
