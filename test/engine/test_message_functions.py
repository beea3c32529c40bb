"""Compiled functions that read and write messages, which are memory in C layout."""

from __future__ import annotations

import ctypes
import traceback
from typing import Any

import mujoco
import numpy as np
import pytest
from numba import njit

from mujoco_ros_py.engine import (
    Inlet,
    Loop,
    Port,
    compile_message_function,
    new_state,
    set_length,
)
from mujoco_ros_py.engine.messages import ELEMENT, TEXT
from mujoco_ros_py.errors import IndexRangeError, PluginError, RoomError

BUFFER = [('data', np.uintp), ('size', np.uintp), ('capacity', np.uintp)]
TAKE = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)
MODEL = '<mujoco><worldbody><body><joint/><geom size="0.1"/></body></worldbody></mujoco>'


def sequence(element: Any) -> np.dtype[Any]:
    return np.dtype(BUFFER, align=True, metadata={ELEMENT: np.dtype(element)})


STAMP = np.dtype([('sec', np.int32), ('nanosec', np.uint32)], align=True)
STRING = np.dtype(BUFFER, align=True, metadata={TEXT: 'utf-8'})
POINT = np.dtype([('x', float), ('y', float)], align=True)
LAYOUT = np.dtype(
    [
        ('stamp', STAMP),
        ('flag', np.bool_),
        ('count', np.uint8),
        ('ratio', np.float32),
        ('fixed', (np.dtype(float), (3,))),
        ('corners', (POINT, (2,))),
        ('numbers', sequence(float)),
        ('points', sequence(POINT)),
        ('name', STRING),
        ('names', sequence(STRING)),
        ('huge', np.longdouble),
    ],
    align=True,
)
"""A message with each kind of ROS field."""


class Message:
    """A message in memory, with two elements in each sequence."""

    def __init__(self) -> None:
        self.fields = np.zeros((), LAYOUT)
        self.numbers = np.array([1.5, 2.5])
        self.points = np.zeros(2, POINT)
        self.texts = [np.frombuffer(text, np.uint8) for text in (b'hinge\0', b'b\0')]
        self.names = np.zeros(2, STRING)
        for place, array, size in [
            (self.fields['numbers'], self.numbers, 2),
            (self.fields['points'], self.points, 2),
            (self.fields['name'], self.texts[0], 5),
            (self.fields['names'], self.names, 2),
            (self.names[0:1], self.texts[0], 5),
            (self.names[1:2], self.texts[1], 1),
        ]:
            place['data'], place['size'] = array.ctypes.data, size
            place['capacity'] = size + (TEXT in (place.dtype.metadata or ()))


@pytest.fixture
def call():
    """`call(function, state, message)` compiles and calls a function for a message."""
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    loop = Loop()
    loop.adopt(model, data)

    def call(function, state, message, **options):
        waiting, faults = [0], []
        code = compile_message_function(function, state, LAYOUT, **options)
        take = TAKE(lambda *_: waiting.pop() if waiting else 7)
        nothing = TAKE(lambda *_: 0)
        port = Port(
            call=ctypes.cast(take, ctypes.c_void_p).value,
            handle=0,
            message=message.fields.ctypes.data,
            forget_error=ctypes.cast(nothing, ctypes.c_void_p).value,
            nothing=7,
            keep=(take, nothing),
        )
        inlet = Inlet('test', code, state, port, faults.append)
        assert loop.take_once(inlet)
        assert inlet.record.taken == 1
        if faults:
            raise faults[0]
        return data

    yield call
    loop.release()


def write_numbers(state, model, data, message):
    message.stamp.sec = 3
    message.stamp.nanosec = 4_000_000_000
    message.flag = True
    message.count = 200
    message.ratio = 0.5
    message.fixed[1] = data.time + 2.0
    message.corners[1].y = 8.0
    message.numbers[:] = model.opt.timestep
    message.points[-1].x = -1.0


