"""Emits index checks for code with `boundscheck`; the errors name index and size."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from ...errors import IndexRangeError
from ..foreign.numba.numba_internals import arrayobj, cgutils
from ..foreign.numba.numba_objects import Context

_I64 = ir.IntType(64)
_check_of_numba = cgutils.do_boundscheck
_flat_of_numba = arrayobj.make_array_flat_cls


class KnowsBounds:
    """Marks numba compiler contexts whose indices are checked by this module."""


def _check(
    context: Context, builder: ir.IRBuilder, index: ir.Value, size: ir.Value, axis: Any = None
) -> None:
    """Replaces numba's own check, but calls it for contexts that are not ours."""
    own: bool = isinstance(context, KnowsBounds)  # type() would not narrow the type for mypy
    if not own:
        _check_of_numba(context, builder, index, size, axis)
        return
    zero = index.type(0)
    # For a negative index, numba has already added the size.
    added = builder.select(builder.icmp_signed('<', index, zero), size, zero)
    what = f'axis {axis}' if isinstance(axis, int) else 'an axis'
    _raise_outside(context, builder, what, index, size, builder.sub(index, added))


def _raise_outside(
    context: Context,
    builder: ir.IRBuilder,
    what: str,
    index: ir.Value,
    size: ir.Value,
    given: ir.Value,
) -> None:
    """Emits the error for an index that is negative or not below `size`."""
    # An unsigned comparison also finds negative indices.
    with cgutils.if_unlikely(builder, builder.icmp_unsigned('>=', index, size)):
        numbers = [_wide(builder, number) for number in (given, size)]
        kinds = None, types.int64, types.int64
        context.call_conv.return_dynamic_user_exc(
            builder, IndexRangeError, (what, *numbers), kinds
        )


def _checked_flat(kind: Any) -> Any:
    """Returns numba's class for `array.flat[i]` with a check; numba neither checks nor wraps i."""

    class Flat(_flat_of_numba(kind)):  # type: ignore[misc]
        def getitem(
            self,
            context: Context,
            builder: ir.IRBuilder,
            typ: types.Type,
            array: ir.Value,
            index: ir.Value,
        ) -> ir.Value:
            _check_flat(context, builder, array, index)
            return super().getitem(context, builder, typ, array, index)

        def setitem(
            self,
            context: Context,
            builder: ir.IRBuilder,
            typ: types.Type,
            array: ir.Value,
            index: ir.Value,
            value: ir.Value,
        ) -> None:
            _check_flat(context, builder, array, index)
            super().setitem(context, builder, typ, array, index, value)

    return Flat


def _check_flat(context: Context, builder: ir.IRBuilder, array: ir.Value, index: ir.Value) -> None:
    if isinstance(context, KnowsBounds) and context.enable_boundscheck:  # type: ignore[attr-defined]
        _raise_outside(context, builder, 'flat', _wide(builder, index), array.nitems, index)


def _wide(builder: ir.IRBuilder, number: ir.Value) -> ir.Value:
    return number if number.type == _I64 else builder.sext(number, _I64)


# numba looks up these functions in its modules while emitting code, so they can only be replaced
# for the whole process. Each replacement checks whether the context belongs to this package.
cgutils.do_boundscheck = _check
arrayobj.make_array_flat_cls = _checked_flat
