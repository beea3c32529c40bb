"""Loads and resets leave nothing behind."""

from __future__ import annotations

import gc
import os
import tracemalloc
from pathlib import Path

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, compile_callback, new_state, python_callback

LOADS = 60
MEMORY = """
<mujoco>
  <size memory="4M"/>
  <worldbody><body><joint/><geom size="0.1"/></body></worldbody>
</mujoco>
"""


def count_calls(state, model, data):
    state.calls += 1


@pytest.fixture
def resident_mb():
    """Memory of the process that is in RAM, in megabytes."""
    pages, size = Path('/proc/self/statm'), os.sysconf('SC_PAGE_SIZE')
    return lambda: int(pages.read_text().split()[1]) * size / 1e6


@pytest.fixture
def traced_kb():
    """Memory of Python's objects, in kilobytes, while the test runs."""
    tracemalloc.start()

    def measure():
        gc.collect()
        return tracemalloc.get_traced_memory()[0] / 1e3

    yield measure
    tracemalloc.stop()


def load_often(simulation, recorder, count):
    """Each model is new, has 4 MB of data, a compiled and a Python callback."""
    for _ in range(count):
        model = mujoco.MjModel.from_xml_string(MEMORY)
        state = new_state(calls=0)
        callbacks = [
            compile_callback(Point.CONTROL, count_calls, state),
            python_callback(Point.LAST_STAGE, lambda: None),
        ]
        simulation.load(model, recorder(callbacks)).result(DEADLINE_S)
        simulation.step(3).result(DEADLINE_S)
        assert state.calls >= 3


@pytest.mark.slow
def test_the_memory_is_flat_over_loads(simulate, recorder, resident_mb, traced_kb):
    simulation = simulate(paused=True)
    receivers = [simulation.receiver().result(DEADLINE_S) for _ in range(2)]
    load_often(simulation, recorder, 20)
    before = resident_mb(), traced_kb()
    load_often(simulation, recorder, LOADS)
    grown = resident_mb() - before[0], traced_kb() - before[1]
    assert all(receiver.next(DEADLINE_S) is not None for receiver in receivers)
    assert grown[0] < 25  # of 60 times 12 MB
    assert grown[1] < 100


@pytest.mark.slow
def test_the_memory_is_flat_over_hundreds_of_resets_and_steps(
    simulate, recorder, pendulum, resident_mb, traced_kb
):
    simulation = simulate(pendulum, recorder(), paused=True)
    plugins = recorder()
    simulation.load(pendulum, plugins).result(DEADLINE_S)

    def use(count):
        for _ in range(count):
            simulation.reset().result(DEADLINE_S)
            simulation.step().result(DEADLINE_S)
            del plugins.log[:]

    use(200)
    before = resident_mb(), traced_kb()
    use(600)
    assert resident_mb() - before[0] < 8
    assert traced_kb() - before[1] < 60


def test_simulations_that_have_ended_leave_nothing(simulate, pendulum, resident_mb):
    from mujoco_ros_py.simulation import Simulation

    def use(count):
        for _ in range(count):
            simulation = Simulation(paused=True)
            simulation.start()
            simulation.load(mujoco.MjModel.from_xml_string(MEMORY)).result(DEADLINE_S)
            simulation.step().result(DEADLINE_S)
            assert simulation.close(DEADLINE_S)
        gc.collect()

    use(5)
    before, descriptors = resident_mb(), len(list(Path('/proc/self/fd').iterdir()))
    use(30)
    assert resident_mb() - before < 25
    assert len(list(Path('/proc/self/fd').iterdir())) <= descriptors
