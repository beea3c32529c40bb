"""Functions that are compiled as callbacks."""

from __future__ import annotations

import ctypes
import linecache
import logging

import mujoco
import numpy as np
import pytest
from numba import njit

from mujoco_ros_py.engine import CallbackTable, Point, compile_callback, forget_code, new_state
from mujoco_ros_py.engine.foreign import python_bytecode
from mujoco_ros_py.errors import IndexRangeError, PluginError

MODEL = """
<mujoco>
  <worldbody><body><joint axis="0 1 0"/><geom size="0.1" pos="1 0 0"/></body></worldbody>
</mujoco>
"""
GAIN = 0.25
GAINS = {'a': object()}
OFFSETS = np.array([1.0, 2.0])
PAIRS = ((1, 2.5), (3,))


@njit
def clamp(value, limit):
    return max(-limit, min(limit, value))


def use_all_kinds_of_globals(state, model, data):
    state.out = clamp(GAIN * 100, 5.0) + OFFSETS[1] + np.pi * 0 + PAIRS[0][1]


def allocate(state, model, data):
    values = np.zeros(10)
    values[3] = data.time + 1
    state.out = values.sum()


def call_libmujoco(state, model, data):
    jacobian = np.zeros((3, model.nv))
    body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, 'world')
    mujoco.mj_jacBody(model, data, jacobian, None, body + 1)
    state.out = jacobian[2, 0]


def print_it(state, model, data):
    print('printed', state.out)


def without_state(state, model, data):
    data.qfrc_applied[0] = 3.0


def spell_wrong(state, model, data):
    data.ctlr[0] = 1.0


def miss_field(state, model, data):
    state.gian = 1.0


def use_objects(state, model, data):
    data.ctrl[0] = GAINS['a']


def use_a_name(state, model, data):
    state.out = nowhere  # noqa: F821


def use_what_is_python(state, model, data):
    state.out = data.body('world').id


def use_no_function(state, model, data):
    mujoco.mj_jacBdy(model, data, None, None, 1)


def give_floats(state, model, data):
    mujoco.mju_norm3(np.zeros(3, np.float32))


def assign_an_array(state, model, data):
    data.qpos = np.zeros(1)


def assign_text(state, model, data):
    data.qpos[0] = 'far'


@njit
def double(model):
    return model.nvv


def call_a_helper(state, model, data):
    state.out = double(model)


def return_a_number(state, model, data):
    return data.time


def return_none(state, model, data):
    if data.time > 0:
        return
    state.out = 1.0


def take_too_few(data):
    data.time = 0.0


def write_beyond(state, model, data):
    data.qvel[state.index] = 0.0
    state.after += 1


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL)


@pytest.fixture
def out(model, run):
    """Returns the value that a callback leaves in `state.out`."""

    def result(function):
        state = new_state(out=-1.0)
        run(model, table=CallbackTable([compile_callback(Point.CONTROL, function, state)]))
        return float(state.out)

    return result


def test_globals_are_constants_and_compiled_functions_are_called(out):
    assert out(use_all_kinds_of_globals) == 5.0 + 2.0 + 2.5


def test_arrays_can_be_allocated(out):
    assert out(allocate) == 1.0


def test_functions_of_the_library_are_called(out):
    assert out(call_libmujoco) == pytest.approx(0.0)


def test_print_works(out, capfd):
    out(print_it)
    assert capfd.readouterr().out == 'printed -1.0\n'


@njit
def say(number):
    print('said', number)


LARGE = np.zeros(130_000)
SQUARE_ROOT = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(
    ('sqrt', ctypes.CDLL('libm.so.6'))
)
STRIDED = np.arange(6.0)[::2]


def print_in_a_helper(state, model, data):
    say(state.out)


def read_a_large_array(state, model, data):
    state.out = LARGE[3]


def read_an_array_with_gaps(state, model, data):
    state.out = STRIDED[1]


def call_c(state, model, data):
    state.out = SQUARE_ROOT(9.0)


@pytest.mark.parametrize(
    ('function', 'line'),
    [
        (call_c, 'state.out = SQUARE_ROOT(9.0)'),
        (print_it, "print('printed', state.out)"),
        (print_in_a_helper, "print('said', number)"),
        (read_a_large_array, 'state.out = LARGE[3]'),
        (read_an_array_with_gaps, 'state.out = STRIDED[1]'),
    ],
)
def test_code_that_needs_this_process_is_compiled_once_in_it_and_the_log_names_the_line(
    function, line, caplog
):
    forget_code()
    caplog.set_level(logging.INFO)
    callbacks = [compile_callback(Point.CONTROL, function, new_state(out=0.0)) for _ in range(3)]
    name = function.__name__
    first, second = caplog.messages
    assert first == f'compiling {name}'
    assert second.startswith(
        f'the code of {name} is not kept for the next start: it refers to objects of this'
        f' process, in `{line}` ({__file__}:'
    )
    assert len({callback.address for callback in callbacks}) == 1


def test_code_with_an_unknown_instruction_is_compiled_and_the_log_says_why_it_is_not_kept(
    caplog, monkeypatch
):
    def count(state, model, data):
        state.out += 1

    monkeypatch.setattr(python_bytecode, 'KNOWN', python_bytecode.KNOWN - {'STORE_ATTR'})
    caplog.set_level(logging.INFO)
    assert compile_callback(Point.CONTROL, count, new_state(out=0.0)).address
    (told,) = [each for each in caplog.messages if 'is not kept' in each]
    assert told.endswith('count has the unknown instruction STORE_ATTR')


def test_c_functions_are_not_mixed_up(out):
    def calling(name):
        kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
        function = kind((name, ctypes.CDLL('libm.so.6')))

        def call(state, model, data):
            state.out = function(4.0)

        return call

    assert [out(calling(name)) for name in ('sqrt', 'fabs')] == [2.0, 4.0]