def test_each_number_of_a_message_can_be_written(call):
    message = Message()
    call(write_numbers, None, message)
    fields = message.fields
    assert fields['stamp'].tolist() == (3, 4_000_000_000)
    assert (bool(fields['flag']), int(fields['count']), float(fields['ratio'])) == (True, 200, 0.5)
    assert fields['fixed'].tolist() == [0, 2, 0]
    assert fields['corners'].tolist() == [(0, 0), (0, 8)]
    assert message.numbers.tolist() == [0.002, 0.002]
    assert message.points.tolist() == [(0, 0), (-1, 0)]


def read_the_third_number(state, model, data, message):
    state.read = message.numbers[2]


def read_the_last_number(state, model, data, message):
    state.read = message.numbers[-1]


def write_the_third_number(state, model, data, message):
    message.numbers[2] = 1.0


def read_the_tenth_letter(state, model, data, message):
    state.read = message.name[9]


def read_the_third_number_of_a_slice(state, model, data, message):
    state.read = message.numbers[0:][2]


@njit
def third(numbers):
    return numbers[2]


def read_the_third_number_in_a_helper(state, model, data, message):
    state.read = third(message.numbers)


@pytest.mark.parametrize(
    ('function', 'index', 'size'),
    [
        (read_the_third_number, 2, 2),
        (write_the_third_number, 2, 2),
        (read_the_tenth_letter, 9, 5),
        (read_the_third_number_of_a_slice, 2, 2),
        (read_the_third_number_in_a_helper, 2, 2),
        (read_the_last_number, -1, 0),
    ],
)
def test_an_index_past_the_end_of_what_came_is_an_error_without_boundscheck(
    call, function, index, size
):
    message = Message()
    if not size:  # a sender that leaves a sequence empty does not provide memory either
        message.fields['numbers']['size'] = message.fields['numbers']['data'] = 0
    expected = rf'index {index} is out of bounds for .* size {size}'
    with pytest.raises(IndexRangeError, match=expected):
        call(function, new_state(read=0.0), message)


def read_everything(state, model, data, message):
    state.lengths[0] = len(message.numbers)
    state.lengths[1] = len(message.points)
    state.lengths[2] = len(message.names)
    state.lengths[3] = len(message.name)
    state.lengths[4] = len(message.names[1])
    state.letter = message.names[0][4]
    state.total = message.numbers.sum() + message.points[1].y
    state.flag = message.flag


def test_sequences_and_texts_have_their_lengths_and_contents(call):
    message, state = Message(), new_state(lengths=np.zeros(5, int), letter=0, total=0.0, flag=True)
    message.points[1]['y'] = 10.0
    call(read_everything, state, message)
    assert state.lengths.tolist() == [2, 2, 2, 5, 1]
    assert (chr(state.letter), state.total, state.flag) == ('e', 14.0, False)


def use_a_message_too_far(state, model, data, message):
    message.points[2].x = 1.0


def test_an_index_outside_a_sequence_of_messages_is_always_an_error(call):
    with pytest.raises(IndexRangeError, match=r'index 2 .* a sequence of messages .* size 2'):
        call(use_a_message_too_far, None, Message())


def use_a_number_too_far(state, model, data, message):
    message.numbers[state.index] = 1.0


def test_with_boundscheck_an_index_outside_a_sequence_of_numbers_is_an_error(call):
    with pytest.raises(IndexRangeError, match=r'index 2 .* size 2'):
        call(use_a_number_too_far, new_state(index=2), Message(), boundscheck=True)


def shorten(state, model, data, message):
    set_length(message, 'points', 1)
    set_length(message, 'numbers', 0)
    set_length(message, 'name', 3)
    state.lengths[0] = len(message.points)
    state.lengths[1] = len(message.numbers)
    state.lengths[2] = len(message.name)


