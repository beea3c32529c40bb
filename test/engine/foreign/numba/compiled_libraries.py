"""Code libraries compiled by numba, for tests."""

from __future__ import annotations

import numba


def library_of(function, *kinds):
    options = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
    dispatcher = numba.njit(**options)(function)
    dispatcher.compile(kinds)
    (compiled,) = dispatcher.overloads.values()
    compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return compiled.library, compiled.fndesc.llvm_func_name
