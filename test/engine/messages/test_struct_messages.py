from __future__ import annotations

import ctypes
import weakref
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import TransformStamped
from rosidl_parser.definition import (
    AbstractGenericString,
    AbstractSequence,
    AbstractWString,
    Array,
    BasicType,
    NamespacedType,
)
from sensor_msgs.msg import CameraInfo, JointState

from mujoco_ros_py.engine.messages import StructMessage, numbers

KINDS = [
    f'{package}/{name}'
    for package in [
        'builtin_interfaces',
        'diagnostic_msgs',
        'geometry_msgs',
        'nav_msgs',
        'rcl_interfaces',
        'rosgraph_msgs',
        'sensor_msgs',
        'std_msgs',
        'visualization_msgs',
    ]
    for name, kind in sorted(vars(import_module(f'{package}.msg')).items())
    if isinstance(kind, type)
]


def import_kind(name: str) -> Any:
    package, kind = name.split('/')
    return getattr(import_module(f'{package}.msg'), kind)


def pointer(capsule: Any) -> int:
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    name = ctypes.c_char_p(api.PyCapsule_GetName(ctypes.py_object(capsule)))
    return api.PyCapsule_GetPointer(ctypes.py_object(capsule), name)


def as_rosidl_reads(kind: Any, message: StructMessage) -> Any:
    """Converts a message in memory to Python with rosidl's generated C functions."""
    type(kind).__import_type_support__()
    convert = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(pointer(kind._CONVERT_TO_PY))
    return convert(message.address)


class Filler:
    """Fills a struct and a Python message with the same values, all different from each other."""

    def __init__(self, message: StructMessage) -> None:
        self._message = message
        self._count = 0

    def fill(self, view: Any, kind: Any) -> Any:
        filled = kind()
        slots = dict(zip(kind.get_fields_and_field_types(), kind.SLOT_TYPES, strict=True))
        for name, slot in slots.items():
            setattr(filled, name, self._member(view[name], slot))
        return filled

    def _member(self, view: Any, slot: Any) -> Any:
        self._count += 1
        match slot:
            case BasicType():
                view[...] = value = self._number(view.dtype)
                return bytes([value]) if slot.typename == 'octet' else value
            case NamespacedType():
                return self.fill(view, import_kind(f'{slot.namespaces[0]}/{slot.name}'))
            case AbstractGenericString():
                wide = isinstance(slot, AbstractWString)
                self._message.set_text(view, text := f'{"wïde" if wide else "nöte"} {self._count}')
                return text
            case Array():
                return [self._member(view[k, ...], slot.value_type) for k in range(slot.size)]
            case AbstractSequence():
                elements = self._message.allocate(view, 3)
                return [self._member(elements[k, ...], slot.value_type) for k in range(3)]

    def _number(self, dtype: Any) -> Any:
        if dtype == np.bool_:
            return self._count % 2 == 1
        return dtype.type(self._count % 100 + (0.25 if dtype.kind == 'f' else 0)).item()


@pytest.mark.parametrize('name', KINDS)
def test_what_is_written_is_what_the_generated_code_reads(name):
    kind = import_kind(name)
    message = StructMessage(kind)
    expected = Filler(message).fill(message, kind)
    assert as_rosidl_reads(kind, message) == expected


@pytest.mark.parametrize('kind', [CameraInfo, DiagnosticArray, JointState, TransformStamped])
def test_a_new_message_is_zero_and_empty(kind):
    message = StructMessage(kind)
    expected = kind()
    if kind is TransformStamped:
        expected.transform.rotation.w = 0.0  # the default is 1
    assert as_rosidl_reads(kind, message) == expected


def test_numbers_are_an_array_in_the_order_of_the_definition():
    message = StructMessage(TransformStamped)
    rotation = numbers(message['transform']['rotation'])
    rotation[:] = 0.1, 0.2, 0.3, 0.4
    read = as_rosidl_reads(TransformStamped, message).transform.rotation
    assert (read.x, read.y, read.z, read.w) == (0.1, 0.2, 0.3, 0.4)


def test_values_are_written_in_place_and_texts_and_sequences_anew():
    message = StructMessage(JointState)
    position = message.allocate(message['position'], 2)
    stamp = message['header']['stamp']
    for number in range(3):
        message.set_texts(message['name'], [f'joint {number}', 'elbow'])
        message.set_text(message['header']['frame_id'], f'frame {number}')
        position[:] = number, 2 * number
        stamp['sec'] = number
        read = as_rosidl_reads(JointState, message)
        assert list(read.name) == [f'joint {number}', 'elbow']
        assert read.header.frame_id == f'frame {number}'
        assert list(read.position) == [number, 2 * number]
        assert read.header.stamp.sec == number


@pytest.mark.parametrize('name', ['name', 'position'])
def test_a_string_or_a_sequence_is_not_set_like_a_number(name):
    message = StructMessage(JointState)
    with pytest.raises(TypeError, match=f'{name} is not a number: use set_text'):
        message[name] = 7
    assert as_rosidl_reads(JointState, message) == JointState()


def test_a_text_that_is_not_unicode_is_sent_as_one_that_is():
    message = StructMessage(JointState)
    message.set_texts(message['name'], ['arm \udcff', 'leg'])
    assert list(as_rosidl_reads(JointState, message).name) == [r'arm \udcff', 'leg']


def test_what_was_replaced_is_let_go():
    message = StructMessage(JointState)
    message.set_texts(message['name'], ['a', 'b'])
    kept = [weakref.ref(buffer) for buffer in message._kept.values()]
    for _ in range(3):
        message.set_texts(message['name'], ['c', 'd', 'e'])
    assert [each() for each in kept] == [None] * 3
    assert list(as_rosidl_reads(JointState, message).name) == ['c', 'd', 'e']
