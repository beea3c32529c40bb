"""Indices that numba itself does not check, even with its own `boundscheck`."""

from __future__ import annotations

import traceback

import mujoco
import numpy as np
import pytest
from numba import float64, guvectorize, int64, vectorize

from mujoco_ros_py.engine import PHYSICS, CallbackTable, compile_callback, new_state
from mujoco_ros_py.errors import IndexRangeError

pytestmark = pytest.mark.slow

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
CONTROL = PHYSICS[0]
TABLE = np.arange(4.0)


@guvectorize([(float64[:], int64, float64[:])], '(n),()->()')
def pick(numbers, index, result):
    result[0] = numbers[index]


@guvectorize('(n),()->()')
def pick_of_any_type(numbers, index, result):
    result[0] = numbers[index]


@vectorize
def look_up(index):
    return TABLE[index]


@vectorize([float64(int64)])
def look_up_typed(index):
    return TABLE[index]


def read_flat(state, model, data):
    state.out[0] = state.room.flat[state.index]


def read_flat_of_a_view(state, model, data):
    state.out[0] = state.room[:, 1:].flat[state.index]


def write_flat(state, model, data):
    state.room.flat[state.index] = 5.0


def use_guvectorize(state, model, data):
    pick(state.row, state.index, state.out)


def use_dynamic_guvectorize(state, model, data):
    pick_of_any_type(state.row, state.index, state.out)


def use_vectorize(state, model, data):
    state.out[:] = look_up(state.indices)


def use_typed_vectorize(state, model, data):
    state.out[0] = look_up_typed(state.index)


@pytest.fixture
def raised(run):
    """Makes a step with a callback and an index; returns the exception and the state."""

    def step(function, index):
        reported: list[BaseException] = []
        state = new_state(
            room=np.arange(6.0).reshape(2, 3),
            row=np.arange(4.0),
            out=np.full(1, -1.0),
            index=index,
            indices=np.array([index]),
        )
        compiled = compile_callback(CONTROL, function, state, boundscheck=True)
        table = CallbackTable([compiled], lambda index, error: reported.append(error))
        run(mujoco.MjModel.from_xml_string(MODEL), table=table)
        return reported, state

    return step


CASES = [
    (read_flat, 6, 'flat', None),
    (read_flat_of_a_view, 4, 'flat', None),
    (write_flat, 6, 'flat', None),
    (use_guvectorize, 4, 'axis 0', pick),
    (use_dynamic_guvectorize, 4, 'axis 0', pick_of_any_type),
    (use_vectorize, 4, 'axis 0', look_up),
    (use_typed_vectorize, 4, 'axis 0', look_up_typed),
]


@pytest.mark.parametrize(('function', 'size', 'what', 'inside'), CASES)
def test_an_index_outside_is_an_exception_with_its_line(raised, function, size, what, inside):
    for index in (size, 100_000_000, -size - 1):
        ((error,), state) = raised(function, index)
        assert isinstance(error, IndexRangeError)
        assert error.args == (what, index, size)
        assert state.out.tolist() == [-1.0]
        (frame,) = traceback.extract_tb(error.__traceback__)
        place = inside or function
        assert (frame.filename, frame.name) == (__file__, place.__name__)


@pytest.mark.parametrize(('function', 'size', 'what', 'inside'), CASES)
def test_the_last_element_is_inside(raised, function, size, what, inside):
    errors, state = raised(function, size - 1)
    assert errors == []
    if function is write_flat:
        assert state.room[1, 2] == 5.0
    else:
        assert state.out[0] == (5.0 if what == 'flat' else 3.0)


def test_an_index_of_flat_from_the_end_is_refused_as_numba_would_read_before_the_array(raised):
    (error,), _ = raised(read_flat, -1)
    assert str(error) == 'index -1 is out of bounds for flat with size 6'


def test_functions_of_the_user_stay_as_they_are():
    assert pick(np.arange(4.0), 2) == 2.0
    assert look_up(3) == 3.0
