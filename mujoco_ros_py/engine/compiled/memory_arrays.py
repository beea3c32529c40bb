"""Compiled: gives users' functions access to memory at addresses and to arrays on the stack.

Implements `numbers_at`, `model_at`, `stack_array` and `copy_block`; other modules contain the
versions for Python.
"""

from __future__ import annotations

import mujoco
import numpy as np
from llvmlite import ir
from numba import carray, typeof, types
from numba.extending import intrinsic, overload, typeof_impl

from ..foreign.numba.numba_internals import cgutils, make_array
from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values
from ..hidden_geoms import ModelAt
from ..memory_views import NumbersAt
from ..stack_arrays import Numbers, copy_block, stack_array
from .addresses import array_at
from .own_functions import own_function
from .struct_attributes import model_at

_NUMBER, _NUMBERS = ir.DoubleType(), types.CPointer(types.float64)
_ONE_AXIS = types.Array(types.float64, 1, 'C')


@own_function(forceinline=True)
def _numbers_at(address: int, count: int) -> Numbers:
    numbers: Numbers = array_at(address, count, np.float64)
    return numbers


@own_function(forceinline=True)
def _model_at(address: int) -> mujoco.MjModel:
    return model_at(address)


@typeof_impl.register(ModelAt)
def _typeof_model_at(value: ModelAt, context: Context) -> types.Type:
    return typeof(_model_at)


@typeof_impl.register(NumbersAt)
def _typeof_numbers_at(value: NumbersAt, context: Context) -> types.Type:
    return typeof(_numbers_at)


@intrinsic(prefer_literal=True)
def _memory(typing: Typing, size: types.Type) -> Typed:
    """Returns the address of numbers on the calling function's stack."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        block = cgutils.alloca_once(builder, ir.ArrayType(_NUMBER, size.literal_value))
        return builder.bitcast(block, _NUMBER.as_pointer())

    return _NUMBERS(size), emit


@intrinsic(prefer_literal=True)
def _copy(typing: Typing, source: types.Type, target: types.Type, size: types.Type) -> Typed:
    """Copies numbers from the start of one array to the start of another."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        array = make_array(_ONE_AXIS)
        start, end = (array(context, builder, value).data for value in args[:2])
        count = context.get_constant(types.intp, size.literal_value)
        cgutils.raw_memcpy(builder, end, start, count, context.get_abi_sizeof(_NUMBER))
        return context.get_dummy_value()

    return types.void(_ONE_AXIS, _ONE_AXIS, size), emit


@overload(stack_array, prefer_literal=True)
def _stack_array(size):  # type: ignore[no-untyped-def]  # numba compares the two signatures
    # LLVM can keep the array in registers only if the size is constant. For other sizes this
    # returns None, and numba reports that no implementation fits.
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value
    return lambda size: carray(_memory(count), (count,))


@overload(copy_block, prefer_literal=True)
def _copy_block(source, target, size):  # type: ignore[no-untyped-def]  # as above
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value
    return lambda source, target, size: _copy(source, target, count)
