"""The numba types of libmujoco's structs and enumerations.

Compiled functions accept objects of the bindings directly and convert them to structs.

Every struct is a plain pointer. MjData also carries its model, which determines the extents of its
arrays (`data.qpos` has `model.nq` elements).
"""

from __future__ import annotations

import mujoco
from llvmlite import ir
from numba import types
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from ...mujoco_internals import ADDRESS
from ..engine_tag import engine_tag
from ..foreign.numba.numba_internals import AttributeTemplate, cgutils, lower_constant
from ..foreign.numba.numba_objects import Context, DataManager, Unboxing
from ..struct_layout import Layout, struct_layout

BYTES = ir.IntType(8).as_pointer()


class StructType(types.Type):
    """A pointer to a struct of libmujoco, such as 'mjModel' or 'mjContact'."""

    def __init__(self, struct: str) -> None:
        self.struct = struct
        # numba identifies types by name, also in its own cache on disk. The tag prevents numba
        # from finding code with other offsets.
        super().__init__(name=f'{struct}({engine_tag()})')

    @property
    def layout(self) -> Layout:
        """The fields of the struct, determined at the first access."""
        return struct_layout(self.struct)


class DataType(StructType):
    """A pointer to an mjData, together with its model."""


class StructArrayType(types.Type):
    """An array of structs, such as `data.contact` or `data.warning`."""

    def __init__(self, struct: str) -> None:
        self.struct = struct
        super().__init__(name=f'{struct}[]({engine_tag()})')


Model = StructType('mjModel')
Data = DataType('mjData')
Option = StructType('mjvOption')
Scene = StructType('mjvScene')


@register_model(StructType)
class _StructModel(models.OpaqueModel):
    """The data model of a struct: an address."""


@register_model(DataType)
class _DataModel(models.StructModel):
    def __init__(self, manager: DataManager, fe_type: types.Type) -> None:
        members = [('pointer', types.voidptr), ('model', types.voidptr)]
        super().__init__(manager, fe_type, members)


@register_model(StructArrayType)
class _StructArrayModel(models.StructModel):
    def __init__(self, manager: DataManager, fe_type: types.Type) -> None:
        members = [('pointer', types.voidptr), ('length', types.intp)]
        super().__init__(manager, fe_type, members)


@typeof_impl.register(mujoco.MjModel)
def _typeof_model(value: mujoco.MjModel, context: Context) -> StructType:
    return Model


@typeof_impl.register(mujoco.MjData)
def _typeof_data(value: mujoco.MjData, context: Context) -> DataType:
    return Data


def _address(c: Unboxing, obj: ir.Value, attribute: str) -> ir.Value:
    # The address is a Python integer in an attribute of the bindings' object.
    boxed = c.pyapi.object_getattr_string(obj, attribute)
    address = c.pyapi.long_as_voidptr(boxed)
    c.pyapi.decref(boxed)
    return address


@unbox(StructType)
def _unbox_struct(typ: StructType, obj: ir.Value, c: Unboxing) -> NativeValue:
    return NativeValue(_address(c, obj, ADDRESS), is_error=c.pyapi.c_api_error())


@unbox(DataType)
def _unbox_data(typ: DataType, obj: ir.Value, c: Unboxing) -> NativeValue:
    model = c.pyapi.object_getattr_string(obj, 'model')
    pair = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    pair.pointer = _address(c, obj, ADDRESS)
    pair.model = _address(c, model, ADDRESS)
    c.pyapi.decref(model)
    return NativeValue(pair._getvalue(), is_error=c.pyapi.c_api_error())


class EnumType(types.Type):
    """The numba type of an enumeration class of the bindings."""

    def __init__(self, name: str) -> None:
        self.enumeration = name
        super().__init__(name=f'{name}({mujoco.__version__})')

    def number(self, member: str) -> int | None:
        """Returns the value of a member, or None if the member does not exist."""
        value = getattr(getattr(mujoco, self.enumeration), member, None)
        return None if value is None else int(value)


register_model(EnumType)(models.OpaqueModel)


@typeof_impl.register(type(mujoco.mjtObj))
def _typeof_enum(value: type, context: Context) -> EnumType | None:
    name = value.__name__
    is_enum = name.startswith('mjt') and getattr(mujoco, name, None) is value
    return EnumType(name) if is_enum else None


@infer_getattr
class _EnumAttributes(AttributeTemplate):
    key = EnumType

    def generic_resolve(self, typ: EnumType, attribute: str) -> types.Type | None:
        number = typ.number(attribute)
        return None if number is None else types.literal(number)


@lower_getattr_generic(EnumType)
def _get_member(
    context: Context, builder: ir.IRBuilder, typ: EnumType, value: ir.Value, attribute: str
) -> ir.Value:
    return context.get_constant(types.int64, typ.number(attribute))


@lower_constant(EnumType)
def _enum_constant(
    context: Context, builder: ir.IRBuilder, typ: EnumType, value: ir.Value
) -> ir.Value:
    return context.get_dummy_value()
