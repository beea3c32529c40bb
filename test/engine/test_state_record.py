"""State records: memory that a plugin's Python code and its compiled callbacks share."""

from __future__ import annotations

import gc
import weakref

import mujoco
import numpy as np
import pytest
from numba import njit

from mujoco_ros_py.engine import (
    CallbackTable,
    Memory,
    Point,
    compile_callback,
    copy_state,
    new_state,
    numbers_at,
    restore_state,
)
from mujoco_ros_py.errors import PluginError

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
NUMBERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
           np.float32, np.float64]  # fmt: skip


@pytest.fixture
def step(run):
    """`step(function, state)` runs a compiled callback once."""

    def once(function, state):
        callback = compile_callback(Point.CONTROL, function, state)
        return run(mujoco.MjModel.from_xml_string(MODEL), table=CallbackTable([callback]))

    return once


def double(state, model, data):
    state.before = state.value
    state.value = state.value + state.value


def fill(state, model, data):
    state.flag = not state.flag
    state.count += 1
    state.target[1] = state.target[0] * 2
    state.gains[1, 2] = 7.0
    state.narrow[:] = 3


def switch(state, model, data):
    state.mask[0] = not state.mask[1]


def total(state, model, data):
    state.result = 0.0
    for row in range(state.gains.shape[0]):
        for column in range(state.gains.shape[1]):
            state.result += state.gains[row, column]


@pytest.mark.parametrize('number', NUMBERS, ids=lambda number: number.__name__)
def test_a_number_of_every_type_is_read_and_written(step, number):
    state = new_state(odd=np.int8(1), value=number(21), before=number(0), end=np.int8(5))
    step(double, state)
    assert (state.before, state.value) == (21, 42)
    assert state.value.dtype == number
    assert (state.odd, state.end) == (1, 5)


def test_numbers_of_python_are_integers_floats_and_booleans_of_full_width():
    state = new_state(count=3, gain=0.5, flag=True)
    assert (state.count.dtype, state.gain.dtype, state.flag.dtype) == (np.int64, np.float64, bool)
    state.gain = 2
    assert state.gain == 2.0
    assert state.gain.dtype == np.float64


def test_what_compiled_code_writes_is_there_in_python(step):
    state = new_state(
        flag=False,
        count=4,
        target=np.array([1.5, 0.0]),
        gains=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        narrow=np.zeros(5, np.int16),
    )
    step(fill, state)
    assert (state.flag, state.count) == (True, 5)
    np.testing.assert_array_equal(state.target, [1.5, 3.0])
    np.testing.assert_array_equal(state.gains, [[1, 2, 3], [4, 5, 7]])
    np.testing.assert_array_equal(state.narrow, [3] * 5)


def test_an_array_of_booleans_is_shared_too(step):
    state = new_state(mask=[False, False, True])
    step(switch, state)
    np.testing.assert_array_equal(state.mask, [True, False, True])


ROW = np.dtype([('gain', float), ('limits', float, (2,)), ('on', np.uint8)], align=True)


def advance_rows(state, model, data):
    for k in range(len(state.rows)):
        row = state.rows[k]
        if row.on:
            row.gain += row.limits[1]
            row.limits[0] = k


def test_an_array_of_records_is_shared_row_by_row(step):
    rows = np.zeros(3, ROW)
    rows['limits'][:, 1] = 0.5
    rows['on'] = 1, 0, 1
    state = new_state(before=np.int8(1), rows=rows)
    step(advance_rows, state)
    np.testing.assert_array_equal(state.rows['gain'], [0.5, 0.0, 0.5])
    np.testing.assert_array_equal(state.rows['limits'][:, 0], [0.0, 0.0, 2.0])
    advance_rows(state, None, None)  # as Python runs it
    np.testing.assert_array_equal(state.rows['gain'], [1.0, 0.0, 1.0])


def test_an_array_of_records_is_copied_and_set_as_a_whole():
    state = new_state(rows=np.zeros(2, ROW))
    saved = state.copy()
    state.rows['gain'] = 3.0
    state['rows'] = saved['rows']
    assert list(state.rows['gain']) == [0.0, 0.0]


@pytest.mark.parametrize('kind', ['U3', object, np.complex128, np.longdouble])
def test_records_of_other_things_than_numbers_are_refused_by_name(kind):
    with pytest.raises(TypeError, match="state field 'rows' must be numeric"):
        new_state(rows=np.zeros(2, [('a', float), ('b', kind)]))


@pytest.mark.parametrize('value', [np.longdouble(1), np.zeros(2, np.longdouble)])
def test_a_number_that_compiled_code_does_not_know_is_refused_by_name(step, value):
    with pytest.raises((TypeError, PluginError), match='wide'):
        step(switch, new_state(wide=value, mask=1))


def integrate(state, model, data):
    state.elapsed += 0.5 * data.time


@njit
def add_time(state, data):
    state.elapsed += data.time


def integrate_by_a_helper(state, model, data):
    add_time(state, data)


def store_in_a_row(state, model, data):
    state.rows[1].elapsed = data.time


