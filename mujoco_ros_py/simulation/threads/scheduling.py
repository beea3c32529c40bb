"""Sets the scheduling of a thread by Linux: its priority and its cores."""

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
"""The maximum number of cores that Linux supports."""
_POLICIES = {
    os.SCHED_OTHER: 'SCHED_OTHER',
    os.SCHED_BATCH: 'SCHED_BATCH',
    os.SCHED_IDLE: 'SCHED_IDLE',
    os.SCHED_FIFO: 'SCHED_FIFO',
    os.SCHED_RR: 'SCHED_RR',
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheduling:
    """The scheduling of the physics thread. The fields have the names of parameters."""

    thread_priority: int = 0
    """The SCHED_FIFO priority, from 1 to 99; 0: the thread keeps the scheduling of its process."""
    cpu_affinity: frozenset[int] = frozenset()
    """The numbers of the cores that the thread may run on; empty: the cores of its process."""
    lock_memory: bool = False
    """Whether the memory of the process must stay in RAM."""


class ScheduledThread:
    """Applies the requested scheduling to a thread, and can suspend the scheduling.

    Threads started by the scheduled thread inherit its cores, but never its priority.
    """

    def __init__(self, asked: Scheduling) -> None:
        self._asked = asked
        self._thread_id = 0
        self._before = Scheduling()
        self._policy_before = os.SCHED_OTHER

    def begin(self, thread_id: int) -> None:
        """Schedules the thread with this native id.

        Raises ConfigError, with the limit and how to raise it, if the system refuses.
        """
        self._thread_id = thread_id
        self._policy_before = os.sched_getscheduler(thread_id) & ~os.SCHED_RESET_ON_FORK
        self._before = Scheduling(
            thread_priority=os.sched_getparam(thread_id).sched_priority,
            cpu_affinity=frozenset(os.sched_getaffinity(thread_id)),
        )
        if missing := self._asked.cpu_affinity - (usable := usable_cores(thread_id)):
            raise ConfigError(
                f'cpu_affinity must be among the cores {in_words(usable)}, got'
                f' {in_words(missing)}; set the cores of a container with --cpuset-cpus, those of'
                ' a service with AllowedCPUs='
            )
        self._apply()

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Inside the context, restores the scheduling from before `begin`.

        Use this for work that takes long, or that starts threads, which inherit the cores.
        """
        self._change(self._restore)
        try:
            yield
        finally:
            self._change(self._apply)

    def describe(self) -> str:
        """Describes how Linux schedules the thread now: ``SCHED_FIFO 80 on the cores 2, 3``."""
        try:
            policy = os.sched_getscheduler(self._thread_id) & ~os.SCHED_RESET_ON_FORK
            priority = os.sched_getparam(self._thread_id).sched_priority
            cores = in_words(os.sched_getaffinity(self._thread_id))
        except ProcessLookupError:
            return 'the thread has ended'
        named = _POLICIES.get(policy, f'policy {policy}')
        return f'{named}{f" {priority}" if priority else ""} on the cores {cores}'

    def _change(self, change: Callable[[], None]) -> None:
        """Applies a change, and logs if the system no longer permits it."""
        try:
            change()
        except (ConfigError, OSError) as error:
            _log.error('the physics thread continues with other scheduling: %s', error)

    def _apply(self) -> None:
        if self._asked.cpu_affinity:
            os.sched_setaffinity(self._thread_id, self._asked.cpu_affinity)
        if self._asked.thread_priority:
            set_fifo(self._thread_id, self._asked.thread_priority)

    def _restore(self) -> None:
        """Undoes `_apply`, except for the flag SCHED_RESET_ON_FORK."""
        if self._asked.thread_priority:
            parameters = os.sched_param(self._before.thread_priority)
            policy = self._policy_before | os.SCHED_RESET_ON_FORK
            os.sched_setscheduler(self._thread_id, policy, parameters)
        if self._asked.cpu_affinity:
            os.sched_setaffinity(self._thread_id, self._before.cpu_affinity)


def set_fifo(thread_id: int, priority: int) -> None:
    """Puts a thread, but not the threads that it starts, under SCHED_FIFO.

    Raises ConfigError if the system does not permit this.
    """
    policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
    try:
        os.sched_setscheduler(thread_id, policy, os.sched_param(priority))
    except PermissionError as error:
        limit = resource.getrlimit(resource.RLIMIT_RTPRIO)[0]
        if 0 <= limit < priority:
            raise ConfigError(
                f'thread_priority must be at most {limit} (RLIMIT_RTPRIO),'
                f' got {priority}. {how_to_raise("rtprio", str(priority), str(priority))}'
            ) from None
        raise ConfigError(
            f'thread_priority must be permitted by the system, got {priority}: {error.strerror},'
            ' although RLIMIT_RTPRIO is high enough; a control group without real-time runtime'
            ' or a filter of system calls refuses it'
        ) from error


def usable_cores(thread_id: int) -> frozenset[int]:
    """Returns all cores that a thread could use, including those outside of its current affinity.

    The only way to find out is to set an affinity with all cores: Linux then removes cores that
    are offline or outside of the process's control group.
    """
    before = os.sched_getaffinity(thread_id)
    os.sched_setaffinity(thread_id, range(_MOST_CORES))
    usable = os.sched_getaffinity(thread_id)
    os.sched_setaffinity(thread_id, before)
    return frozenset(usable)


def how_to_raise(limit: str, value: str, in_container: str) -> str:
    """Returns a message on how to raise a limit, by its name in limits.conf."""
    return (
        f'To raise the limit, run `sudo prlimit --pid $$ --{limit}={value}` in the shell before'
        f' the start, or put `@realtime - {limit} {value}` into /etc/security/limits.conf for the'
        f' group realtime and log in again, or start the container with'
        f' --ulimit {limit}={in_container}'
    )


def in_words(cores: Collection[int]) -> str:
    """Lists cores, with a dash for three or more in a row: ``0-3, 8``."""
    runs: list[list[int]] = []
    for core in sorted(cores):
        if runs and core == runs[-1][-1] + 1:
            runs[-1].append(core)
        else:
            runs.append([core])
    told = (f'{run[0]}-{run[-1]}' if len(run) > 2 else ', '.join(map(str, run)) for run in runs)
    return ', '.join(told)
