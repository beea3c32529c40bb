"""Compares the layout with the bindings: where each field is, and its type."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.struct_layout import Field, struct_layout

INVISIBLE = {'buffer', 'arena', 'threadlock'}
"""Fields of mjModel and mjData; test_struct_layout_in_c checks them."""
TEXTS = {'names', 'paths', 'text_data'}
"""Fields that the bindings show as `bytes`."""
MISSHOWN = {'bv', 'bvactive'}
"""Fields of mjVisual.rgba that the bindings show as empty arrays (MuJoCo 3.17 and 4.0);
test_struct_layout_in_c checks them."""


@pytest.fixture(params=['mjModel', 'mjData'])
def struct(request, model, data) -> tuple[str, Any]:
    return request.param, {'mjModel': model, 'mjData': data}[request.param]


def arrays(name: str) -> Iterator[Field]:
    return (
        field for field in struct_layout(name).fields.values() if field.extents and field.dtype
    )


def extent(extent: int | str, owner: Any, model: Any) -> int:
    """Evaluates an extent of the layout: a number, or a product of numbers and integer fields."""
    factors = [int(f) if f.isdigit() else _count(f, owner, model) for f in str(extent).split('*')]
    return math.prod(factors)


def _count(name: str, owner: Any, model: Any) -> int:
    return int(getattr(owner if hasattr(owner, name) else model, name))


def memory(address: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Returns a readable and writable view of one element at an address."""
    return np.frombuffer((ctypes.c_char * dtype.itemsize).from_address(address), dtype)


def shown(owner: Any, field: str) -> Any:
    return getattr(owner, field, None) if hasattr(owner, field) else getattr(owner, f'{field}_')


def assert_shows_what_is_written(address: int, field: Field, owner: Any) -> None:
    """Writes each element at its offset in the layout, and reads it through the bindings."""
    count = math.prod(field.extents)  # type: ignore[arg-type]
    for index in range(count):
        element = memory(address + field.offset + index * field.dtype.itemsize, field.dtype)
        before = element.copy()
        element[0] = not before[0] if field.dtype == bool else 81 + index
        came = np.ravel(shown(owner, field.name))
        assert came.size == count, field
        assert came[index] == element[0], field
        element[:] = before
        assert np.ravel(shown(owner, field.name))[index] == before[0], field


def test_every_attribute_of_the_bindings_is_a_field_and_every_field_an_attribute(struct):
    name, owner = struct
    visible = {a for a in dir(owner) if a[0] != '_' and not callable(getattr(owner, a))}
    assert visible - {'model'} == set(struct_layout(name).fields) - INVISIBLE


def test_every_array_has_the_address_that_the_bindings_have(struct):
    name, owner = struct
    checked = 0
    for field in arrays(name):
        array = getattr(owner, field.name)
        place = owner._address + field.offset
        start = memory(place, np.dtype(np.uint64))[0] if field.indirect else place
        if field.name not in TEXTS and array.size and start:
            assert start == array.ctypes.data, field
            checked += 1
    assert checked > {'mjModel': 350, 'mjData': 120}[name]


def test_every_array_has_the_shape_and_type_that_the_bindings_have(struct, model):
    name, owner = struct
    for field in arrays(name):
        came = getattr(owner, field.name)
        shape = tuple(extent(e, owner, model) for e in field.extents)
        if field.name in TEXTS:
            assert (len(came),) == shape, field
        # text too: whether char has a sign depends on the processor
        elif field.name == 'plugin_attr':
            assert (came.shape, field.dtype) == (shape, np.uint8)
            assert came.dtype in (np.int8, np.uint8)
        else:
            assert (came.shape, came.dtype) == (shape, field.dtype), field


def test_every_scalar_is_what_the_bindings_read_at_its_place(struct):
    name, owner = struct
    scalars = [f for f in struct_layout(name).fields.values() if not f.extents and f.dtype]
    for field in scalars:
        if field.name not in INVISIBLE:
            assert_shows_what_is_written(owner._address, field, owner)
    assert len(scalars) > {'mjModel': 95, 'mjData': 30}[name]


@pytest.mark.parametrize('name', ['opt', 'stat', *[f'vis.{part}' for part in (
    'global', 'quality', 'headlight', 'map', 'scale', 'rgba')]])  # fmt: skip
def test_every_field_of_a_struct_in_the_model_is_what_the_bindings_read(name, scratch):
    address, owner, inner = scratch._address, scratch, 'mjModel'
    for part in name.split('.'):
        field = struct_layout(inner).fields[part]
        address, owner, inner = address + field.offset, shown(owner, part), field.struct
    for field in struct_layout(inner).fields.values():
        if field.name not in MISSHOWN:
            assert_shows_what_is_written(address, field, owner)


@pytest.mark.parametrize('name', ['warning', 'timer', 'solver', 'contact'])
def test_every_field_of_every_kind_of_struct_array_is_what_the_bindings_read(name, data):
    field = struct_layout('mjData').fields[name]
    start = data._address + field.offset
    if field.indirect:
        start = int(memory(start, np.dtype(np.uint64))[0])
    structs, size = getattr(data, name), struct_layout(field.struct).size
    assert len(structs) > 1
    for index in (0, 1, len(structs) - 1):
        for inner in struct_layout(field.struct).fields.values():
            assert_shows_what_is_written(start + index * size, inner, structs[index])


def test_struct_arrays_are_as_long_as_the_bindings_say(data):
    fields = struct_layout('mjData').fields
    for name in ('warning', 'timer', 'solver'):
        assert fields[name].extents == (len(getattr(data, name)),)
    assert fields['contact'].extents == ('ncon',)
    assert len(data.contact) == data.ncon > 0


def test_constants_in_extents_are_numbers():
    assert struct_layout('mjModel').fields['geom_solref'].extents == ('ngeom', mujoco.mjNREF)
    assert struct_layout('mjModel').fields['eq_data'].extents == ('neq', mujoco.mjNEQDATA)
