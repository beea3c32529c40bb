"""Replaces numba's code for whole-array operations: shape checks and ufuncs.

Shapes are checked where an array is written into another one: `a[:] = b`, `a -= b`.

numba's own check of `a[:] = b` builds a string at run time, which takes seconds to compile and
produces code that other processes cannot load. For `a -= b` and functions with an output array,
numba checks nothing: it ignores excess elements of `b`, and reads beyond its end.

numba compiles functions decorated with `numba.vectorize` and `numba.guvectorize` separately,
without `boundscheck`, and drops their exceptions. This module compiles the functions again for
their caller, and the caller propagates the exceptions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ...errors import BroadcastError
from ..foreign.numba.numba_internals import DUFunc, UfuncBase, arrayobj, cgutils, npyimpl
from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values
from .compiling_thread import compiles_for_plugin
from .index_checks import KnowsBounds
from .pipeline import compile_for_caller

_raise_of_numba = arrayobj.raise_with_shape_context
_compute = npyimpl.numpy_ufunc_kernel
_generate_of_numba = npyimpl._Kernel.generate


@intrinsic
def _raise(typing: Typing, given: types.Type, target: types.Type) -> Typed:
    """Raises the error for mismatched shapes, instead of numba's own function."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        if isinstance(context, KnowsBounds):
            _emit_error(context, builder, *(cgutils.unpack_tuple(builder, each) for each in args))
        elif compiles_for_plugin():  # inside a function of numba; its caller adds the line
            message = 'could not broadcast input array into another shape'
            context.call_conv.return_user_exc(builder, ValueError, (message,))
        else:
            kind = typing.resolve_value_type(_raise_of_numba)
            own = kind.get_call_type(typing, sig.args, {})
            context.get_function(kind, own)(builder, args)
        return context.get_dummy_value()

    return types.none(given, target), emit


def _emit_error(
    context: Context, builder: ir.IRBuilder, given: list[ir.Value], target: list[ir.Value]
) -> None:
    numbers = [*given, *target]
    kinds = None, *[types.intp] * len(numbers)
    arguments = len(given), *numbers
    context.call_conv.return_dynamic_user_exc(builder, BroadcastError, arguments, kinds)


def _checked_compute(
    context: Context, builder: ir.IRBuilder, sig: Signature, args: Values, ufunc: Any, kernel: Any
) -> ir.Value:
    """Emits `ufunc`, and a shape check if output arrays are given."""
    outputs = [*zip(args, sig.args, strict=True)][ufunc.nin :]
    if isinstance(context, KnowsBounds) and outputs:
        shapes = [_shape(context, builder, *each) for each in zip(args, sig.args, strict=True)]
        # Outputs that numba allocates itself have the right shape; only given outputs can be
        # wrong.
        for target in shapes[ufunc.nin :]:
            for given in shapes[: ufunc.nin]:
                _check(context, builder, given, target)
    return _compute(context, builder, sig, args, ufunc, kernel)


def _shape(
    context: Context, builder: ir.IRBuilder, value: ir.Value, typ: types.Type
) -> list[ir.Value]:
    """Returns the extents of an array; empty for a number."""
    if isinstance(typ, types.Optional):
        value, typ = context.cast(builder, value, typ, typ.type), typ.type
    if not isinstance(typ, types.ArrayCompatible):
        return []
    array = context.make_array(typ)(context, builder, value)
    return cgutils.unpack_tuple(builder, array.shape, typ.ndim)  # type: ignore[no-any-return]


def _check(
    context: Context, builder: ir.IRBuilder, given: list[ir.Value], target: list[ir.Value]
) -> None:
    """Emits the error for too many axes, or for extents that match neither the target nor 1."""
    wrong = ir.IntType(1)(len(given) > len(target))
    for came, wanted in zip(reversed(given), reversed(target), strict=False):
        other = builder.icmp_signed('!=', came, wanted)
        # An axis of length 1 is repeated, as in NumPy.
        several = builder.icmp_signed('!=', came, came.type(1))
        wrong = builder.or_(wrong, builder.and_(other, several))
    with cgutils.if_unlikely(builder, wrong):
        _emit_error(context, builder, given, target)


def _compiled_for_caller(find: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    """Wraps the method of a ufunc that finds the signature and the code for element types.

    For a plugin, the code is compiled again with the options of the caller.
    """

    def found(ufunc: Any, types: Any) -> tuple[Any, Any]:
        signature, compiled = find(ufunc, types)
        if compiled is not None and compiles_for_plugin():
            compiled = compile_for_caller(ufunc._dispatcher, signature)
        return signature, compiled

    return found


def _generate(kernel: Any, *args: Any) -> Any:
    """Emits the call for one element, or for one row of elements."""
    context, builder = kernel.context, kernel.builder
    own: bool = isinstance(context, KnowsBounds)  # type() would not narrow the type for mypy
    if not own:
        return _generate_of_numba(kernel, *args)
    inner, outer = kernel.inner_sig, kernel.outer_sig
    values = [kernel.cast(*each) for each in zip(args, outer.args, inner.args, strict=True)]
    result = context.call_internal(builder, kernel.cres.fndesc, inner, values)
    context.add_linking_libs((kernel.cres.library,))
    return kernel.cast(result, inner.return_type, outer.return_type)


# Replaced for the whole process: numba looks these functions up in its modules at each use.
arrayobj.raise_with_shape_context = _raise
npyimpl.numpy_ufunc_kernel = _checked_compute
for _kind in (UfuncBase, DUFunc):
    _kind.find_ewise_function = _compiled_for_caller(_kind.find_ewise_function)
npyimpl._Kernel.generate = _generate
