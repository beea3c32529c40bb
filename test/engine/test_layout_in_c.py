"""The layout, and what else is written down about C structs, against the C compiler."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import mujoco
import pytest

from mujoco_ros_py.engine.compiled import guard
from mujoco_ros_py.engine.guard import new_guard
from mujoco_ros_py.engine.layout import layout
from mujoco_ros_py.engine.records import GUARD, MESSAGE

STRUCTS = ['mjModel', 'mjData', 'mjOption', 'mjVisual', 'mjStatistic', 'mjContact',
           'mjWarningStat', 'mjTimerStat', 'mjSolverStat']  # fmt: skip
VISUAL = ['global', 'quality', 'headlight', 'map', 'scale', 'rgba']
PROGRAM = """
#include <setjmp.h>
#include <stdio.h>
#include <stddef.h>
#include <mujoco/mujoco.h>
int main(void) {{
{}
}}
"""


@pytest.fixture(scope='module')
def in_c(tmp_path_factory) -> dict[str, int]:
    """What gcc says: 'size mjModel', 'offset mjModel.nq', 'element mjModel.qpos0' and so on."""
    compiler = shutil.which('gcc')
    if compiler is None:
        pytest.skip('gcc is not installed')
    folder = tmp_path_factory.mktemp('c')
    lines = (f'printf("{key}=%zu\\n", (size_t)({value}));' for key, value in _questions())
    (folder / 'main.c').write_text(PROGRAM.format('\n'.join(lines)))
    include = Path(mujoco.__file__).parent / 'include'
    command = [compiler, '-w', '-I', include, folder / 'main.c', '-o', folder / 'main']
    subprocess.run(command, check=True, timeout=60)
    answer = subprocess.check_output([folder / 'main'], text=True)
    return {key: int(value) for key, _, value in (x.partition('=') for x in answer.splitlines())}


def _questions() -> Iterator[tuple[str, str]]:
    for name in STRUCTS:
        yield f'size {name}', f'sizeof({name})'
        yield f'alignment {name}', f'_Alignof({name})'
        for field in layout(name).fields.values():
            place = f'(({name}*)0)->{field.name}'
            yield f'offset {name}.{field.name}', f'offsetof({name}, {field.name})'
            yield f'field {name}.{field.name}', f'sizeof({place})'
            if field.extents:
                yield f'element {name}.{field.name}', f'sizeof({place}{"[0]" * _depth(field)})'
    for part in VISUAL:
        yield f'size mjVisual.{part}', f'sizeof(((mjVisual*)0)->{part})'
        for name in layout(f'mjVisual.{part}').fields:
            place = f'offsetof(mjVisual, {part}.{name}) - offsetof(mjVisual, {part})'
            yield f'offset mjVisual.{part}.{name}', place
    yield 'offset mjLogMessage.level', 'offsetof(mjLogMessage, level)'
    yield 'offset mjLogMessage.subject', 'offsetof(mjLogMessage, subject)'
    yield 'field mjLogMessage.subject', 'sizeof(((mjLogMessage*)0)->subject)'
    yield 'level warning', 'mjLOG_WARNING'
    yield 'level error', 'mjLOG_ERROR'
    yield 'size jmp_buf', 'sizeof(jmp_buf)'
    yield 'alignment jmp_buf', '_Alignof(jmp_buf)'


def _depth(field) -> int:
    """How often to index until an element: a pointer is flat, whatever its extents."""
    return 1 if field.indirect else len(field.extents)


@pytest.mark.parametrize('name', [*STRUCTS, *[f'mjVisual.{part}' for part in VISUAL]])
def test_sizes_and_offsets_are_those_of_the_c_compiler(name, in_c):
    ours = layout(name)
    assert ours.size == in_c[f'size {name}']
    assert ours.alignment == in_c.get(f'alignment {name}', ours.alignment)
    offsets = {field.name: field.offset for field in ours.fields.values()}
    assert offsets == {field: in_c[f'offset {name}.{field}'] for field in offsets}


@pytest.mark.parametrize('name', STRUCTS)
def test_sizes_of_fields_and_elements_are_those_of_the_c_compiler(name, in_c):
    for field in layout(name).fields.values():
        assert field.size == in_c[f'field {name}.{field.name}'], field
        if field.extents:
            element = layout(field.struct).size if field.struct else field.dtype.itemsize
            assert element == in_c[f'element {name}.{field.name}'], field


def test_the_guard_knows_the_message_that_libmujoco_passes(in_c):
    assert in_c['offset mjLogMessage.level'] == 0
    assert in_c['offset mjLogMessage.subject'] == guard._SUBJECT_OFFSET
    assert in_c['field mjLogMessage.subject'] == MESSAGE
    assert in_c['level warning'] == guard._LEVEL_WARNING
    assert in_c['level error'] == guard._LEVEL_ERROR
    assert GUARD['error'].itemsize == MESSAGE


def test_a_guard_has_room_for_what_setjmp_keeps(in_c):
    assert GUARD['jump'].itemsize >= in_c['size jmp_buf']
    assert new_guard().ctypes.data % in_c['alignment jmp_buf'] == 0
