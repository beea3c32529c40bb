"""Makes MuJoCo's enumerations usable in compiled code: `mujoco.mjtObj.mjOBJ_BODY` is a number."""

from __future__ import annotations

from typing import Any

import mujoco
from numba import types
from numba.extending import (
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
)

from ..foreign.numba.numba_internals import AttributeTemplate, lower_constant


class EnumType(types.Type):
    """The numba type of an enumeration class of the bindings."""

    def __init__(self, name: str) -> None:
        self.enumeration = name
        super().__init__(name=f'{name}({mujoco.__version__})')

    def number(self, member: str) -> int | None:
        """Returns the value of a member, or None if there is no such member."""
        value = getattr(getattr(mujoco, self.enumeration), member, None)
        return None if value is None else int(value)


register_model(EnumType)(models.OpaqueModel)


@typeof_impl.register(type(mujoco.mjtObj))
def _typeof_enum(value: Any, context: Any) -> EnumType | None:
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
def _get(context: Any, builder: Any, typ: EnumType, value: Any, attribute: str) -> Any:
    return context.get_constant(types.int64, typ.number(attribute))


@lower_constant(EnumType)
def _constant(context: Any, builder: Any, typ: EnumType, value: Any) -> Any:
    return context.get_dummy_value()
