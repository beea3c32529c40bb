"""The scheduling of one thread by Linux: its priority and the cores that it may run on."""

from __future__ import annotations

import logging
import os
import resource
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ...errors import ConfigError

_log = logging.getLogger(__name__)

_MOST_CORES = 8192
"""The maximum number of cores that Linux can be built for."""
_POLICIES = {
    os.SCHED_OTHER: 'SCHED_OTHER',
    os.SCHED_BATCH: 'SCHED_BATCH',
    os.SCHED_IDLE: 'SCHED_IDLE',
    os.SCHED_FIFO: 'SCHED_FIFO',
    os.SCHED_RR: 'SCHED_RR',
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheduling:
    """The scheduling of the physics thread, under the names of the parameters."""

    thread_priority: int = 0
    """The priority in SCHED_FIFO, from 1 to 99; 0: the thread is scheduled as its process is."""
    cpu_affinity: frozenset[int] = frozenset()
    """The numbers of the cores that the thread may run on; empty: those of its process."""
    lock_memory: bool = False
    """Whether the memory of the process must stay in RAM."""


class ScheduledThread:
    """Gives one thread the scheduling that was asked for, and takes it away for a while.

    A thread that the scheduled thread starts gets its cores, but never its priority.
    """

    def __init__(self, asked: Scheduling) -> None:
        self._asked = asked
        self._thread_id = 0
        self._before = Scheduling()
        self._policy_before = os.SCHED_OTHER

    def begin(self, thread_id: int) -> None:
        """Schedules the thread of this native id.

        Raises ConfigError, with the limit and how to raise it, if the system does not permit it.
        """
        self._thread_id = thread_id
        self._policy_before = os.sched_getscheduler(thread_id) & ~os.SCHED_RESET_ON_FORK
        self._before = Scheduling(
            thread_priority=os.sched_getparam(thread_id).sched_priority,
            cpu_affinity=frozenset(os.sched_getaffinity(thread_id)),
        )
        if missing := self._asked.cpu_affinity - (usable := usable_cores(thread_id)):
            raise ConfigError(
                f'cpu_affinity must be of the cores {in_words(usable)}, got {in_words(missing)};'
                ' a container is given cores by --cpuset-cpus, and a service by AllowedCPUs='
            )
        self._apply()

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Schedules the thread as before `begin` inside the context.

        This is for work that takes long or starts threads, which inherit the cores.
        """
        self._change(self._restore)
        try:
            yield
        finally:
            self._change(self._apply)

    def describe(self) -> str:
        """Tells how Linux schedules the thread now: ``SCHED_FIFO 80 on the cores 2, 3``."""
        try:
            policy = os.sched_getscheduler(self._thread_id) & ~os.SCHED_RESET_ON_FORK
            priority = os.sched_getparam(self._thread_id).sched_priority
            cores = in_words(os.sched_getaffinity(self._thread_id))
        except ProcessLookupError:
            return 'the thread has ended'
        named = _POLICIES.get(policy, f'policy {policy}')
        return f'{named}{f" {priority}" if priority else ""} on the cores {cores}'

    def _change(self, change: Callable[[], None]) -> None:
        """Makes a change that was permitted at first; if it no longer is, that is logged."""
        try:
            change()
        except (ConfigError, OSError) as error:
            _log.error('the physics thread goes on with other scheduling: %s', error)

    def _apply(self) -> None:
        if self._asked.cpu_affinity:
            os.sched_setaffinity(self._thread_id, self._asked.cpu_affinity)
        if self._asked.thread_priority:
            set_fifo(self._thread_id, self._asked.thread_priority)

    def _restore(self) -> None:
        """Undoes `_apply`; the flag by which children are not scheduled so stays."""
        if self._asked.thread_priority:
            parameters = os.sched_param(self._before.thread_priority)
            policy = self._policy_before | os.SCHED_RESET_ON_FORK
            os.sched_setscheduler(self._thread_id, policy, parameters)
        if self._asked.cpu_affinity:
            os.sched_setaffinity(self._thread_id, self._before.cpu_affinity)


def set_fifo(thread_id: int, priority: int) -> None:
    """Puts a thread under SCHED_FIFO, but not the threads that it starts.

    Raises ConfigError if that is not permitted.
    """
    policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
    try:
        os.sched_setscheduler(thread_id, policy, os.sched_param(priority))
    except PermissionError as error:
        limit = resource.getrlimit(resource.RLIMIT_RTPRIO)[0]
        if 0 <= limit < priority:
            raise ConfigError(
                f'thread_priority must be at most {limit}, which is RLIMIT_RTPRIO here,'
                f' got {priority}. {how_to_raise("rtprio", str(priority), str(priority))}'
            ) from None
        raise ConfigError(
            f'thread_priority must be permitted by the system, got {priority}: {error.strerror},'
            ' although RLIMIT_RTPRIO is high enough; a control group without real-time runtime'
            ' or a filter of system calls refuses it'
        ) from error


def usable_cores(thread_id: int) -> frozenset[int]:
    """Returns the cores on which a thread may run, also those that it does not run on now.

    Linux tells them only by trying: it leaves out those that are offline or that the control group
    of the process does not have.
    """
    before = os.sched_getaffinity(thread_id)
    os.sched_setaffinity(thread_id, range(_MOST_CORES))
    usable = os.sched_getaffinity(thread_id)
    os.sched_setaffinity(thread_id, before)
    return frozenset(usable)


def how_to_raise(limit: str, value: str, in_container: str) -> str:
    """Returns a sentence that tells how to raise a limit, by its name in limits.conf."""
    return (
        f'To raise the limit, run `sudo prlimit --pid $$ --{limit}={value}` in the shell before'
        f' the start, or put `@realtime - {limit} {value}` into /etc/security/limits.conf for the'
        f' group realtime and log in again, or start the container with'
        f' --ulimit {limit}={in_container}'
    )


def in_words(cores: Collection[int]) -> str:
    """Lists cores, with a dash for three and more in a row: ``0-3, 8``."""
    runs: list[list[int]] = []
    for core in sorted(cores):
        if runs and core == runs[-1][-1] + 1:
            runs[-1].append(core)
        else:
            runs.append([core])
    told = (f'{run[0]}-{run[-1]}' if len(run) > 2 else ', '.join(map(str, run)) for run in runs)
    return ', '.join(told)
