"""Makes MjModel and MjData usable in compiled code, with the attribute names of the bindings.

Attributes of structs are NumPy views of MuJoCo's memory, scalars (which can be set), nested
structs, or arrays of structs. `MjModel` and `MjData` objects of the bindings can be passed to any
compiled function.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from keyword import iskeyword

from llvmlite import ir
from numba import from_dtype, types
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    type_callable,
)

from ...errors import IndexRangeError
from ..foreign.numba.numba_internals import AttributeTemplate, cgutils, make_array, populate_array
from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values
from ..struct_layout import Extent, Field, Layout, struct_layout
from .struct_types import BYTES, Data, DataType, Model, StructArrayType, StructType


@intrinsic
def address_of(typing: Typing, struct: types.Type) -> Typed:
    """Returns the address of a struct as an integer."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        pointer = StructReader(context, builder, struct, args[0]).bases[0][1]
        return builder.ptrtoint(pointer, ir.IntType(64))

    return types.int64(struct), emit


@intrinsic
def model_at(typing: Typing, address: types.Type) -> Typed:
    """Returns the mjModel at an address."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        return builder.inttoptr(args[0], BYTES)

    return Model(types.int64), emit


@intrinsic
def data_at(typing: Typing, address: types.Type, model: types.Type) -> Typed:
    """Returns the mjData of a model at an address."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        pair = cgutils.create_struct_proxy(Data)(context, builder)
        pair.pointer = builder.inttoptr(args[0], BYTES)
        pair.model = args[1]
        return pair._getvalue()

    return Data(types.int64, Model), emit


def _field(layout: Layout, attribute: str) -> Field | None:
    """Returns the field of an attribute; a keyword such as global is written `global_`."""
    plain = attribute.removesuffix('_')
    return layout.fields.get(plain if iskeyword(plain) else attribute)


def _field_type(field: Field) -> types.Type:
    if field.struct is not None:
        return StructArrayType(field.struct) if field.extents else StructType(field.struct)
    element = from_dtype(field.dtype)
    return types.Array(element, len(field.extents), 'C') if field.extents else element


@infer_getattr
class _StructAttributes(AttributeTemplate):
    key = StructType

    def generic_resolve(self, typ: StructType, attribute: str) -> types.Type | None:
        field = _field(typ.layout, attribute)
        return None if field is None else _field_type(field)


@infer_getattr
class _StructArrayAttributes(AttributeTemplate):
    """Attributes of struct arrays: `data.contact.dist` is a strided view of a field."""

    key = StructArrayType

    def generic_resolve(self, typ: StructArrayType, attribute: str) -> types.Type | None:
        field = _field(struct_layout(typ.struct), attribute)
        if field is None or field.dtype is None:
            return None
        # Not contiguous: the next element is a whole struct away.
        return types.Array(from_dtype(field.dtype), 1 + len(field.extents), 'A')


class StructReader:
    """Emits code that reads the fields of one struct."""

    def __init__(
        self, context: Context, builder: ir.IRBuilder, typ: StructType, value: ir.Value
    ) -> None:
        self.context, self.builder, self.layout = context, builder, typ.layout
        self.bases = [(typ.layout, value)]
        if isinstance(typ, DataType):
            pair = cgutils.create_struct_proxy(typ)(context, builder, value=value)
            # The extents of mjData's arrays are fields of mjData, such as `nefc`, or else of
            # mjModel.
            self.bases = [(typ.layout, pair.pointer), (Model.layout, pair.model)]

    def address(self, field: Field) -> ir.Value:
        """Returns the address of the field in the struct."""
        return cgutils.pointer_add(self.builder, self.bases[0][1], field.offset, BYTES)

    def elements(self, field: Field) -> ir.Value:
        """Returns the address of the field's first element."""
        place = self.address(field)
        if not field.indirect:
            return place
        return self.builder.load(self.builder.bitcast(place, BYTES.as_pointer()))

    def shape(self, field: Field, elements: ir.Value) -> list[ir.Value]:
        """Returns the extents of an array; length 0 if MuJoCo has not allocated the array."""
        first, *rest = (self.extent(extent) for extent in field.extents)
        if field.indirect:
            null = cgutils.is_null(self.builder, elements)
            # Arrays in the arena, such as contacts, are NULL until MuJoCo uses them.
            first = self.builder.select(null, cgutils.intp_t(0), first)
        return [first, *rest]

    def extent(self, extent: Extent) -> ir.Value:
        """Returns the value of an extent: a number, a field, or a product such as 'nmocap*3'."""
        if isinstance(extent, int):
            return cgutils.intp_t(extent)
        factors = [self._factor(part) for part in extent.split('*')]
        result = factors[0]
        for factor in factors[1:]:
            result = self.builder.mul(result, factor)
        return result

    def has(self, name: str) -> bool:
        """Returns whether one of the structs has a field of this name."""
        return any(name in layout.fields for layout, _ in self.bases)

    def elements_of(self, name: str) -> ir.Value:
        """Returns the address of an array's first element, from the struct that has the array."""
        layout, base = next((lay, base) for lay, base in self.bases if name in lay.fields)
        place = cgutils.pointer_add(self.builder, base, layout.fields[name].offset, BYTES)
        return self.builder.load(self.builder.bitcast(place, BYTES.as_pointer()))

    def _factor(self, name: str) -> ir.Value:
        if name.isdigit():
            return cgutils.intp_t(int(name))
        layout, base = next((lay, base) for lay, base in self.bases if name in lay.fields)
        field = layout.fields[name]
        scalar = from_dtype(field.dtype)
        place = cgutils.pointer_add(self.builder, base, field.offset, BYTES)
        place = self.builder.bitcast(place, self.context.get_data_type(scalar).as_pointer())
        value = self.context.unpack_value(self.builder, scalar, place)
        return self.context.cast(self.builder, value, scalar, types.intp)


