"""CPython's bytecode, for the cache key: each test reports what a new version has changed."""

from __future__ import annotations

import dis
import platform
import re
from pathlib import Path

import pytest
from numba.core import byteflow

from mujoco_ros_py.engine.foreign import python_bytecode as bytecode

PYTHON = f'Python {platform.python_version()}'
NAMING = {dis.opname[each] for each in (*dis.hasname, *dis.hasfree)}
INTERNAL = re.compile(
    'INSTRUMENTED_|RESERVED|ENTER_EXECUTOR|ANNOTATIONS_PLACEHOLDER|LOAD_SUPER_|LOAD_FROM_DICT_OR_'
    '|IMPORT'
)
"""Instructions that no code object contains, and instructions that are deliberately not
followed."""


def test_every_instruction_of_this_python_is_known():
    shown = {name for name, number in dis.opmap.items() if number < 256}
    unknown = {each for each in shown - bytecode.KNOWN if not INTERNAL.match(each)}
    assert unknown == set(), f'{PYTHON} has instructions that are not known'


def test_every_instruction_that_numba_compiles_is_known():
    handled = set(re.findall(r'def op_([A-Z_0-9]+)\(', Path(byteflow.__file__).read_text()))
    assert handled & set(dis.opmap) - bytecode.KNOWN - {'IMPORT_FROM', 'IMPORT_NAME'} == set()


def test_instructions_with_names_are_told_from_those_without():
    named = bytecode.ATTRIBUTES | bytecode.GLOBALS | bytecode.CLOSURE | bytecode.NO_VALUES
    assert not NAMING & bytecode.LOCAL, f'{PYTHON} has names in instructions that had none'
    assert named & set(dis.opmap) <= NAMING | {'LOAD_CLOSURE', 'LOAD_METHOD'}


@pytest.mark.parametrize('count', [1, 3000])
def test_dis_shows_what_code_reads_and_nothing_that_the_interpreter_has_specialised(count):
    def read(value):
        return outside.attribute + value

    class outside:  # noqa: N801  (a variable of the function around)
        attribute = 1

    assert sum(map(read, range(count))) == count * (count + 1) // 2
    found = [(each.opname, each.argval) for each in dis.get_instructions(read)]
    assert [name for operation, name in found if operation in bytecode.CLOSURE] == ['outside']
    assert [name for operation, name in found if operation in bytecode.ATTRIBUTES] == ['attribute']
    assert {operation for operation, _ in found} <= bytecode.KNOWN
