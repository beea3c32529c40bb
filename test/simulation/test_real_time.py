"""The physics thread, and no other, gets the requested scheduling."""

from __future__ import annotations

import os
import threading

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import CallbackTable
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.simulation import NoPlugins, Scheduling, Simulation

PRIORITY = 2
NO_SUCH_CORE = 8191


def of_the_calling_thread() -> tuple[int, set[int]]:
    """The policy and the cores."""
    return os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK, os.sched_getaffinity(0)


class Looking(NoPlugins):
    """Plugins that look how they are scheduled, and how a thread of theirs is."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        self.loading = of_the_calling_thread()
        told = []
        thread = threading.Thread(target=lambda: told.append(of_the_calling_thread()))
        thread.start()
        thread.join(DEADLINE_S)
        (self.thread,) = told
        return CallbackTable()


@pytest.fixture
def core() -> int:
    return max(os.sched_getaffinity(0))


@pytest.fixture
def priority() -> int:
    """A priority that Linux permits: 0 where it permits none."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        return 0
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return PRIORITY


def test_the_steps_are_scheduled_as_asked_for(simulate, pendulum, core, priority):
    asked = Scheduling(thread_priority=priority, cpu_affinity=frozenset({core}))
    before = of_the_calling_thread()

    simulation = simulate(pendulum, scheduling=asked)

    policy = os.SCHED_FIFO if priority else os.SCHED_OTHER
    stepping = simulation.submit(lambda m, d: of_the_calling_thread()).result(DEADLINE_S)
    assert stepping == (policy, {core})
    assert of_the_calling_thread() == before
    told = f'SCHED_FIFO {priority}' if priority else 'SCHED_OTHER'
    assert simulation.scheduling() == f'{told} on the cores {core}'


def test_a_load_and_its_threads_are_scheduled_as_the_process_is(
    simulate, pendulum, core, priority
):
    asked = Scheduling(thread_priority=priority, cpu_affinity=frozenset({core}))
    simulation, plugins = simulate(scheduling=asked), Looking()

    simulation.load(pendulum, plugins).result(DEADLINE_S)

    assert plugins.loading == plugins.thread == of_the_calling_thread()
    assert simulation.submit(lambda m, d: of_the_calling_thread()).result(DEADLINE_S)[1] == {core}
    assert (
        simulation.between_steps(of_the_calling_thread).result(DEADLINE_S)
        == of_the_calling_thread()
    )


def test_what_the_system_does_not_permit_is_refused_at_the_start():
    asked = Scheduling(cpu_affinity=frozenset({NO_SUCH_CORE}))
    simulation = Simulation(scheduling=asked)

    with pytest.raises(ConfigError, match=f'cpu_affinity must be .*, got {NO_SUCH_CORE}; '):
        simulation.start()

    assert simulation.close(DEADLINE_S)


def test_without_being_asked_for_nothing_is_changed(simulate, pendulum):
    simulation = simulate(pendulum)

    stepping = simulation.submit(lambda m, d: of_the_calling_thread()).result(DEADLINE_S)

    assert stepping == of_the_calling_thread()
