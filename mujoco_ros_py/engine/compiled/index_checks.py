"""Emits checks of indices for code with `boundscheck`, whose errors name index and size."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from ...errors import IndexRangeError
from ..foreign.numba.numba_internals import cgutils

_I64 = ir.IntType(64)
_check_of_numba = cgutils.do_boundscheck


class KnowsBounds:
    """Marks a context of numba's compiler in which indices are checked by this module."""


def _check(context: Any, builder: Any, index: Any, size: Any, axis: Any = None) -> None:
    """Replaces numba's own check, which is still called in all other contexts."""
    own: bool = isinstance(context, KnowsBounds)  # type() would not narrow the type for mypy
    if not own:
        _check_of_numba(context, builder, index, size, axis)
        return
    zero = index.type(0)
    outside = builder.icmp_unsigned('>=', index, size)
    with cgutils.if_unlikely(builder, outside):
        # an index from the end, to which the size was added already
        given = builder.sub(
            index, builder.select(builder.icmp_signed('<', index, zero), size, zero)
        )
        what = f'axis {axis}' if isinstance(axis, int) else 'an axis'
        numbers = [_wide(builder, number) for number in (given, size)]
        kinds = None, types.int64, types.int64
        context.call_conv.return_dynamic_user_exc(
            builder, IndexRangeError, (what, *numbers), kinds
        )


def _wide(builder: Any, number: Any) -> Any:
    return number if number.type == _I64 else builder.sext(number, _I64)


cgutils.do_boundscheck = _check