def array_view(
    context: Context,
    builder: ir.IRBuilder,
    typ: types.Array,
    data: ir.Value,
    shape: list[ir.Value],
    stride: ir.Value | None = None,
) -> ir.Value:
    """Emits an array view of memory; `stride` is the first axis's stride in bytes."""
    itemsize = context.get_abi_sizeof(context.get_data_type(typ.dtype))
    strides = [cgutils.intp_t(itemsize)]
    for extent in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    if stride is not None:
        strides[0] = stride
    array = make_array(typ)(context, builder)
    pointer = builder.bitcast(data, context.get_data_type(typ.dtype).as_pointer())
    item = cgutils.intp_t(itemsize)
    populate_array(array, pointer, cgutils.pack_array(builder, shape),
                   cgutils.pack_array(builder, strides), item, None)  # fmt: skip
    return array._getvalue()


@lower_getattr_generic(StructType)
def _get(
    context: Context, builder: ir.IRBuilder, typ: StructType, value: ir.Value, attribute: str
) -> ir.Value:
    field = _field(typ.layout, attribute)
    assert field is not None
    reader, result = StructReader(context, builder, typ, value), _field_type(field)
    elements = reader.elements(field)
    if isinstance(result, types.Array):
        return array_view(context, builder, result, elements, reader.shape(field, elements))
    if isinstance(result, StructArrayType):
        return _struct_array(context, builder, result, elements, reader.shape(field, elements)[0])
    if isinstance(result, StructType):
        return elements
    place = builder.bitcast(elements, context.get_data_type(result).as_pointer())
    return context.unpack_value(builder, result, place)


@lower_setattr_generic(StructType)
def _set(
    context: Context, builder: ir.IRBuilder, sig: Signature, args: Values, attribute: str
) -> None:
    typ, given = sig.args
    field = _field(typ.layout, attribute)
    scalar = None if field is None else _field_type(field)
    if field is None or not isinstance(scalar, types.Number | types.Boolean):
        place = f'{typ.struct}.{attribute}'
        # Replacing the pointer would disconnect it from MuJoCo's memory.
        raise TypeError(f'{place} is not a number: assign to its elements instead')
    place = StructReader(context, builder, typ, args[0]).address(field)
    place = builder.bitcast(place, context.get_data_type(scalar).as_pointer())
    context.pack_value(builder, scalar, context.cast(builder, args[1], given, scalar), place)


def _struct_array(
    context: Context, builder: ir.IRBuilder, typ: types.Type, elements: ir.Value, length: ir.Value
) -> ir.Value:
    array = cgutils.create_struct_proxy(typ)(context, builder)
    array.pointer, array.length = elements, length
    return array._getvalue()


@lower_getattr_generic(StructArrayType)
def _get_column(
    context: Context, builder: ir.IRBuilder, typ: types.Type, value: ir.Value, attribute: str
) -> ir.Value:
    field = _field(struct_layout(typ.struct), attribute)
    assert field is not None
    structs = cgutils.create_struct_proxy(typ)(context, builder, value=value)
    start = cgutils.pointer_add(builder, structs.pointer, field.offset, BYTES)
    shape = [structs.length, *(cgutils.intp_t(extent) for extent in field.extents)]
    result = types.Array(from_dtype(field.dtype), len(shape), 'A')
    stride = cgutils.intp_t(struct_layout(typ.struct).size)
    return array_view(context, builder, result, start, shape, stride)


@lower_builtin(len, StructArrayType)
def _length(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
    return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).length


@type_callable(len)
def _type_length(context: Context) -> Callable[[types.Type], types.Type | None]:
    return lambda typ: types.intp if isinstance(typ, StructArrayType) else None


@type_callable(operator.getitem)
def _type_element(context: Context) -> Callable[[types.Type, types.Type], types.Type | None]:
    def typed(structs: types.Type, index: types.Type) -> types.Type | None:
        known = isinstance(structs, StructArrayType) and isinstance(index, types.Integer)
        return StructType(structs.struct) if known else None

    return typed


@lower_builtin(operator.getitem, StructArrayType, types.Integer)
def _element(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
    """Returns the struct at an index. The index is always checked: structs are few and large."""
    structs, index = sig.args
    array = cgutils.create_struct_proxy(structs)(context, builder, value=args[0])
    given = context.cast(builder, args[1], index, types.intp)
    from_end = builder.icmp_signed('<', given, cgutils.intp_t(0))
    position = builder.select(from_end, builder.add(given, array.length), given)
    outside = builder.icmp_unsigned('>=', position, array.length)
    with builder.if_then(outside, likely=False):
        arguments = f'an array of {structs.struct}', given, array.length
        kinds = None, types.intp, types.intp
        context.call_conv.return_dynamic_user_exc(builder, IndexRangeError, arguments, kinds)
    place = builder.mul(position, cgutils.intp_t(struct_layout(structs.struct).size))
    return cgutils.pointer_add(builder, array.pointer, place, BYTES)
