"""The loop: when and why it returns to Python, and the state that it leaves."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import (
    PHYSICS,
    CallbackTable,
    Loop,
    Outcome,
    Point,
    compile_callback,
    new_state,
    python_callback,
)

MODEL = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
</mujoco>
"""


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL)


def fail_on_demand(state, model, data):
    if data.time > state.after:
        mujoco.mj_stateSize(model, 2**30)


def count(state, model, data):
    state.calls += 1


def run_for(loop: Loop, seconds: float, *, wake: bool = True) -> Outcome:
    """Runs until another thread requests a return, and either wakes the loop or does not."""

    def stop():
        loop.record.wanted = 1
        if wake:
            loop.wake()

    timer = threading.Timer(seconds, stop)
    timer.start()
    try:
        return loop.run()
    finally:
        timer.join()
        loop.record.wanted = 0


def test_it_makes_one_step_even_if_it_is_wanted(model, run):
    """Otherwise a flood of commands would stop the simulation."""
    loop = run(model, steps=0)
    loop.record.wanted = 1
    assert loop.run() is Outcome.COMMAND
    assert loop.record.steps == 1


@pytest.mark.parametrize(
    ('paused', 'realtime'), [(0, -1.0), (0, 1.0), (0, 1e-4), (1, 1.0)], ids=str
)
def test_it_returns_when_it_is_wanted(model, run, paused, realtime):
    loop = run(model, steps=0)
    loop.record.paused, loop.record.realtime = paused, realtime
    assert run_for(loop, 0.05) is Outcome.COMMAND
    assert (loop.record.steps == 0) == bool(paused)


def test_it_returns_sooner_when_it_is_woken_than_when_it_looks_by_itself(model, run):
    loop = run(model, steps=0)
    loop.record.paused, loop.record.realtime = 0, 1e-4  # the next step is far in the future

    def took(*, wake: bool) -> float:
        begin = time.monotonic()
        assert run_for(loop, 0.05, wake=wake) is Outcome.COMMAND
        return time.monotonic() - begin

    alone_s = took(wake=False)
    woken = (took(wake=True) < 0.5 * alone_s for _ in range(20))
    assert any(woken), 'other work may disturb some of them'


def test_it_takes_no_gil_while_it_runs(model, run):
    """Another Python thread runs at the same time, not only after all steps."""
    loop = run(model, steps=0)
    loop.record.paused, loop.record.realtime, loop.record.remaining = 0, -1.0, 10**8

    def count():
        while loop.record.steps < 100:
            pass
        loop.record.wanted = 1

    thread = threading.Thread(target=count)
    thread.start()
    assert loop.run() is Outcome.COMMAND
    thread.join(DEADLINE_S)
    assert loop.record.steps >= 100


@pytest.fixture
def steps_while_the_gil_is_held() -> Iterator[Callable[[Loop], int]]:
    """Returns the steps that a paced loop makes on its own thread in half a second."""

    def measure(loop: Loop) -> int:
        loop.record.paused, loop.record.realtime, loop.record.remaining = 0, 1.0, 1500
        thread = threading.Thread(target=loop.run)
        thread.start()
        deadline = time.monotonic() + DEADLINE_S
        while loop.record.steps < 10:
            assert time.monotonic() < deadline
            time.sleep(0.001)
        before = loop.record.steps
        ctypes.PyDLL(None).usleep(500_000)  # PyDLL keeps the GIL
        made = loop.record.steps - before
        loop.record.wanted = 1
        loop.wake()
        thread.join(DEADLINE_S)
        return made

    interval = sys.getswitchinterval()
    sys.setswitchinterval(60.0)  # a thread that requests the GIL does not get it
    yield measure
    sys.setswitchinterval(interval)


def test_it_needs_no_gil_to_step_and_to_call_compiled_callbacks(
    model, run, steps_while_the_gil_is_held
):
    states = [new_state(calls=0) for _ in PHYSICS]
    pairs = zip(PHYSICS, states, strict=True)
    table = CallbackTable([compile_callback(point, count, state) for point, state in pairs])
    loop = run(model, table=table, steps=0)
    deadline = time.monotonic() + DEADLINE_S
    while steps_while_the_gil_is_held(loop) <= 20:  # of 250; repeated until the machine has time
        assert time.monotonic() < deadline
    assert {int(state.calls) for state in states} == {loop.record.steps}


