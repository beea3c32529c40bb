"""The object code loader: each test reports what a new version of llvmlite has lost."""

from __future__ import annotations

import ctypes
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm
import pytest

from mujoco_ros_py.engine.foreign import llvm_loader as loader
from mujoco_ros_py.engine.foreign.llvmlite_internals import initialize

TEXT = """
declare i64 @mujoco_ros_py_test_number()
define i64 @outer(i64 ()* %given) {
  %first = call i64 @mujoco_ros_py_test_number()
  %second = call i64 %given()
  %sum = add i64 %first, %second
  ret i64 %sum
}
"""
NUMBER = ctypes.CFUNCTYPE(ctypes.c_int64)


def lost(what: str) -> str:
    return f'llvmlite {llvmlite.__version__} has lost what llvm_loader needs: {what}'


@pytest.fixture(scope='module')
def number():
    """A C function that code finds as `mujoco_ros_py_test_number`."""
    function = NUMBER(lambda: 7)
    address = ctypes.cast(function, ctypes.c_void_p).value
    loader.add_symbol('mujoco_ros_py_test_number', address)
    return function


@pytest.fixture(scope='module')
def code():
    initialize()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(jit=True).emit_object(llvm.parse_assembly(TEXT))


def is_executable(address: int) -> bool:
    """Returns whether there is code at an address of this process."""
    for line in Path('/proc/self/maps').read_text().splitlines():
        span, rights = line.split()[:2]
        begin, end = (int(each, 16) for each in span.split('-'))
        if begin <= address < end:
            return 'x' in rights
    return False


def test_a_symbol_is_known_once_it_is_added(number):
    assert loader.is_known('mujoco_ros_py_test_number'), lost('add_symbol, address_of_symbol')
    assert loader.is_known('malloc'), lost('symbols of the process')
    assert not loader.is_known('mujoco_ros_py_test_nothing')


def test_object_code_finds_symbols_that_were_added_and_is_unloaded_with_its_object(code, number):
    memory, address = loader.load(code, 'outer')
    assert address, lost('MCJIT: create_mcjit_compiler, add_object_file, get_function_address')
    assert ctypes.CFUNCTYPE(ctypes.c_int64, NUMBER)(address)(NUMBER(lambda: 5)) == 12
    assert is_executable(address)
    del memory
    assert not is_executable(address), lost('MCJIT: an engine frees its memory')


def test_code_with_the_same_symbols_is_loaded_beside_other_code(code, number):
    (first, one), (second, other) = loader.load(code, 'outer'), loader.load(code, 'outer')
    assert one != other
    del first
    assert ctypes.CFUNCTYPE(ctypes.c_int64, NUMBER)(other)(NUMBER(lambda: 1)) == 8
    del second
