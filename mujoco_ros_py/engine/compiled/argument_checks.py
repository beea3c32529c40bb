"""Emits argument checks for libmujoco's functions, for code compiled with `boundscheck`."""

from __future__ import annotations

import ast
import functools
from typing import Any

from llvmlite import ir
from numba import types

from ...errors import ArgumentRangeError, ArraySizeError
from ...mujoco_internals import CFunction, CParameter
from ..extents import Shape, may_be_longer, shape_of
from ..foreign.numba.numba_internals import cgutils, make_array
from ..foreign.numba.numba_objects import Context
from ..indices import OBJECT_COUNTS, OBJECTS, limit_of
from .struct_attributes import StructReader
from .struct_types import StructType
from .system import call

_I32, _I64 = ir.IntType(32), ir.IntType(64)
_OPERATIONS = {ast.Add: 'add', ast.Sub: 'sub', ast.Mult: 'mul'}


class Checks:
    """Emits the run-time checks for one call.

    `given` maps the name of each passed parameter to its numba type and value. `numbers` maps the
    name to the value that the C function receives.
    """

    def __init__(
        self,
        context: Context,
        builder: ir.IRBuilder,
        declared: CFunction,
        given: dict[str, tuple[types.Type, ir.Value]],
        numbers: dict[str, ir.Value],
    ) -> None:
        self._context, self._builder, self._declared = context, builder, declared
        self._given, self._numbers = given, numbers
        structs = [pair for pair in given.values() if isinstance(pair[0], StructType)]
        self._readers = [StructReader(context, builder, *pair) for pair in structs]

    def emit(self) -> None:
        """Emits all checks. Checks the indices first, because array sizes can depend on them."""
        for parameter in self._declared.parameters:
            self._check_index(parameter)
        dense = isinstance(self._given.get('rownnz', (None,))[0], types.NoneType)
        for parameter in self._declared.parameters:
            typ, value = self._given.get(parameter.name, (None, None))
            shape = shape_of(self._declared.name, parameter, dense=dense)
            if isinstance(typ, types.Array) and shape:
                self._check_array(parameter.name, typ, value, shape)

    def _check_index(self, parameter: CParameter) -> None:
        limit = limit_of(self._declared.name, parameter)
        if limit is None:
            return
        index, least = self._number(parameter.name), _I64(limit.least)
        count = self._objects() if limit.below == OBJECTS else self._value(limit.below)
        below = self._builder.icmp_signed('<', index, least)
        wrong = self._builder.or_(below, self._builder.icmp_signed('>=', index, count))
        rule = parameter.name, limit.below
        self._raise_if(wrong, ArgumentRangeError, rule, (least, count, index))

    def _objects(self) -> ir.Value:
        """Emits code that returns the number of objects of type `objtype`.

        The number is 0 for types without a pose, such as joints.
        """
        count, given = _I64(0), self._number('objtype')
        for kind, field in OBJECT_COUNTS.items():
            fits = self._builder.icmp_signed('==', given, _I64(kind))
            # `objtype` is only known at run time.
            count = self._builder.select(fits, self._value(field), count)
        return count

    def _check_array(self, parameter: str, typ: types.Type, value: ir.Value, shape: Shape) -> None:
        longer = may_be_longer(self._declared.name, parameter, shape, self._given)
        array = make_array(typ)(self._context, self._builder, value)
        came = cgutils.unpack_tuple(self._builder, array.shape)
        wanted = [self._value(expression) for expression in shape]
        if longer or len(came) != len(wanted):
            came, wanted = [array.nitems], [functools.reduce(self._builder.mul, wanted)]
        wrong = [
            self._builder.icmp_signed('<' if longer else '!=', *pair)
            for pair in zip(came, wanted, strict=True)
        ]
        rule = parameter, ', '.join(shape), longer
        # Comparing the first and the last axis is enough: libmujoco's arrays have at most two.
        either = self._builder.or_(wrong[0], wrong[-1])
        self._raise_if(either, ArraySizeError, rule, (*wanted, *came))

    def _raise_if(
        self,
        wrong: ir.Value,
        kind: type,
        constants: tuple[Any, ...],
        numbers: tuple[ir.Value, ...],
    ) -> None:
        arguments = self._declared.name, *constants, *numbers
        kinds = [None] * (1 + len(constants)) + [types.int64] * len(numbers)
        with self._builder.if_then(wrong, likely=False):
            self._context.call_conv.return_dynamic_user_exc(self._builder, kind, arguments, kinds)

    def _reader(self, field: str) -> StructReader | None:
        """Returns the reader of the struct that has this field, or None."""
        return next((each for each in self._readers if each.has(field)), None)

    def _number(self, parameter: str) -> ir.Value:
        return self._builder.sext(self._numbers[parameter], _I64)

    def _value(self, expression: str) -> ir.Value:
        return self._evaluate(ast.parse(expression, mode='eval').body)

    def _evaluate(self, node: Any) -> ir.Value:
        """Emits code that evaluates a size expression from `extents`."""
        if isinstance(node, ast.Constant):
            return _I64(node.value)
        if isinstance(node, ast.BinOp):
            emit = getattr(self._builder, _OPERATIONS[type(node.op)])
            return emit(self._evaluate(node.left), self._evaluate(node.right))
        if isinstance(node, ast.Subscript):
            return self._element(node.value.id, self._evaluate(node.slice))  # type: ignore[attr-defined]
        if isinstance(node, ast.Call):
            (argument,) = node.args
            name = argument.id  # type: ignore[attr-defined]
            return self._last(name) if node.func.id == 'last' else self._state_size(name)  # type: ignore[attr-defined]
        if node.id in self._numbers:
            return self._number(node.id)
        reader = self._reader(node.id)
        assert reader is not None, node.id
        return reader.extent(node.id)

    def _element(self, field: str, index: ir.Value) -> ir.Value:
        """Emits code that loads an element of an array of 32-bit integers in the model."""
        reader = self._reader(field)
        assert reader is not None
        return self._load(reader.elements_of(field), index)

    def _last(self, parameter: str) -> ir.Value:
        """Emits code that loads an array argument's last element; 0 for None or an empty array."""
        typ, value = self._given[parameter]
        if not isinstance(typ, types.Array):
            return _I64(0)
        array = make_array(typ)(self._context, self._builder, value)
        last = self._builder.sub(array.nitems, _I64(1))
        place = cgutils.alloca_once_value(self._builder, _I64(0))
        with self._builder.if_then(self._builder.icmp_signed('>=', last, _I64(0))):
            self._builder.store(self._load(array.data, last), place)
        return self._builder.load(place)

    def _load(self, numbers: ir.Value, index: ir.Value) -> ir.Value:
        numbers = self._builder.bitcast(numbers, _I32.as_pointer())
        return self._builder.sext(self._builder.load(self._builder.gep(numbers, [index])), _I64)

    def _state_size(self, signature: str) -> ir.Value:
        """Emits a call to mj_stateSize, which raises a fatal error for an invalid signature."""
        model, _ = self._given['m']
        assert isinstance(model, StructType)
        arguments = self._given['m'][1], self._numbers[signature]
        return self._builder.sext(call(self._builder, 'mj_stateSize', _I32, *arguments), _I64)
