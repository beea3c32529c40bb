"""Compiled: raises RecursionError for unbounded recursion before the stack overflows.

Only recursive calls check the stack. numba's type inference finds them; all other code stays
unchanged.
"""

from __future__ import annotations

from llvmlite import ir

from ..c_types import THREAD_ATTRIBUTES
from ..foreign.numba.numba_internals import RuntimeLinker, cgutils
from ..foreign.numba.numba_objects import Context
from ..symbols import STACK_LIMIT_KEY
from .system import call

_RESERVE = 8
"""Recursion must leave 1 / `_RESERVE` of the stack free for functions without a check."""
_I32, _I64 = ir.IntType(32), ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


def stack_is_full(context: Context, builder: ir.IRBuilder) -> ir.Value:
    """Emits a check whether the calling thread's stack is too full for recursion."""
    signature = ir.FunctionType(_BYTES, [_I32])
    frame = builder.module.declare_intrinsic('llvm.frameaddress', [_BYTES], signature)
    # Compares addresses instead of counting calls, because frames differ in size.
    here = builder.ptrtoint(builder.call(frame, [_I32(0)]), _I64)
    limit = builder.call(_limit_function(context, builder.module), [])
    return builder.icmp_unsigned('<', here, limit)


def define_pointer(module: ir.Module, function: ir.Function) -> None:
    """Emits the pointer through which previously compiled functions call this function.

    numba sets the pointer when it loads code, but cached code is loaded without numba.
    """
    name = f'{RuntimeLinker.PREFIX}{function.name}'
    pointer = cgutils.add_global_variable(module, _BYTES, name)
    # Several linked modules may define the pointer, all with the same value.
    pointer.linkage = 'weak_odr'
    pointer.global_constant = True
    pointer.initializer = function.bitcast(_BYTES)


def _limit_function(context: Context, module: ir.Module) -> ir.Function:
    """Emits `int64 f()`, which returns the calling thread's stack limit, or 0 if unknown."""
    symbol = 'mujoco_ros_py.stack_limit'
    if symbol in module.globals:
        return module.globals[symbol]
    function = ir.Function(module, ir.FunctionType(_I64, []), symbol)
    # Each module has its own function; as external symbols, they would clash at linking.
    function.linkage = 'internal'
    builder = ir.IRBuilder(function.append_basic_block())
    key = builder.load(context.get_c_value(builder, _I32, STACK_LIMIT_KEY))
    known = call(builder, 'pthread_getspecific', _BYTES, key)
    with builder.if_then(cgutils.is_null(builder, known), likely=False):
        limit = _find_limit(builder)
        call(builder, 'pthread_setspecific', _I32, key, builder.inttoptr(limit, _BYTES))
        builder.ret(limit)
    builder.ret(builder.ptrtoint(known, _I64))
    return function


def _find_limit(builder: ir.IRBuilder) -> ir.Value:
    """Emits code that asks the system for the calling thread's stack limit.

    This code runs only once per thread, because on the main thread it reads a file.
    """
    attributes = cgutils.alloca_once(builder, ir.ArrayType(_I64, THREAD_ATTRIBUTES // 8))
    # If the system does not report the stack, the limit is 0, and no call is refused.
    lowest = cgutils.alloca_once_value(builder, _I64(0))
    size = cgutils.alloca_once_value(builder, _I64(0))
    thread = call(builder, 'pthread_self', _I64)
    failed = call(builder, 'pthread_getattr_np', _I32, thread, attributes)
    with builder.if_then(builder.icmp_signed('==', failed, _I32(0))):
        call(builder, 'pthread_attr_getstack', _I32, attributes, lowest, size)
        call(builder, 'pthread_attr_destroy', _I32, attributes)
    reserve = builder.udiv(builder.load(size), _I64(_RESERVE))
    return builder.add(builder.load(lowest), reserve)
