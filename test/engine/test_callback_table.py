"""The callbacks of a simulation: which ones run, when, in which order, and their exceptions."""

from __future__ import annotations

import time
from itertools import islice

import mujoco
import pytest

from mujoco_ros_py.engine import PHYSICS, CallbackTable, Point, compile_callback, python_callback
from mujoco_ros_py.engine.callback_registry import first_slot, registry
from mujoco_ros_py.mujoco_internals import address_of

MODEL = """
<mujoco>
  <option timestep="0.002" integrator="{}"/><size nuserdata="32"/>
  <worldbody><body><joint/><geom size="1"/></body></worldbody>
</mujoco>
"""
CONTROL, PASSIVE, LAST_STAGE = PHYSICS


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL.format('Euler'))


def note_1(state, model, data):
    data.userdata[0] += 1
    data.userdata[int(data.userdata[0])] = 1


def note_2(state, model, data):
    data.userdata[0] += 1
    data.userdata[int(data.userdata[0])] = 2


def fail(state, model, data):
    if data.time > 0.003:
        raise ValueError('the arm is gone')


def compiled(point: Point, function) -> object:
    return compile_callback(point, function, None)


def noted(data: mujoco.MjData) -> list[int]:
    """The values that the callbacks wrote into userdata, in order."""
    return [int(x) for x in data.userdata[1 : 1 + int(data.userdata[0])]]


def python_note(point: Point, data: mujoco.MjData, number: int) -> object:
    def note() -> None:
        data.userdata[0] += 1
        data.userdata[int(data.userdata[0])] = number

    return python_callback(point, note)


def counters(calls: list[str]) -> list[object]:
    return [python_callback(point, lambda p=point: calls.append(p.name)) for point in PHYSICS]


def test_compiled_and_python_callbacks_are_called_in_the_order_given(model, run):
    data = mujoco.MjData(model)
    table = CallbackTable(
        [
            python_note(CONTROL, data, 5),
            compiled(CONTROL, note_1),
            python_note(CONTROL, data, 6),
            compiled(CONTROL, note_2),
        ]
    )
    run(model, data, table)
    assert noted(data) == [5, 1, 6, 2]


def test_each_point_has_its_own_callbacks_and_their_order(model, run):
    data = mujoco.MjData(model)
    order = [(LAST_STAGE, 7), (CONTROL, 3), (PASSIVE, 1), (LAST_STAGE, 8), (PASSIVE, 2)]
    run(model, data, CallbackTable([python_note(p, data, n) for p, n in order]))
    assert noted(data) == [1, 2, 3, 7, 8]


@pytest.mark.parametrize(
    ('integrator', 'times'), [('Euler', 1), ('implicitfast', 1), ('implicit', 1), ('RK4', 4)]
)
def test_forces_are_asked_for_as_often_as_the_integrator_evaluates_them(run, integrator, times):
    calls = []
    model = mujoco.MjModel.from_xml_string(MODEL.format(integrator))
    run(model, table=CallbackTable(counters(calls)), steps=5)
    assert [calls.count(point.name) for point in PHYSICS] == [5 * times, 5 * times, 5]
    assert calls[-1] == 'LAST_STAGE'


def test_a_forward_pass_fires_control_and_passive_but_not_the_last_stage(model, run):
    calls = []
    loop = run(model, table=CallbackTable(counters(calls)), steps=0)
    assert loop.forward()
    assert calls == ['PASSIVE', 'CONTROL']


def test_a_table_without_callbacks_changes_no_step(model, run):
    data, wanted = mujoco.MjData(model), mujoco.MjData(model)
    run(model, data, CallbackTable(), steps=10)
    mujoco.mj_step(model, wanted, 10)
    assert (data.time, data.qpos[0]) == (wanted.time, wanted.qpos[0])


@pytest.mark.parametrize('kind', ['python', 'compiled'])
def test_a_disabled_callback_is_called_no_more_and_the_others_are(model, run, advance, kind):
    data = mujoco.MjData(model)
    first = compiled(CONTROL, note_1) if kind == 'compiled' else python_note(CONTROL, data, 1)
    table = CallbackTable([first, python_note(CONTROL, data, 9)])
    loop = run(model, data, table)
    table.disable(0)
    advance(loop, 2)
    assert noted(data) == [1, 9, 9, 9]


def test_a_callback_can_disable_another_in_the_same_step(model, run):
    data = mujoco.MjData(model)
    callbacks = [
        python_callback(CONTROL, lambda: table.disable(1)),
        python_note(CONTROL, data, 2),
        python_note(CONTROL, data, 3),
    ]
    table = CallbackTable(callbacks)
    run(model, data, table)
    assert noted(data) == [3]


def test_the_callback_that_runs_is_known_while_it_runs(model, run):
    seen = []
    callbacks = [python_callback(point, lambda: seen.append(table.running)) for point in PHYSICS]
    table = CallbackTable(callbacks)
    run(model, table=table)
    assert seen == [1, 0, 2]
    assert table.running is None


def test_data_of_others_call_nobody(model, run):
    calls = []
    run(model, table=CallbackTable(counters(calls)))
    del calls[:]
    foreign = mujoco.MjData(model)
    mujoco.mj_step(model, foreign, 5)
    mujoco.mj_forward(model, foreign)
    assert calls == []


def test_two_simulations_of_one_model_hear_only_their_own_callbacks(model, run, advance):
    left, right = [], []
    first = run(model, table=CallbackTable(counters(left)), steps=0)
    second = run(model, table=CallbackTable(counters(right)), steps=0)
    advance(first, 3)
    advance(second, 1)
    advance(first, 1)
    assert (left.count('CONTROL'), right.count('CONTROL')) == (4, 1)
    assert (left.count('LAST_STAGE'), right.count('LAST_STAGE')) == (4, 1)


def test_released_data_call_nobody(model, run):
    calls, data = [], mujoco.MjData(model)
    loop = run(model, data, CallbackTable(counters(calls)))
    loop.release()
    del calls[:]
    mujoco.mj_step(model, data)
    assert calls == []


def test_callbacks_are_found_behind_other_data_of_the_same_slot_and_after_these_are_gone(
    model, advance, run
):
    calls, data = [], mujoco.MjData(model)
    before = neighbours(address_of(data), 3)
    for address in before:
        registry.put(address, 0)
    loop = run(model, data, CallbackTable(counters(calls)), steps=0)
    for address in before:
        advance(loop, 1)
        registry.remove(address)
    advance(loop, 1)
    assert calls.count('CONTROL') == 4


def neighbours(address: int, count: int) -> list[int]:
    """Returns unused addresses whose search begins in the same slot as this address."""
    wanted = first_slot(address)
    candidates = range(1 << 50, 1 << 51, 16)
    return list(islice((each for each in candidates if first_slot(each) == wanted), count))


def test_the_cost_of_a_callback_is_that_of_its_calls(model, run, advance):
    callbacks = [
        python_callback(CONTROL, lambda: time.sleep(0.002)),
        compiled(CONTROL, note_2),
        python_callback(LAST_STAGE, lambda: None),
    ]
    table = CallbackTable(callbacks)
    loop = run(model, table=table, steps=0)
    assert [table.cost_ns(row) for row in range(3)] == [None] * 3
    data = loop._data
    for _ in range(3):  # one step in 64 is timed
        data.userdata[0] = 0
        advance(loop, 20)
    slow, fast, empty = (table.cost_ns(row) for row in range(3))
    assert slow >= 2_000_000
    assert 0 <= fast < slow
    assert 0 < empty < slow