def test_a_sequence_and_a_text_can_be_made_shorter_and_long_again(call):
    message, state = Message(), new_state(lengths=np.zeros(3, int))
    message.points[1]['y'] = 4.0
    call(shorten, state, message)
    assert state.lengths.tolist() == [1, 0, 3]
    assert bytes(message.texts[0]) == b'hin\0e\0', 'a text ends in a zero'

    def lengthen(state, model, data, message):
        set_length(message, 'points', 2)
        state.lengths[0] = len(message.points)
        state.lengths[1] = round(message.points[1].y)

    call(lengthen, state, message)
    assert state.lengths.tolist()[:2] == [2, 4], 'what was beyond the length has stayed'


@pytest.mark.parametrize(('field', 'room'), [('points', 2), ('numbers', 2), ('name', 5)])
def test_a_sequence_cannot_become_longer_than_its_memory(call, field, room):
    names = {'count': room + 1}
    source = {
        'points': lambda state, model, data, message: set_length(message, 'points', state.count),
        'numbers': lambda state, model, data, message: set_length(message, 'numbers', state.count),
        'name': lambda state, model, data, message: set_length(message, 'name', state.count),
    }[field]
    with pytest.raises(RoomError, match=f'{field} has room for {room} elements.*got {room + 1}'):
        call(source, new_state(**names), Message())
    with pytest.raises(RoomError, match='got -1'):
        call(source, new_state(count=-1), Message())


def test_the_error_of_a_length_names_the_line_of_the_user(call):
    def too_long(state, model, data, message):
        set_length(message, 'numbers', 7)

    with pytest.raises(RoomError) as raised:
        call(too_long, None, Message())
    frame = traceback.extract_tb(raised.value.__traceback__)[-1]
    line = too_long.__code__.co_firstlineno + 1
    assert (frame.filename, frame.name, frame.lineno) == (__file__, 'too_long', line)


def set_the_length_of_a_number(state, model, data, message):
    set_length(message, 'count', 1)


def test_python_can_make_a_message_of_rclpy_shorter():
    class Message:
        points = (1, 2, 3)

    message = Message()
    set_length(message, 'points', 2)
    assert message.points == (1, 2)
    with pytest.raises(RoomError):
        set_length(message, 'points', 3)


def give_back_a_number(state, model, data, message):
    return 1.5


def give_back_a_boolean(state, model, data, message):
    return True


def test_only_a_function_that_fills_messages_may_tell_whether_they_are_sent():
    compile_message_function(give_back_a_boolean, None, LAYOUT, fills=True)
    with pytest.raises(PluginError, match=r'must return nothing; it returns .*bool'):
        compile_message_function(give_back_a_boolean, None, LAYOUT)
    with pytest.raises(PluginError, match='whether to send the message; it returns float64'):
        compile_message_function(give_back_a_number, None, LAYOUT, fills=True)


def misspell(state, model, data, message):
    message.number[0] = 1.0


def set_a_sequence(state, model, data, message):
    message.numbers = 1.0


def use_an_unknown_kind(state, model, data, message):
    message.huge = 1.0


@pytest.mark.parametrize(
    ('function', 'words'),
    [
        (
            misspell,
            r"no field 'number' \(did you mean 'numbers'\?\); it has stamp,",
        ),
        (set_a_sequence, r'in `message.numbers = 1.0`'),
        (use_an_unknown_kind, 'huge'),
        (set_the_length_of_a_number, 'count is neither a sequence nor a string'),
    ],
)
def test_a_function_that_uses_a_message_wrongly_does_not_compile_and_says_why(function, words):
    with pytest.raises(PluginError, match=words):
        compile_message_function(function, None, LAYOUT)


def test_equal_functions_for_equal_layouts_are_the_same_code():
    first = compile_message_function(write_numbers, None, LAYOUT)
    assert compile_message_function(write_numbers, None, LAYOUT).keep is first.keep
    other = np.dtype([*LAYOUT.descr[:0], ('stamp', STAMP)])
    with pytest.raises(PluginError, match='flag'):
        compile_message_function(write_numbers, None, other)