def test_equal_arrays_to_whose_memory_code_refers_are_not_mixed_up(out):
    def reading(array):
        def read(state, model, data):
            state.out = array[1]

        return read

    arrays = [np.arange(6.0)[::2] for _ in range(2)]
    assert [out(reading(array)) for array in arrays] == [2.0, 2.0]
    arrays[0][1] = 9.0
    arrays[1][1] = 9.0
    assert [out(reading(array)) for array in arrays] == [9.0, 9.0]
    arrays[1][1] = 5.0
    assert [out(reading(array)) for array in arrays] == [9.0, 5.0]


def test_a_callback_needs_no_state(model, run):
    data = mujoco.MjData(model)
    run(model, data, CallbackTable([compile_callback(Point.CONTROL, without_state, None)]))
    assert data.qfrc_applied[0] == 3.0


def test_return_without_a_value_is_allowed(out):
    assert out(return_none) == 1.0


@pytest.mark.parametrize(
    ('function', 'reason', 'code'),
    [
        (spell_wrong, "mjData has no attribute 'ctlr' (did you mean 'ctrl'?)", None),
        (
            miss_field,
            "the record has no field 'gian' (did you mean 'gain'?); it has out, gain",
            None,
        ),
        (use_objects, 'Cannot determine Numba type of', None),
        (use_a_name, "NameError: name 'nowhere' is not defined", None),
        (
            use_what_is_python,
            'mjData.body is only available in Python: read it in load',
            None,
        ),
        (use_no_function, "module 'mujoco' has no attribute 'mj_jacBdy'", None),
        (give_floats, 'mju_norm3: argument `const mjtNum vec[3]` must be a C-contiguous', None),
        (assign_an_array, 'mjData.qpos is not a number: assign to its elements', None),
        (assign_text, 'numba cannot compile setitem(', None),
        (call_a_helper, "mjModel has no attribute 'nvv'", 'return model.nvv'),
    ],
)
def test_what_cannot_be_compiled_is_a_plugin_error_of_one_line_with_the_place(
    function, reason, code, caplog
):
    with caplog.at_level(logging.INFO), pytest.raises(PluginError) as raised:
        compile_callback(Point.CONTROL, function, new_state(out=0.0, gain=1.0))
    message = str(raised.value)
    assert message.startswith(f'{function.__name__} does not compile: ')
    assert reason in message
    where = double.py_func if code else function
    line = where.__code__.co_firstlineno + (2 if code else 1)
    code = code or linecache.getline(__file__, line).strip()
    assert message.endswith(f', in `{code}` ({__file__}:{line})')
    assert len(message) < 400
    assert message.count('\n') == 0
    assert raised.value.__cause__ is None
    assert not [record for record in caplog.records if 'does not compile' in record.getMessage()]


def test_what_numba_says_is_a_debug_message(caplog):
    with caplog.at_level(logging.DEBUG), pytest.raises(PluginError):
        compile_callback(Point.CONTROL, spell_wrong, None)
    (record,) = (each for each in caplog.records if 'does not compile' in each.getMessage())
    assert "Unknown attribute 'ctlr'" in str(record.exc_info[1])


def test_a_state_that_is_missing_is_told(caplog):
    with pytest.raises(
        PluginError, match=r"the field 'gian' .* but self\.state is None: set it in load"
    ):
        compile_callback(Point.CONTROL, miss_field, None)


@pytest.mark.parametrize(
    ('function', 'message'),
    [
        (take_too_few, r'take_too_few does not compile: '),
        (return_a_number, r'return_a_number must return nothing; it returns float64'),
    ],
)
def test_a_function_of_another_form_is_a_plugin_error(function, message):
    with pytest.raises(PluginError, match=message):
        compile_callback(Point.CONTROL, function, new_state(out=0.0))


def test_bounds_are_checked_on_demand(model, run):
    faults = []
    state = new_state(index=1_000, after=0)
    callback = compile_callback(Point.CONTROL, write_beyond, state, boundscheck=True)
    table = CallbackTable([callback], lambda index, error: faults.append(error))
    run(model, table=table)
    assert [type(error) for error in faults] == [IndexRangeError]
    assert state.after == 0
    state.index = 0
    run(model, table=table)
    assert (len(faults), state.after) == (1, 1)


def test_bounds_are_not_checked_otherwise_and_both_kinds_live_side_by_side(model, run):
    faults, states = [], [new_state(index=-1, after=0) for _ in range(3)]
    callbacks = [
        compile_callback(Point.CONTROL, write_beyond, state, boundscheck=checked)
        for state, checked in zip(states, (True, False, True), strict=True)
    ]
    states[0].index = states[2].index = 50
    run(model, table=CallbackTable(callbacks, lambda index, error: faults.append(index)))
    assert faults == [0, 2]
    assert states[1].after == 1


@pytest.mark.parametrize('checked', [False, True])
def test_a_function_that_stands_in_no_file_compiles(out, checked):
    namespace: dict = {}
    exec('def callback(state, model, data):\n    state.out = 12.5', namespace)
    assert out(namespace['callback']) == 12.5


def test_a_function_made_by_a_function_has_its_own_values(out):
    def make(value):
        def callback(state, model, data):
            state.out = value

        return callback

    assert [out(make(value)) for value in (1.0, 2.0, 3.0)] == [1.0, 2.0, 3.0]


def test_a_lambda_compiles(model, run):
    data = mujoco.MjData(model)
    table = CallbackTable([compile_callback(Point.CONTROL, lambda s, m, d: None, None)])
    run(model, data, table)
    assert data.time > 0
