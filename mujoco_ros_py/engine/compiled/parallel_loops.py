"""Propagates exceptions of parallel loops, whose iterations run on a thread pool.

numba sets the exception in the thread that raises it, as if that thread were about to return to
Python. A pool thread drops the exception, and the thread that runs the loop raises it much later,
outside of any callback. This module stores the first exception of a loop with the caller, which
then raises it like an exception of any called function.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir

from ..foreign.numba.numba_internals import _GufuncWrapper, cgutils, excinfo_ptr_t
from ..foreign.numba.numba_objects import Context, Values
from .index_checks import KnowsBounds

_BYTES = ir.IntType(8).as_pointer()
_I32 = ir.IntType(32)
_STORED = ir.LiteralStructType([_I32, excinfo_ptr_t])
_CODE, _EXCEPTION = 0, 1
"""The indices of `_STORED`: the function's return code (0 for no exception), and the exception."""
_body_of_numba = _GufuncWrapper.gen_loop_body


def raise_stored(context: Context, builder: ir.IRBuilder) -> None:
    """Emits code that raises the exception of the last emitted parallel loop, if it stored one."""
    nothing = _STORED(None)
    stored = cgutils.alloca_once(builder, _STORED)
    with builder.goto_entry_block():
        builder.store(nothing, stored)
        address = builder.bitcast(stored, _BYTES)
    for call in _calls_of_kernels(builder.function):
        call.replace_usage(call.args[-1], address)
    code = builder.load(cgutils.gep_inbounds(builder, stored, 0, _CODE))
    exception = builder.load(cgutils.gep_inbounds(builder, stored, 0, _EXCEPTION))
    status = context.call_conv._get_return_status(builder, code, exception)
    with cgutils.if_unlikely(builder, status.is_error):
        builder.store(nothing, stored)  # the loop may run again after its exception was caught
        context.call_conv.return_status_propagate(builder, status)


def _calls_of_kernels(function: Any) -> Iterator[Any]:
    """Yields the calls that run a loop on the pool and have no memory for an exception yet.

    The last argument of these calls is still numba's null pointer. Every iteration receives it.
    """
    for block in function.blocks:
        for each in block.instructions:
            is_call = isinstance(each, ir.CallInstr) and each.callee.name.startswith('.kernel.')
            if is_call and isinstance(each.args[-1], ir.Constant):
                yield each


def _body(
    wrapper: Any, builder: ir.IRBuilder, pyapi: Any, function: Any, args: Values
) -> ir.Value:
    """Emits a call that runs one share of a parallel loop, and stores its exception."""
    if not (wrapper.is_parfors and isinstance(wrapper.context, KnowsBounds)):
        return _body_of_numba(wrapper, builder, pyapi, function, args)
    kind, arguments = wrapper.signature.return_type, wrapper.signature.args
    status, _ = wrapper.call_conv.call_function(builder, function, kind, arguments, args)
    with cgutils.if_unlikely(builder, status.is_error):
        stored = builder.bitcast(builder.function.args[-1], _STORED.as_pointer())
        code = cgutils.gep_inbounds(builder, stored, 0, _CODE)
        swap = builder.cmpxchg(code, _I32(0), status.code, 'monotonic', 'monotonic')
        # this thread is the first that raised
        with builder.if_then(builder.extract_value(swap, 1)):
            builder.store(status.excinfoptr, cgutils.gep_inbounds(builder, stored, 0, _EXCEPTION))
    return status.code, status.is_error


_GufuncWrapper.gen_loop_body = _body