@pytest.mark.parametrize(
    ('function', 'line'),
    [
        (integrate, 'state.elapsed += 0.5 * data.time'),
        (integrate_by_a_helper, 'state.elapsed += data.time'),
        (store_in_a_row, 'state.rows[1].elapsed = data.time'),
    ],
)
def test_a_float_in_an_integer_field_is_refused_with_field_and_line(step, function, line):
    state = new_state(elapsed=0, rows=np.zeros(2, [('elapsed', int)]))
    with pytest.raises(
        PluginError, match=r"'elapsed' .* cannot hold a float.* elapsed=0\.0"
    ) as found:
        step(function, state)
    assert f'in `{line}` ({__file__}:' in str(found.value)


def test_an_integer_field_takes_integers_booleans_and_what_int_makes(step):
    def store(state, model, data):
        state.elapsed = int(2.7 + data.time)
        state.more = data.time < 1.0

    state = new_state(elapsed=0, more=0)
    step(store, state)
    assert (state.elapsed, state.more) == (2, 1)


def test_what_python_writes_is_there_in_compiled_code(run, advance):
    state = new_state(gains=np.zeros((2, 3)), result=-1.0)
    callback = compile_callback(Point.CONTROL, total, state)
    loop = run(mujoco.MjModel.from_xml_string(MODEL), table=CallbackTable([callback]))
    assert state.result == 0
    state.gains = [[1, 2, 3], [4, 5, 6]]
    advance(loop)
    assert state.result == 21
    state.gains[0, 0] = 100
    advance(loop)
    assert state.result == 120


def test_an_array_keeps_its_shape_and_type():
    state = new_state(target=np.zeros(3, np.float32))
    with pytest.raises(ValueError, match='broadcast'):
        state.target = np.zeros(4)
    state.target = [1, 2, 3]
    assert state.target.dtype == np.float32
    assert list(state.target) == [1, 2, 3]


def test_the_values_given_are_copied():
    given = np.zeros(2)
    state = new_state(target=given)
    given[0] = 5
    assert state.target[0] == 0


def test_an_unknown_field_is_an_attribute_error():
    state = new_state(gain=1.0)
    with pytest.raises(AttributeError, match='gian'):
        state.gian = 2.0
    with pytest.raises(AttributeError, match='gian'):
        state.gian  # noqa: B018


@pytest.mark.parametrize('value', ['fast', None, {'a': 1}, 1j, [1, 'a'], object()])
def test_a_value_that_is_no_number_is_refused_by_name(value):
    with pytest.raises(TypeError, match="state field 'mode' must be numeric, got"):
        new_state(gain=1.0, mode=value)


@pytest.mark.parametrize('name', ['mean', 'max', 'size', 'T', 'dtype'])
def test_a_field_is_refused_or_readable_whatever_numpy_calls_so_too(name):
    """`state.mean` must not be NumPy's method if the plugin means its field."""
    try:
        state = new_state(**{name: 0.5})
    except (TypeError, ValueError) as error:
        assert name in str(error)  # noqa: PT017
    else:
        assert getattr(state, name) == 0.5
        setattr(state, name, 0.75)
        assert getattr(state, name) == 0.75


def test_the_memory_lives_as_long_as_the_state():
    states = [new_state(number=k, block=np.full(1000, k)) for k in range(100)]
    gc.collect()
    assert [int(state.number) for state in states] == list(range(100))
    assert all(np.all(state.block == state.number) for state in states)


def test_the_memory_lives_as_long_as_the_callback_that_uses_it(run, advance):
    callback = compile_callback(Point.CONTROL, total, new_state(gains=np.ones((2, 2)), result=0.0))
    gc.collect()
    blocks = [np.full(64, -1.0) for _ in range(1000)]
    loop = run(mujoco.MjModel.from_xml_string(MODEL), table=CallbackTable([callback]))
    advance(loop, 100)
    assert all(np.all(block == -1.0) for block in blocks)


def advance_numbers(state, model, data):
    numbers = numbers_at(state.numbers, state.count)
    for k in range(state.count):
        numbers[k] += k


@pytest.mark.parametrize('count', [1, 5])
def test_memory_of_any_length_is_shared_by_its_address(step, count):
    memory = Memory(np.ones(count))
    step(advance_numbers, new_state(numbers=memory, count=count))
    assert list(memory.array) == [1.0 + k for k in range(count)]


def test_memory_is_contiguous_and_of_float64():
    numbers = np.arange(6, dtype=np.int32).reshape(2, 3).T
    memory = Memory(numbers)
    np.testing.assert_array_equal(memory.array, numbers)
    assert list(numbers_at(memory.address, 6)) == [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]


def test_what_a_state_points_to_lives_as_long_as_the_state():
    memory = Memory(np.ones(3))
    state, alive = new_state(numbers=memory), weakref.ref(memory)
    del memory
    gc.collect()
    assert list(numbers_at(state.numbers, 3)) == [1.0, 1.0, 1.0]
    assert alive()
    del state
    gc.collect()
    assert not alive()


def test_a_copy_for_others_has_no_addresses_and_is_restored_without_them():
    memory = Memory(np.arange(3.0))
    state = new_state(gain=0.5, numbers=memory)
    copied = copy_state(state)
    assert (copied.gain, copied.numbers) == (0.5, 0)
    state.gain = 2.0
    restore_state(state, copied)
    assert (state.gain, state.numbers) == (0.5, memory.address)
