"""Compares the layout, and other numbers about C structs, with the C compiler."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mujoco_ros_py.engine import c_types
from mujoco_ros_py.engine.guard_block import new_guard
from mujoco_ros_py.engine.struct_layout import struct_layout

from .c_program import numbers

STRUCTS = ['mjModel', 'mjData', 'mjOption', 'mjVisual', 'mjStatistic', 'mjContact',
           'mjWarningStat', 'mjTimerStat', 'mjSolverStat']  # fmt: skip
C_LIBRARY = {
    'jmp_buf': c_types.JUMP_BUFFER,
    'pthread_mutex_t': c_types.MUTEX,
    'pthread_attr_t': c_types.THREAD_ATTRIBUTES,
    'struct sigaction': c_types.SIGNAL_ACTION.itemsize,
}
VISUAL = ['global', 'quality', 'headlight', 'map', 'scale', 'rgba']


@pytest.fixture(scope='module')
def in_c(tmp_path_factory) -> dict[str, int]:
    """gcc's results: 'size mjModel', 'offset mjModel.nq', 'element mjModel.qpos0' and so on."""
    return numbers(_questions(), tmp_path_factory.mktemp('c'))


def _questions() -> Iterator[tuple[str, str]]:
    for name in STRUCTS:
        yield f'size {name}', f'sizeof({name})'
        yield f'alignment {name}', f'_Alignof({name})'
        for field in struct_layout(name).fields.values():
            place = f'(({name}*)0)->{field.name}'
            yield f'offset {name}.{field.name}', f'offsetof({name}, {field.name})'
            yield f'field {name}.{field.name}', f'sizeof({place})'
            if field.extents:
                yield f'element {name}.{field.name}', f'sizeof({place}{"[0]" * _depth(field)})'
    for part in VISUAL:
        yield f'size mjVisual.{part}', f'sizeof(((mjVisual*)0)->{part})'
        for name in struct_layout(f'mjVisual.{part}').fields:
            place = f'offsetof(mjVisual, {part}.{name}) - offsetof(mjVisual, {part})'
            yield f'offset mjVisual.{part}.{name}', place
    for name in C_LIBRARY:
        yield f'size {name}', f'sizeof({name})'
        yield f'alignment {name}', f'_Alignof({name})'
    for name in c_types.SIGNAL_ACTION.fields:
        yield f'offset sigaction.{name}', f'offsetof(struct sigaction, sa_{name})'


def _depth(field) -> int:
    """Returns how many indices lead to an element: one for a pointer, whatever its extents."""
    return 1 if field.indirect else len(field.extents)


@pytest.mark.parametrize('name', [*STRUCTS, *[f'mjVisual.{part}' for part in VISUAL]])
def test_sizes_and_offsets_are_those_of_the_c_compiler(name, in_c):
    ours = struct_layout(name)
    assert ours.size == in_c[f'size {name}']
    assert ours.alignment == in_c.get(f'alignment {name}', ours.alignment)
    offsets = {field.name: field.offset for field in ours.fields.values()}
    assert offsets == {field: in_c[f'offset {name}.{field}'] for field in offsets}


@pytest.mark.parametrize('name', STRUCTS)
def test_sizes_of_fields_and_elements_are_those_of_the_c_compiler(name, in_c):
    for field in struct_layout(name).fields.values():
        assert field.size == in_c[f'field {name}.{field.name}'], field
        if field.extents:
            element = struct_layout(field.struct).size if field.struct else field.dtype.itemsize
            assert element == in_c[f'element {name}.{field.name}'], field


@pytest.mark.parametrize('name', C_LIBRARY)
def test_there_is_room_for_each_type_of_the_c_library(name, in_c):
    assert in_c[f'size {name}'] <= C_LIBRARY[name]
    assert in_c[f'alignment {name}'] <= 8  # the alignment of all records


def test_actions_of_signals_are_those_of_the_c_compiler(in_c):
    fields = c_types.SIGNAL_ACTION.fields
    assert {name: place[1] for name, place in fields.items()} == {
        name: in_c[f'offset sigaction.{name}'] for name in fields
    }


def test_a_guard_is_aligned_for_setjmp(in_c):
    assert new_guard().ctypes.data % in_c['alignment jmp_buf'] == 0
