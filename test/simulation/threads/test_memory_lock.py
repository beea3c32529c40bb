"""The memory of the process stays in RAM while a simulation holds the lock."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest
from deadline import DEADLINE_S
from unprivileged import unprivileged

pytestmark = pytest.mark.slow

UNLIMITED = resource.RLIM_INFINITY
PROGRAM = """
import ctypes, sys
import mujoco
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.simulation import Scheduling, Simulation
from mujoco_ros_py.simulation.threads.memory_lock import MemoryLock, _status

def kib(): return _status('VmLck')
def begin():
    simulation = Simulation(paused=True, scheduling=Scheduling(lock_memory=True))
    simulation.start()
    return simulation
def faults():
    with open('/proc/thread-self/stat') as stat:
        return int(stat.read().rpartition(')')[2].split()[7])
"""
TWO = """
first, second = begin(), begin()
both = kib()
first.close(); one = kib()
second.close(); none = kib()
print(both > 0, one > 0, none)
"""
LOCKED_BEFORE = """
ctypes.CDLL(None).mlockall(1)
begin().close()
print(kib() > 0)
"""
REFUSED = """
try:
    begin()
except ConfigError as error:
    print(error)
print(kib())
"""
ARENA = """
BOX = '<body pos="{} 0 1.09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
size = '<size memory="64M"/>'
floor = '<geom type="plane" size="0 0 1"/>'
boxes = ''.join(BOX.format(x) for x in range(20))
model = mujoco.MjModel.from_xml_string(
    f'<mujoco>{size}<worldbody>{floor}{boxes}</worldbody></mujoco>'
)
simulation = begin()
simulation.load(model).result()

def lower(model, data):
    data.qpos[2::7] -= 1.0
    before = faults()
    mujoco.mj_forward(model, data)
    return faults() - before, data.maxuse_arena // 4096

print(*simulation.submit(lower).result())
simulation.close()
"""


def told(program: str, *, privileged: bool = True, memlock: int = UNLIMITED) -> str:
    """Returns what a program prints; without privileges the limit alone counts."""
    command = [sys.executable, '-c', PROGRAM + program]
    if not privileged:
        command = unprivileged(command, memlock=memlock)
    return subprocess.check_output(command, text=True, timeout=DEADLINE_S).strip()


@pytest.fixture(scope='module')
def permitted() -> None:
    """Skips a test where memory cannot be locked; `test_..._refused_...` run there, too."""
    if not told(REFUSED).isdigit():
        pytest.skip('memory cannot be locked here')


def test_it_is_locked_until_the_last_simulation_ends(permitted):
    assert told(TWO) == 'True True 0'


def test_what_the_program_had_locked_by_itself_stays_locked(permitted):
    assert told(LOCKED_BEFORE) == 'True'


@pytest.mark.parametrize('limit_kib', [64, 2**36])
def test_a_limit_is_refused_however_high_it_is(limit_kib):
    said, locked = told(REFUSED, privileged=False, memlock=limit_kib * 1024).splitlines()

    assert said.startswith(
        f'lock_memory must be false if RLIMIT_MEMLOCK is {limit_kib} KiB, got true: '
    )
    for way in (
        'sudo prlimit --pid $$ --memlock=unlimited',
        '@realtime - memlock unlimited',
        '--ulimit memlock=-1',
    ):
        assert way in said
    assert locked == '0'


def test_no_limit_is_enough_without_privileges():
    assert int(told(REFUSED, privileged=False)) > 0


def test_the_first_contacts_of_a_step_touch_no_new_memory(permitted):
    faults, pages = map(int, told(ARENA).split())

    assert pages > 20
    assert faults < pages / 4, 'those of the interpreter'
