"""Makes the fields of messages accessible in compiled code, as attributes.

A message has its C layout in memory. Compiled code can read and set fields that are numbers.
Arrays and sequences of numbers are NumPy views of the message's memory, and strings are NumPy
views of their bytes. Nested messages are messages, and sequences of messages can be indexed.
`set_length` changes the length of a sequence or string within its capacity.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    overload,
    register_model,
    type_callable,
)

from ...errors import IndexRangeError, RoomError
from ..foreign.numba.numba_internals import AttributeTemplate, cgutils
from ..foreign.numba.numba_objects import Context, DataManager, Signature, Typed, Typing, Values
from ..message_lengths import set_length
from ..messages import ELEMENT, TEXT, layout_name
from .struct_attributes import array_view
from .struct_types import BYTES

_NUMBERS = 'biuf'
"""The NumPy kinds of numbers."""
_LARGEST = 8
"""The size in bytes of the largest number that compiled code supports."""


_fields: dict[str, tuple[str, ...]] = {}
"""Field names of each message type, by type name."""


class MessageType(types.Type):
    """A pointer to a message of one layout."""

    def __init__(self, layout: np.dtype[Any]) -> None:
        self.layout = layout
        super().__init__(name=f'message({layout_name(layout)})')
        _fields[self.name] = layout.names or ()


def fields_of(name: str) -> tuple[str, ...]:
    """Returns the field names of a message type, given its name; empty for other types."""
    return _fields.get(name, ())


class MessagesType(types.Type):
    """A contiguous sequence of messages of one layout."""

    def __init__(self, layout: np.dtype[Any]) -> None:
        self.layout = layout
        super().__init__(name=f'messages({layout_name(layout)})')


@register_model(MessageType)
class _MessageModel(models.OpaqueModel):
    """The data model of a message: an address."""


@register_model(MessagesType)
class _MessagesModel(models.StructModel):
    def __init__(self, manager: DataManager, fe_type: types.Type) -> None:
        members = [('pointer', types.voidptr), ('length', types.intp)]
        super().__init__(manager, fe_type, members)


@intrinsic
def message_at(typing: Typing, address: types.Type, like: types.Type) -> Typed:
    """Returns the message at an address, with the type of another message."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        return builder.inttoptr(args[0], BYTES)

    return like(types.int64, like), emit


def _type_of(field: np.dtype[Any]) -> types.Type | None:
    """Returns the type of a field, or None if compiled code does not support it."""
    if field.metadata and TEXT in field.metadata:
        # A `wstring` consists of UTF-16 units.
        width = 1 if field.metadata[TEXT] == 'utf-8' else 2
        return types.Array(types.uint8 if width == 1 else types.uint16, 1, 'C')
    if field.metadata:
        return _several(field.metadata[ELEMENT])
    if field.subdtype is not None:
        return _several(field.subdtype[0])
    return MessageType(field) if field.fields is not None else _number(field)


def _several(element: np.dtype[Any]) -> types.Type | None:
    """Returns the type of an array or sequence."""
    if element.fields is not None:
        return MessagesType(element)
    number = _number(element)
    return None if number is None else types.Array(number, 1, 'C')


def _number(kind: np.dtype[Any]) -> types.Type | None:
    # numba has no type for the 16-byte `long double`.
    known = kind.kind in _NUMBERS and kind.itemsize <= _LARGEST
    return from_dtype(kind) if known else None


def _place(typ: MessageType, attribute: str) -> tuple[np.dtype[Any], int] | None:
    """Returns the layout and the offset of a field."""
    fields: Any = typ.layout.fields or {}
    place = fields.get(attribute)
    return None if place is None else (place[0], int(place[1]))


@infer_getattr
class _MessageAttributes(AttributeTemplate):
    key = MessageType

    def generic_resolve(self, typ: MessageType, attribute: str) -> types.Type | None:
        place = _place(typ, attribute)
        return None if place is None else _type_of(place[0])


@lower_getattr_generic(MessageType)
def _get(
    context: Context, builder: ir.IRBuilder, typ: MessageType, value: ir.Value, attribute: str
) -> ir.Value:
    place = _place(typ, attribute)
    assert place is not None
    field, offset = place
    result = _type_of(field)
    start = cgutils.pointer_add(builder, value, offset, BYTES)
    if isinstance(result, MessageType):
        return start
    if not isinstance(result, types.Array | MessagesType):
        number = builder.bitcast(start, context.get_data_type(result).as_pointer())
        return context.unpack_value(builder, result, number)
    if field.subdtype is not None:
        elements, length = start, cgutils.intp_t(int(np.prod(field.subdtype[1])))
    else:
        elements, length = _buffer(builder, field, start)
    if isinstance(result, types.Array):
        return array_view(context, builder, result, elements, [length])
    several = cgutils.create_struct_proxy(result)(context, builder)
    several.pointer, several.length = elements, length
    return several._getvalue()


