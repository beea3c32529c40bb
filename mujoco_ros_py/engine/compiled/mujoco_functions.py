"""Makes libmujoco's functions callable from compiled code as `mujoco.mj_jac(model, ...)`.

A function is created from its description in `mujoco.introspect` when compiled code first uses it.
It takes the same arguments as in C; sizes that the bindings infer can be omitted here too
(`mju_copy(res, vec)`). Arrays must be C-contiguous and have the right element type; `None` is a
null pointer. The sizes of fixed-size arrays (`mjtNum point[3]`) are always checked. With
`boundscheck` all arrays are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import Any

import mujoco
import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import typeof_impl

from ...mujoco_internals import CFunction, CParameter, functions
from ..extents import inferred_sizes, may_be_null, shape_of
from ..foreign.numba.numba_internals import (
    TypingError,
    cgutils,
    make_array,
    make_intrinsic_template,
)
from ..foreign.numba.numba_objects import Context, Signature, Typing, Values
from ..libmujoco import library
from ..struct_layout import scalar_dtype
from .argument_checks import Checks
from .random_numbers import refuse_random
from .struct_types import BYTES, Data, DataType, StructType

Sizes = dict[str, tuple[str, int]]
"""Sizes that can be omitted, with the array and axis that determine each."""


@typeof_impl.register(type(mujoco.mj_step))
@typeof_impl.register(FunctionType)
def _typeof_function(value: Any, context: Context) -> types.Type | None:
    """Returns the type of a function of the bindings, guarded or not; None for other functions.

    Raises TypingError for functions that draw random numbers.
    """
    refuse_random(value)
    name = getattr(value, '__name__', '')
    return function_type(name) if getattr(mujoco, name, None) is value else None


@cache
def function_type(name: str) -> types.Function | None:
    """Returns the numba type of a libmujoco function; None if compiled code cannot call it."""
    declared = functions().get(name)
    if declared is None or _kind(declared.return_type, result=True) is None:
        return None
    if any(_kind(parameter.type) is None for parameter in declared.parameters):
        return None
    # The symbols must be known before code that refers to them is linked.
    library()
    made = make_intrinsic_template(
        f'libmujoco.{name}', _definition(declared), name, prefer_literal=True
    )
    return types.Function(type(name, (_Positional, made), {}))


class _Positional:
    """Accepts only positional arguments; their number shows whether sizes were omitted."""

    def generic(
        self, args: Sequence[types.Type], kws: Mapping[str, types.Type]
    ) -> Signature | None:
        if kws:
            raise TypingError('libmujoco functions take no keyword arguments in compiled code')
        signature = super().generic(args, kws)  # type: ignore[misc]
        # With the Python signature, numba would fold the arguments `*given` into one tuple.
        return signature and signature.replace(pysig=None)


def _kind(declared: CFunction, *, result: bool = False) -> tuple[str, Any] | None:
    """Returns how a C type is passed: number or array with its dtype, struct, or text."""
    name = getattr(declared, 'name', None)
    if name is not None:
        if result and name == 'void':
            return ('none', None)
        dtype = scalar_dtype(name)
        return None if dtype is None else ('number', dtype)
    inner = getattr(declared.inner_type, 'name', None)
    dtype = None if inner is None else scalar_dtype(inner)
    if inner is not None and dtype is None:
        return ('struct', inner)
    if inner == 'char' and not result:
        return ('text', None) if declared.inner_type.is_const else None
    return None if result or dtype is None else ('array', dtype)


def _definition(declared: CFunction) -> Callable[..., Any]:
    """Returns the definition of the intrinsic, which types the arguments and emits the call."""
    parameters = list(declared.parameters)

    def define(typing: Typing, *given: types.Type) -> Any:
        sizes = _missing_sizes(declared, given)
        if sizes is None:
            return None
        passed = _passed(parameters, sizes)
        for parameter, typ in zip(passed, given, strict=True):
            _require(declared, parameter, typ)
        _require_axes(declared, sizes, {p.name: t for p, t in zip(passed, given, strict=True)})
        result = _result_type(declared.return_type)
        return result(*given), _Call(declared, sizes, result)

    return define


def _result_type(declared: CFunction) -> types.Type:
    kind, detail = _kind(declared, result=True)  # type: ignore[misc]
    if kind == 'none':
        return types.none
    if kind == 'struct':
        return Data if detail == 'mjData' else StructType(detail)
    return from_dtype(detail)


def _missing_sizes(declared: CFunction, given: Sequence[types.Type]) -> Sizes | None:
    """Returns the omitted sizes, or None if the number of arguments does not match."""
    parameters = declared.parameters
    if len(given) == len(parameters):
        return {}
    sizes = inferred_sizes(declared.name, parameters)
    return sizes if len(given) == len(parameters) - len(sizes) else None


def _passed(parameters: Sequence[CParameter], sizes: Sizes) -> list[CParameter]:
    return [parameter for parameter in parameters if parameter.name not in sizes]


def _require(declared: CFunction, parameter: CParameter, typ: types.Type) -> None:
    kind, detail = _kind(parameter.type)  # type: ignore[misc]
    if kind == 'number':
        fits = isinstance(typ, types.Number | types.Boolean | types.IntEnumMember)
    elif kind == 'struct':
        fits = isinstance(typ, types.NoneType) or getattr(typ, 'struct', None) == detail
    elif kind == 'text':
        fits = isinstance(typ, types.StringLiteral)
    else:
        array = isinstance(typ, types.Array) and typ.layout == 'C' and typ.ndim <= 2
        fits = isinstance(typ, types.NoneType) or (array and typ.dtype == from_dtype(detail))
    if isinstance(typ, types.NoneType) and not may_be_null(declared.name, parameter):
        raise TypingError(f'{declared.name}: argument `{parameter}` must not be None')
    if not fits:
        wanted = {'array': f'C-contiguous array of {detail}', 'text': 'literal string'}
        raise TypingError(
            f'{declared.name}: argument `{parameter}` must be a '
            f'{wanted.get(kind, detail)}, got {typ}'
        )


def _require_axes(declared: CFunction, sizes: Sizes, given: dict[str, types.Type]) -> None:
    """Checks that arrays that determine an omitted size have enough dimensions."""
    for name, axis in sizes.values():
        parameter = next(each for each in declared.parameters if each.name == name)
        shape, typ = shape_of(declared.name, parameter) or (), given[name]
        if isinstance(typ, types.NoneType):
            raise TypingError(f'{declared.name}: argument `{parameter}` must not be None')
        one_row = axis == 0 and shape[1:] == ('nv',)
        if typ.ndim < len(shape) and not one_row:
            raise TypingError(
                f'{declared.name}: argument `{parameter}` must have two dimensions if sizes are'
                f' omitted, got {typ}'
            )


class _Call:
    """Emits one call to a C function."""

    def __init__(self, declared: CFunction, sizes: Sizes, result: types.Type) -> None:
        self.declared, self.sizes, self.result = declared, sizes, result

    def __call__(
        self, context: Context, builder: ir.IRBuilder, sig: Signature, args: Values
    ) -> ir.Value:
        passed = _passed(self.declared.parameters, self.sizes)
        given = dict(zip((p.name for p in passed), zip(sig.args, args, strict=True), strict=True))
        values = {}
        for parameter in self.declared.parameters:
            if parameter.name in self.sizes:
                values[parameter.name] = self._infer(context, builder, parameter, given)
            else:
                argument = given[parameter.name]
                values[parameter.name] = self._pass(context, builder, parameter, *argument)
        # Without `boundscheck` a call is as fast as in C.
        if context.enable_boundscheck:
            Checks(context, builder, self.declared, given, values).emit()
        returned = self._returned(context)
        signature = ir.FunctionType(returned, [value.type for value in values.values()])
        name = self.declared.name
        # Called by symbol: code that contains the address could only be used by this process.
        function = cgutils.get_or_insert_function(builder.module, signature, name)
        value = builder.call(function, list(values.values()))
        if self.result == types.none:
            return context.get_dummy_value()
        if self.result == Data:
            pair = cgutils.create_struct_proxy(Data)(context, builder)
            pair.pointer = value
            pair.model = given['m'][1]
            return pair._getvalue()
        return context.data_model_manager[self.result].from_data(builder, value)

    def _returned(self, context: Context) -> ir.Type:
        if self.result == types.none:
            return ir.VoidType()
        return BYTES if isinstance(self.result, StructType) else context.get_data_type(self.result)

    def _infer(
        self,
        context: Context,
        builder: ir.IRBuilder,
        parameter: CParameter,
        given: dict[str, tuple[types.Type, ir.Value]],
    ) -> ir.Value:
        name, axis = self.sizes[parameter.name]
        typ, value = given[name]
        declared = next(each for each in self.declared.parameters if each.name == name)
        shape = shape_of(self.declared.name, declared) or ()
        array = make_array(typ)(context, builder, value)
        if typ.ndim < len(shape):
            return ir.Constant(ir.IntType(32), 1)
        extents = cgutils.unpack_tuple(builder, array.shape)
        size = array.nitems if len(shape) == 1 else extents[axis]
        return builder.trunc(size, ir.IntType(32))

    def _pass(
        self,
        context: Context,
        builder: ir.IRBuilder,
        parameter: CParameter,
        typ: types.Type,
        value: ir.Value,
    ) -> ir.Value:
        kind, detail = _kind(parameter.type)  # type: ignore[misc]
        if kind == 'number':
            wanted = from_dtype(detail)
            number = context.cast(builder, value, typ, wanted)
            return context.data_model_manager[wanted].as_data(builder, number)
        if isinstance(typ, types.NoneType):
            return ir.Constant(BYTES, None)
        if kind == 'text':
            return context.insert_const_string(builder.module, typ.literal_value)
        if isinstance(typ, DataType):
            return cgutils.create_struct_proxy(typ)(context, builder, value=value).pointer
        if isinstance(typ, StructType):
            return value
        return self._array(context, builder, parameter, typ, value)

    def _array(
        self,
        context: Context,
        builder: ir.IRBuilder,
        parameter: CParameter,
        typ: types.Type,
        value: ir.Value,
    ) -> ir.Value:
        array = make_array(typ)(context, builder, value)
        extents = getattr(parameter.type, 'extents', None)
        if extents and not context.enable_boundscheck:  # `Checks` has a better message
            wanted = cgutils.intp_t(int(np.prod(extents)))
            with builder.if_then(builder.icmp_signed('<', array.nitems, wanted), likely=False):
                message = f'{self.declared.name}: the array for `{parameter}` is too small'
                context.call_conv.return_user_exc(builder, ValueError, (message,))
        return builder.bitcast(array.data, BYTES)
