"""Values that are written as bytes are read back unchanged, and other bytes are refused."""

from __future__ import annotations

import contextlib
import struct
import tracemalloc
from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mujoco_ros_py.engine import new_state
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.simulation.states.plain_values import read_value, write_value

ROW = np.dtype([('joint', np.int32), ('gain', np.float64), ('limits', np.float32, 2)], align=True)
NUMBERS = st.one_of(
    arrays.boolean_dtypes(),
    arrays.integer_dtypes(endianness='<'),
    arrays.floating_dtypes(endianness='<'),
)
KEYS = st.one_of(st.text(max_size=5), st.integers(-(2**63), 2**63 - 1), st.booleans())
PLAIN = st.recursive(
    st.one_of(
        st.none(),
        KEYS,
        st.floats(),
        st.binary(max_size=20),
        NUMBERS.flatmap(lambda kind: arrays.arrays(kind, arrays.array_shapes(min_side=0))),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(KEYS, inner, max_size=4),
    ),
    max_leaves=8,
)


def alike(one: Any, other: Any) -> bool:
    """Whether two values are equal to the bit, types included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray | np.generic):
        return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    if isinstance(one, float):
        return struct.pack('d', one) == struct.pack('d', other)
    if isinstance(one, dict):
        return len(one) == len(other) and all(
            alike(a, b) for pair in zip(one.items(), other.items(), strict=True)
            for a, b in zip(*pair, strict=True)
        )  # fmt: skip
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


SAMPLE = {
    'none': None, -(2**63): [True, 2**63 - 1, 'ü', b'\0\xff'], False: (-0.0, float('nan'), ()),
    'arrays': [np.zeros((2, 0)), np.array(3, np.int8), np.array([[True], [False]])],
    'deep': {'x': [{'y': np.arange(3, dtype=np.float16)}]},
}  # fmt: skip


def test_values_come_back_to_the_bit():
    assert alike(read_value(write_value(SAMPLE)), SAMPLE)


@pytest.mark.nightly
@given(PLAIN)
@settings(max_examples=1000, deadline=None)
def test_random_values_come_back_to_the_bit(value):
    assert alike(read_value(write_value(value)), value)


def test_a_record_of_a_plugin_comes_back_with_all_its_fields():
    rows = np.zeros(2, ROW)
    rows[1] = 3, 0.5, (-1.0, 1.0)
    state = new_state(gain=0.25, on=True, target=np.arange(3.0), rows=rows, none=np.zeros(0))
    back = read_value(write_value(state.copy()))
    assert type(back) is np.record
    assert (back.gain, back.on, list(back.target)) == (0.25, True, [0.0, 1.0, 2.0])
    assert back.rows.tobytes() == rows.astype(back.rows.dtype).tobytes()
    assert write_value(back) == write_value(state)


@pytest.mark.parametrize(
    ('value', 'told'),
    [
        ({'a': [1, object()]}, r"\['a'\]\[1\] must be a number, .* got <object object"),
        (namedtuple('Pair', 'a')(1), r'the value must be a number, .* got Pair\(a=1\)'),
        (2**63, 'the value must be a number'),
        (np.array([None]), 'the value must be an array of numbers, got an array of object'),
        ((np.array(['a']),), r'\[0\] must be an array of numbers, got an array of <U1'),
    ],
)
def test_what_is_no_plain_value_is_refused_with_its_place(value, told):
    with pytest.raises(ConfigError, match=f'^{told}'):
        write_value(value)


def test_collections_that_contain_themselves_are_refused():
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ConfigError, match='at most 32 nested collections'):
        write_value(endless)


def array_of(kind: Any, shape: Any, content: bytes = b'') -> bytes:
    return b'a' + write_value(kind) + write_value(shape) + content


def nested(kind: Any, depth: int) -> Any:
    return kind if depth == 0 else ('array', nested(kind, depth - 1), (1,))


@pytest.mark.parametrize(
    ('written', 'told'),
    [
        (b'', 'end too early'),
        (b'i\0', 'end too early: 8 more'),
        (b'?', "unknown type b'\\?'"),
        (write_value(1) + b'x', 'got 1 more'),
        (b's\2\0\0\0\xff\xff', 'is not UTF-8'),
        (b'l\xff\xff\xff\xff', 'end before 4294967295 elements'),
        (b'd\1\0\0\0' + write_value([]) + b'N', 'cannot have the key'),
        (b'd\2\0\0\0NNNN', 'a duplicate key'),
        (b'l\1\0\0\0' * 50 + b'N', 'too many nested collections'),
        (array_of('<f8', (2**40,)), 'end within an array of 1099511627776 elements'),
        (array_of('<f8', (2**62, 2**62)), 'end within an array'),
        (array_of('<f8', (0, 2**62)), 'cannot have the shape'),
        (array_of('<f8', (-1,)), 'cannot have the shape'),
        (array_of('<f8', 3), 'cannot have the shape 3'),
        (array_of('|O', (1,), b'\0' * 8), "'|O' is not a numeric type"),
        (array_of('<U9', (1,), b'\0' * 36), "'<U9' is not a numeric type"),
        (array_of(('array', '<f8', (2**50,)), (0,)), 'must have at most'),
        (array_of(('array', '<f8'), (0,)), 'is not a numeric type'),
        (array_of(('record', ('a', '<f8'), ('a', '<f8')), (0,), b'\0' * 99), 'not a numeric type'),
        (array_of(('record', ('', '<f8')), (0,), b'\0' * 99), 'is not a field name'),
        (array_of(('record', 3), (0,)), 'is not a numeric type'),
        (array_of(nested('<f8', 20), (0,), b'\0' * 99), 'not a numeric type'),
        (b'n' + array_of('<i4', (1,), b'\0' * 4)[1:], 'a single number or record'),
    ],
)  # fmt: skip
def test_bytes_that_no_value_has_are_refused_with_the_reason(written, told):
    with pytest.raises(ConfigError, match=told):
        read_value(written)


def test_damaged_bytes_are_read_or_refused_within_little_memory():
    written = write_value(SAMPLE)
    for place in range(len(written)):
        read_within_little_memory(written[:place])
        for byte in (0x7F, 0xFF):
            read_within_little_memory(written[:place] + bytes([byte]) + written[place + 1 :])


@pytest.mark.nightly
@given(st.one_of(st.binary(max_size=200), PLAIN.map(write_value)), st.data())
@settings(max_examples=3000, deadline=None)
def test_randomly_damaged_bytes_are_read_or_refused_within_little_memory(written, data):
    damaged = bytearray(written)
    for _ in range(data.draw(st.integers(0, 3))):
        if damaged:
            damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    read_within_little_memory(bytes(damaged))


def read_within_little_memory(damaged: bytes) -> None:
    tracemalloc.start()
    with contextlib.suppress(ConfigError):
        read_value(damaged)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 100_000 + 1000 * len(damaged)
