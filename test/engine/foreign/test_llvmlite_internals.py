"""Internals of llvmlite that the engine needs: each test reports what a new version has lost."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from platform import machine

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


def test_a_module_tells_what_it_refers_to_but_has_not(module):
    declared = internals.declared_names(module)
    assert declared == ['mujoco_ros_py_test_number'], lost('is_declaration of functions')


def test_a_module_tells_what_its_functions_call_through_each_other(module):
    called = sorted(internals.called_outside(module, 'outer'))
    assert called == ['', 'mujoco_ros_py_test_number'], lost('operands of calls, and ValueKind')


def test_platform_and_processor_are_told_with_its_features():
    platform, processor, features = internals.target()
    assert platform.startswith(f'{machine()}-'), lost('get_process_triple')
    assert processor, lost('get_host_cpu_name')
    assert re.fullmatch(r'[+-][^,]+(,[+-][^,]+)*', features), lost('get_host_cpu_features')


def test_only_these_two_files_of_the_engine_use_the_binding_of_llvm():
    binding = re.compile(r'\bllvmlite(\.binding\b| import binding)')
    found = {path.name for path in ENGINE.rglob('*.py') if binding.search(path.read_text())}
    assert found == {'llvm_loader.py', 'llvmlite_internals.py'}


def test_calls_of_llvm_are_no_longer_timed():
    """Runs in a new process, because numba registers its timers at the start."""
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