def test_a_python_callback_waits_for_the_gil(model, run, steps_while_the_gil_is_held):
    """This shows that the GIL is really held in the test above."""
    loop = run(model, table=CallbackTable([python_callback(Point.CONTROL, lambda: None)]), steps=0)
    assert steps_while_the_gil_is_held(loop) <= 2


def test_it_says_when_the_burst_is_over_and_when_no_steps_remain(model, run):
    loop = run(model, steps=0)
    loop.record.paused, loop.record.burst = 1, 5
    assert loop.run() is Outcome.STEPPED
    assert (loop.record.steps, loop.record.burst) == (5, 0)
    loop.record.paused, loop.record.remaining = 0, 3
    assert loop.run() is Outcome.FINISHED
    assert (loop.record.steps, loop.record.remaining) == (8, 0)


def test_a_warning_returns_with_its_text_and_it_can_go_on(model, run):
    data = mujoco.MjData(model)
    loop = run(model, data, steps=0)
    data.qpos[0] = np.nan
    loop.record.paused, loop.record.burst = 1, 3
    assert loop.run() is Outcome.NOTICE
    assert 'Nan' in loop.take_warnings()[0]
    assert loop.take_warnings() == []
    assert loop.run() is Outcome.STEPPED
    assert loop.record.steps == 3


def test_time_that_a_step_sets_back_is_noted_once(model, run):
    data = mujoco.MjData(model)
    loop = run(model, data, steps=5)
    assert not loop.take_jump()
    data.qpos[0] = np.nan
    loop.record.burst = 3
    assert loop.run() is Outcome.NOTICE
    assert loop.take_jump()
    loop.take_warnings()
    assert loop.run() is Outcome.STEPPED
    assert not loop.take_jump()


def test_a_fatal_error_returns_with_its_text_and_the_callback_that_ran(model, run):
    callback = compile_callback(Point.LAST_STAGE, fail_on_demand, new_state(after=0.005))
    loop = run(model, table=CallbackTable([callback]), steps=0)
    loop.record.paused, loop.record.burst = 1, 10
    assert loop.run() is Outcome.ERROR
    assert 'invalid state signature' in loop.error()
    assert loop.record.steps == 2
    assert loop.running == 0


def test_a_fatal_error_in_a_forward_pass_is_told(model, run):
    callback = compile_callback(Point.CONTROL, fail_on_demand, new_state(after=-1.0))
    loop = run(model, table=CallbackTable([callback]), steps=0)
    assert not loop.forward()
    assert 'invalid state signature' in loop.error()


def test_a_failed_loop_touches_nothing(model, run):
    data = mujoco.MjData(model)
    loop = run(model, data)
    loop.record.failed, loop.record.burst = 1, 5
    before = data.time
    assert run_for(loop, 0.05) is Outcome.COMMAND
    assert data.time == before


def test_a_loop_takes_another_model(model, run, advance):
    other = mujoco.MjModel.from_xml_string('<mujoco><option timestep="0.5"/></mujoco>')
    loop = run(model, steps=3)
    data = mujoco.MjData(other)
    loop.adopt(other, data)
    advance(loop, 2)
    assert data.time == 1.0
    assert loop.record.steps == 2


def test_a_model_without_degrees_of_freedom_runs(run):
    empty = mujoco.MjModel.from_xml_string('<mujoco/>')
    loop = run(empty, steps=10)
    assert loop.forward()
    assert loop.record.time == pytest.approx(0.02)


def test_a_loop_that_goes_leaves_no_descriptor_behind(model):
    def descriptors() -> int:
        return len(os.listdir('/proc/self/fd'))

    gc.collect()
    before = descriptors()
    for _ in range(20):
        loop = Loop()
        loop.adopt(model, mujoco.MjData(model))
        loop.release()
    del loop
    gc.collect()
    assert descriptors() == before
