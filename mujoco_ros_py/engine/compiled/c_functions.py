"""Creates C functions from compiled code; they are faster than those of `numba.cfunc`."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from ..foreign.numba.numba_internals import cpu_target, global_compiler_lock
from ..foreign.numba.numba_objects import CodeLibrary, CompileResult, Context

_I64 = ir.IntType(64)


def c_function(
    compiled: CompileResult,
    result: ir.Type,
    count: int,
    emit: Callable[[Context, ir.IRBuilder, list[ir.Value]], ir.Value],
) -> tuple[CodeLibrary, str]:
    """Creates a C function that takes `count` int64; returns its library and its symbol.

    `emit(context, builder, arguments)` emits the body and returns the result. The body can call
    the `compiled` function, and LLVM can inline that call. It does not inline the call in a
    `numba.cfunc`, which doubles the cost of a small callback.
    """
    context = cpu_target.target_context
    name = f'{compiled.fndesc.llvm_func_name}.c'
    library = compiled.library.codegen.create_library(name)
    # Without this, numba refuses to return the library's object code.
    library.enable_object_caching()
    module = library.create_ir_module(name)
    function = ir.Function(module, ir.FunctionType(result, [_I64] * count), name)
    builder = ir.IRBuilder(function.append_basic_block())
    value = emit(context, builder, list(function.args))
    if isinstance(result, ir.VoidType):
        builder.ret_void()
    else:
        builder.ret(value)
    library.add_ir_module(module)
    library.add_linking_library(compiled.library)
    # Another thread may be compiling, and LLVM's modules share a context.
    with global_compiler_lock:
        library.finalize()
    return library, name