def _buffer(
    builder: ir.IRBuilder, field: np.dtype[Any], start: ir.Value
) -> tuple[ir.Value, ir.Value]:
    """Emits code that reads a sequence: the address and the number of its elements."""
    assert field.fields is not None
    size = cgutils.pointer_add(builder, start, int(field.fields['size'][1]), BYTES)
    elements = builder.load(builder.bitcast(start, BYTES.as_pointer()))
    return elements, builder.load(builder.bitcast(size, cgutils.intp_t.as_pointer()))


@lower_setattr_generic(MessageType)
def _set(
    context: Context, builder: ir.IRBuilder, sig: Signature, args: Values, attribute: str
) -> None:
    typ, given = sig.args
    place = _place(typ, attribute)
    number = None if place is None else _type_of(place[0])
    if place is None or not isinstance(number, types.Number | types.Boolean):
        raise TypeError(f'the field {attribute} is not a number: assign to its elements instead')
    start = cgutils.pointer_add(builder, args[0], place[1], BYTES)
    start = builder.bitcast(start, context.get_data_type(number).as_pointer())
    context.pack_value(builder, number, context.cast(builder, args[1], given, number), start)


@lower_builtin(len, MessagesType)
def _length(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
    return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).length


@type_callable(len)
def _type_length(context: Context) -> Callable[[types.Type], types.Type | None]:
    return lambda typ: types.intp if isinstance(typ, MessagesType) else None


@type_callable(operator.getitem)
def _type_element(context: Context) -> Callable[[types.Type, types.Type], types.Type | None]:
    def typed(several: types.Type, index: types.Type) -> types.Type | None:
        if not (isinstance(several, MessagesType) and isinstance(index, types.Integer)):
            return None
        text = several.layout.metadata
        return _type_of(several.layout) if text else MessageType(several.layout)

    return typed


@lower_builtin(operator.getitem, MessagesType, types.Integer)
def _element(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
    """Emits the element at an index, which is always checked."""
    several, index = sig.args
    messages = cgutils.create_struct_proxy(several)(context, builder, value=args[0])
    given = context.cast(builder, args[1], index, types.intp)
    from_end = builder.icmp_signed('<', given, cgutils.intp_t(0))
    position = builder.select(from_end, builder.add(given, messages.length), given)
    outside = builder.icmp_unsigned('>=', position, messages.length)
    with builder.if_then(outside, likely=False):
        arguments = 'a sequence of messages', given, messages.length
        kinds = None, types.intp, types.intp
        context.call_conv.return_dynamic_user_exc(builder, IndexRangeError, arguments, kinds)
    offset = builder.mul(position, cgutils.intp_t(several.layout.itemsize))
    start = cgutils.pointer_add(builder, messages.pointer, offset, BYTES)
    if not several.layout.metadata:
        return start
    text, length = _buffer(builder, several.layout, start)
    return array_view(context, builder, sig.return_type, text, [length])


@overload(set_length, prefer_literal=True)
def _overload_set_length(message: Any, field: Any, count: Any) -> Any:
    """Implements `set_length` for a field given as a literal."""
    if not (isinstance(message, MessageType) and isinstance(field, types.StringLiteral)):
        return None

    def implementation(message: Any, field: Any, count: Any) -> None:
        _set_length(message, field, count)

    return implementation


@intrinsic(prefer_literal=True)
def _set_length(
    typing: Typing, message: types.Type, field: types.Type, count: types.Type
) -> Typed:
    """Sets the size of a sequence, or of a string, excluding its terminating zero."""
    place = _place(message, field.literal_value)
    if place is None or not place[0].metadata:
        raise TypeError(f'the field {field.literal_value} is neither a sequence nor a string')
    layout: Any = place[0]
    offset, text = place[1], layout.metadata.get(TEXT)

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        start = cgutils.pointer_add(builder, args[0], offset, BYTES)
        size, capacity = (
            builder.bitcast(
                cgutils.pointer_add(builder, start, int(layout.fields[name][1]), BYTES),
                cgutils.intp_t.as_pointer(),
            )
            for name in ('size', 'capacity')
        )
        wanted = context.cast(builder, args[2], count, types.intp)
        room = builder.load(capacity)
        room = builder.sub(room, cgutils.intp_t(1)) if text else room
        outside = builder.icmp_unsigned('>', wanted, room)
        with builder.if_then(outside, likely=False):
            arguments = field.literal_value, wanted, room
            kinds = None, types.intp, types.intp
            context.call_conv.return_dynamic_user_exc(builder, RoomError, arguments, kinds)
        builder.store(wanted, size)
        if text:
            width = ir.IntType(8) if text == 'utf-8' else ir.IntType(16)
            elements = builder.load(builder.bitcast(start, width.as_pointer().as_pointer()))
            # rosidl's strings end with a zero that does not count in their size; the middleware
            # relies on this.
            builder.store(width(0), builder.gep(elements, [wanted]))
        return context.get_dummy_value()

    return types.void(message, field, count), emit
