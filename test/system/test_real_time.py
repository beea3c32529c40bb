"""A server in real time: how its physics thread is scheduled, and how late its steps begin."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rclpy.parameter import Parameter
from unprivileged import unprivileged

from .harness import PENDULUM, refusal_at_start, wait_until

pytestmark = pytest.mark.slow

PRIORITY = 4
NO_SUCH_CORE = 8191
LATENESS = [f'lateness {which} (us)' for which in ('p50', 'p99', 'p99.9', 'max')]


@pytest.fixture
def priority() -> int:
    """A priority that Linux permits: 0 where it permits none."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        return 0
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return PRIORITY


def threads(pid: int) -> list[tuple[int, int, set[int]]]:
    """Policy, priority and cores of each thread of a process."""
    found = [int(path.name) for path in Path(f'/proc/{pid}/task').iterdir()]
    return [
        (
            os.sched_getscheduler(thread) & ~os.SCHED_RESET_ON_FORK,
            os.sched_getparam(thread).sched_priority,
            os.sched_getaffinity(thread),
        )
        for thread in found
    ]


def simulation_values(client) -> dict[str, str]:
    return client.diagnostics()['simulation'][2]


def test_what_a_limit_forbids_is_refused_in_one_line_with_exit_code_2(tmp_path, domain):
    command = unprivileged([])

    line = refusal_at_start(tmp_path, domain, {'thread_priority': 80}, before=command)

    assert line == (
        'mujoco_server: thread_priority must be at most 0 (RLIMIT_RTPRIO), got 80. To'
        ' raise the limit, run `sudo prlimit --pid $$ --rtprio=80` in the shell before the start,'
        ' or put `@realtime - rtprio 80` into /etc/security/limits.conf for the group realtime'
        ' and log in again, or start the container with --ulimit rtprio=80'
    )


def test_a_core_that_is_not_there_is_refused_with_those_that_are(tmp_path, domain):
    line = refusal_at_start(tmp_path, domain, {'cpu_affinity': [NO_SUCH_CORE]})

    assert '\n' not in line
    assert line.startswith('mujoco_server: cpu_affinity must be among the cores ')
    assert f', got {NO_SUCH_CORE}; ' in line


def test_only_the_physics_thread_is_scheduled_as_asked_for(start, priority):
    core = max(os.sched_getaffinity(0))
    parameters = {
        'mujoco_xml': PENDULUM,
        'cpu_affinity': [core],
        'thread_priority': priority,
    }
    process, client = start(parameters)
    assert client.trigger('reload').success  # which starts threads

    found = threads(process.pid)

    pinned = [each for each in found if each[2] != os.sched_getaffinity(0)]
    if len(os.sched_getaffinity(0)) > 1:
        assert pinned == [(os.SCHED_FIFO if priority else os.SCHED_OTHER, priority, {core})]
    assert len([each for each in found if each[1]]) == bool(priority)
    named = f'SCHED_FIFO {priority}' if priority else 'SCHED_OTHER'
    assert simulation_values(client)['scheduling'] == f'{named} on the cores {core}'
    assert f'the physics thread runs with {named} on the cores {core}' in process.output


def test_cores_are_a_list_or_a_number_and_paced_steps_alone_have_a_lateness(start):
    core = max(os.sched_getaffinity(0))
    _, client = start({'mujoco_xml': PENDULUM, 'unpause': False, 'cpu_affinity': core})

    value = client.get_parameter('cpu_affinity')
    assert (value.type, list(value.integer_array_value)) == (
        Parameter.Type.INTEGER_ARRAY.value,
        [core],
    )
    (result,) = client.set_parameters(cpu_affinity=[])
    assert not result.successful
    assert 'read-only' in result.reason
    values = simulation_values(client)
    assert values['scheduling'] == f'SCHED_OTHER on the cores {core}'
    assert [values[key] for key in LATENESS] == ['none'] * 4

    assert client.set_parameters(realtime=-1.0)[0].successful
    assert client.pause(False).success
    values = wait_until(
        lambda: int((found := simulation_values(client))['steps']) > 1000 and found, '1000 steps'
    )
    assert [values[key] for key in LATENESS] == ['none'] * 4

    assert client.set_parameters(realtime=1.0)[0].successful

    def measured() -> list[float]:
        values = simulation_values(client)
        told = [values[key] for key in LATENESS]
        return [] if 'none' in told else [float(value) for value in told]

    late_us = wait_until(measured, 'a measured lateness')
    assert late_us == sorted(late_us)
    assert late_us[0] >= 0, 'a loop that spins is often late by less than is shown'
    assert late_us[-1] > 0
