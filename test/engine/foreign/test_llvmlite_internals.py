"""What the engine relies on inside llvmlite: each test says what a new version has lost."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm
import pytest

from mujoco_ros_py.engine.foreign import llvmlite_internals as internals

ENGINE = Path(internals.__file__).parents[1]
LLVM = f'llvmlite {llvmlite.__version__}'
TEXT = """
declare i64 @mujoco_ros_py_test_number()
declare double @llvm.fabs.f64(double)
define i64 @inner() {
  %result = call i64 @mujoco_ros_py_test_number()
  ret i64 %result
}
define i64 @outer(i64 ()* %given) {
  %first = call i64 @inner()
  %second = call i64 %given()
  %sum = add i64 %first, %second
  ret i64 %sum
}
"""


def lost(what: str) -> str:
    return f'{LLVM} has lost what mujoco_ros_py.engine.foreign.llvmlite_internals needs: {what}'


@pytest.fixture(scope='module')
def module():
    internals.initialize()
    return llvm.parse_assembly(TEXT)


@pytest.fixture(scope='module')
def number():
    """A C function that is known to code as `mujoco_ros_py_test_number`."""
    function = ctypes.CFUNCTYPE(ctypes.c_int64)(lambda: 7)
    address = ctypes.cast(function, ctypes.c_void_p).value
    internals.add_symbol('mujoco_ros_py_test_number', address)
    return function


def test_a_symbol_is_known_once_it_is_added(number):
    assert internals.is_known('mujoco_ros_py_test_number'), lost('add_symbol, address_of_symbol')
    assert internals.is_known('malloc'), lost('symbols of the process')
    assert not internals.is_known('mujoco_ros_py_test_nothing')


def test_object_code_is_loaded_and_finds_symbols_that_were_added(module, number):
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(reloc='static', codemodel='jitdefault', jit=True)
    code = machine.emit_object(module)
    engine, address = internals.link(code, 'outer')
    assert address, lost('MCJIT: create_mcjit_compiler, add_object_file, get_function_address')
    kind = ctypes.CFUNCTYPE(ctypes.c_int64)
    outer = ctypes.CFUNCTYPE(ctypes.c_int64, kind)(address)
    assert outer(kind(lambda: 5)) == 12
    del engine


def test_a_module_tells_what_it_refers_to_but_has_not(module):
    declared = internals.declared_names(module)
    assert declared == ['mujoco_ros_py_test_number'], lost('is_declaration of functions')


def test_a_module_tells_what_its_functions_call_through_each_other(module):
    called = sorted(internals.called_outside(module, 'outer'))
    assert called == ['', 'mujoco_ros_py_test_number'], lost('operands of calls, and ValueKind')


def test_the_processor_tells_its_features():
    features = internals.processor().split(',')
    assert '+sse2' in features or '+neon' in features, lost('get_host_cpu_features, with flatten')


def test_no_other_file_of_the_engine_uses_the_binding_of_llvm():
    binding = re.compile(r'\bllvmlite(\.binding\b| import binding)')
    found = [
        path.name
        for path in ENGINE.rglob('*.py')
        if binding.search(path.read_text()) and path.name != 'llvmlite_internals.py'
    ]
    assert found == []


def test_calls_of_llvm_are_no_longer_timed():
    """Numba registers its timers with a new process, in which this is looked at."""
    code = """
import numba.core.event
import llvmlite.binding as llvm
from mujoco_ros_py.engine.foreign.llvmlite_internals import forget_lock_callbacks
for _ in range(2):
    with numba.core.event.install_recorder('numba:llvm_lock') as recorder:
        llvm.parse_assembly('')
    print(bool(recorder.buffer))
    forget_lock_callbacks()
"""
    ended = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert ended.stdout.split() == ['True', 'False'], lost('_cblist') + ended.stderr
