"""Compiled: accesses records and arrays at memory addresses.

numba's own `carray` is compiled again for each type, which took a sixth of the first start.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..foreign.numba.numba_internals import cgutils, make_array, populate_array
from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values


@intrinsic
def record_at(typing: Typing, address: types.Type, kind: types.Type) -> Typed:
    """Returns the record of a NumPy dtype at an address."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

    return kind.dtype(types.int64, kind), emit


@intrinsic
def array_at(typing: Typing, address: types.Type, count: types.Type, kind: types.Type) -> Typed:
    """Returns an array of `count` elements of a NumPy dtype at an address."""
    array_type = types.Array(kind.dtype, 1, 'C')

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        array = make_array(array_type)(context, builder)
        element = context.get_data_type(kind.dtype)
        size = context.get_constant(types.intp, context.get_abi_sizeof(element))
        pointer = builder.inttoptr(args[0], element.as_pointer())
        populate_array(array, pointer, [args[1]], [size], size, None)
        return array._getvalue()

    return array_type(types.int64, types.int64, kind), emit


@intrinsic
def room_for_point(typing: Typing) -> Typed:
    """Returns the address of three numbers on the stack of the calling function."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        # `alloca_once` allocates at the entry of the function, so that a loop does not grow the
        # stack.
        place = cgutils.alloca_once(builder, ir.ArrayType(ir.DoubleType(), 3))
        return builder.ptrtoint(place, ir.IntType(64))

    return types.int64(), emit
