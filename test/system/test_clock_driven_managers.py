"""A controller manager, which is driven by the clock, and TopicBasedHardware over DDS."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from typing import Any

import pytest
from deadline import DEADLINE_S

from .controller_manager import ManagerProcess, begin_periods
from .harness import Process, wait_until

pytestmark = pytest.mark.slow

ROBOT = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body>
      <joint name="lift" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.5"/>
    </body>
  </worldbody>
  <actuator><motor joint="lift"/></actuator>
</mujoco>
"""
PERIOD_NS = 5_000_000
MANAGER = {
    'joints': {'lift': ['position']}, 'commands': [0.4], 'period_s': PERIOD_NS / 1e9,
    'repeat_each': 11, 'threshold': -1.0,
}  # fmt: skip
PLUGIN = {
    'type': 'mujoco_ros_py/TopicBasedHardware',
    'name': 'hardware',
    'joints': {'lift': 'position'},
    'update_rate': 200.0,
}
LOCKSTEP = {
    'lockstep_period': 0.005, 'lockstep_topics': ['/robot_joint_commands'], 'realtime': -1.0,
}  # fmt: skip
SPIN = 'while True: pass'


Begin = Callable[..., tuple[Process, ManagerProcess]]


@pytest.fixture
def managed(start, domain) -> Iterator[Begin]:
    """`managed(own_stamps=..., **parameters)`: a server, and a manager that has begun."""
    with ExitStack() as running:

        def begin(*, own_stamps: bool = True, **parameters: Any) -> tuple[Process, ManagerProcess]:
            given = {'mujoco_xml': ROBOT, 'MujocoPlugins': json.dumps([PLUGIN]), **parameters}
            process, client = start(given)
            manager = ManagerProcess(domain, **MANAGER, own_stamps=own_stamps)
            running.callback(manager.end)
            if 'lockstep_period' in parameters and 'lockstep_match' not in parameters:
                begin_periods(client, 'lift')
            manager.updates(30)
            return process, manager

        yield begin


@contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes that need a core each, for a while."""
    processes = [subprocess.Popen([sys.executable, '-c', SPIN]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait(DEADLINE_S)


def missed(process: Process) -> list[float]:
    """Returns the times of the states that were not answered."""
    return [float(time) for time in re.findall(r'to the state of (\S+) s', process.output)]


def test_a_manager_updates_at_its_rate_however_low_that_of_the_clock_is(managed):
    """At a message a second, it would make ten updates per simulated second."""
    _, manager = managed(realtime=0.1, clock_rate=1.0)
    times = manager.updates(50)
    periods = [later - earlier for earlier, later in pairwise(times)]
    assert statistics.median(periods) == PERIOD_NS
    assert all(time % PERIOD_NS == 0 for time in times)


def test_a_manager_whose_component_repeats_stamps_misses_periods_that_are_matched_by_stamp(
    managed,
):
    process, manager = managed(
        **LOCKSTEP, lockstep_timeout=0.2, lockstep_on_timeout='continue'
    )  # fmt: skip
    times = manager.updates(110)
    wait_until(lambda: len(missed(process)) >= 10, 'missed periods', process=process)
    assert all(time % PERIOD_NS == 0 for time in times), 'the clock stays on the periods'


@pytest.mark.parametrize(
    'others', [0, pytest.param(4, marks=pytest.mark.nightly)], ids=['quiet', 'busy']
)
def test_by_arrival_each_period_is_answered_though_stamps_are_repeated(managed, others):
    with busy(others):
        process, manager = managed(
            **LOCKSTEP, lockstep_match='arrival', lockstep_timeout=100.0,
            lockstep_on_timeout='continue',
        )  # fmt: skip
        times = manager.updates(800)
    assert [round(time / PERIOD_NS) - k for k, time in enumerate(times)] == [
        round(times[0] / PERIOD_NS)
    ] * 800
    assert missed(process) == []


def test_a_manager_that_stamps_by_the_clock_that_wakes_it_is_matched_by_stamp(managed):
    process, manager = managed(own_stamps=False, **LOCKSTEP, lockstep_timeout=100.0)
    times = manager.updates(200)
    assert times == [times[0] + k * PERIOD_NS for k in range(200)]
    assert missed(process) == []
