"""Code that numba has generated: each test says what a new version of numba has lost."""

from __future__ import annotations

import copy

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core.registry import cpu_target

from mujoco_ros_py.engine.foreign.numba import numba_code
from mujoco_ros_py.engine.foreign.numba.numba_internals import JITCPUCodegen

from .compiled_libraries import library_of
from .losses import lost, told

LARGE = np.zeros(10_000_000)


def test_a_finished_library_gives_its_object_code_and_its_module():
    library, name = library_of(lambda x: x + 1, types.int64)
    code = told(numba_code.object_code, library)
    assert code, lost('the object code of a library (_get_compiled_object)')
    assert code.startswith(b'\x7fELF')
    module = told(numba_code.final_module, library)
    assert module.get_function(name).name == name, lost('the module of a library (_final_module)')


def test_code_with_the_address_of_a_large_array_is_known_to_need_this_process():
    library, _ = library_of(lambda index: LARGE[index], types.int64)
    assert told(numba_code.object_code, library) is None, lost('has_dynamic_globals of a library')


def test_code_that_prints_is_known_to_need_this_process():
    library, _ = library_of(lambda x: print(x), types.int64)
    assert told(numba_code.object_code, library) is None, lost("the text 'missing Environment'")


def test_a_library_has_what_its_object_code_is_emitted_from():
    library, name = library_of(lambda x: x + 1, types.int64)
    code = told(numba_code.emitted, library)
    assert code.startswith(b'\x7fELF'), lost('emit_object of the target machine _codegen._tm')
    assert name.encode() in code


def test_a_context_generates_code_with_the_generator_that_it_is_given():
    context = copy.copy(cpu_target.target_context)
    generator = JITCPUCodegen('test')
    told(numba_code.use_code_generator, context, generator)
    assert context.codegen() is generator, lost('_internal_codegen of a context')
    assert cpu_target.target_context.codegen() is not generator


def test_a_library_tells_whose_functions_it_calls():
    called = numba.njit(types.int64(types.int64))(lambda x: x + 1)
    library, _ = library_of(lambda x: called(x), types.int64)
    (inner,) = called.overloads.values()
    libraries = told(numba_code.linked_libraries, library)
    assert inner.library in libraries, lost('_linking_libraries of a library')


def test_the_functions_of_a_module_are_optimized():
    library, _ = library_of(lambda x: x + 1, types.int64)
    text = 'define i64 @two() {\n%a = add i64 1, 1\nret i64 %a\n}\ndeclare i64 @other()'
    module = llvm.parse_assembly(text)
    told(numba_code.optimize_defined, library, module)
    assert 'ret i64 2' in str(module), lost('_function_pass_manager of _codegen')
    assert 'datalayout' in str(module), lost('_data_layout of _codegen')
