"""MuJoCo's model and data with the methods added by dm_control."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import mujoco
import numpy as np

Self = TypeVar('Self', bound='_Wrapper')
_FLAG = 'mjDSBL_'


class _Wrapper:
    """A wrapper that forwards all attributes to the wrapped object, `ptr`."""

    __slots__ = ('_wrapped',)

    def __init__(self, wrapped: object) -> None:
        object.__setattr__(self, '_wrapped', wrapped)

    @property
    def ptr(self) -> Any:
        """The wrapped MuJoCo object."""
        return self._wrapped

    _model = _data = ptr

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, '_wrapped'), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._wrapped, name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self._wrapped)})

    def __reduce__(self) -> Any:
        return type(self), (self._wrapped,)

    def __copy__(self: Self) -> Self:
        return type(self)(copy.copy(self._wrapped))

    def __deepcopy__(self: Self, memo: Any) -> Self:
        return type(self)(copy.deepcopy(self._wrapped, memo))

    def copy(self: Self) -> Self:
        """Returns a new wrapper around a copy of the object."""
        return self.__copy__()


class MjModel(_Wrapper):
    """A `mujoco.MjModel` with dm_control's methods."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the model."""
        return str(self._wrapped.names.split(b'\0', 1)[0], 'utf-8')

    def name2id(self, name: str, object_type: str | int) -> int:
        """Returns the id of an element.

        Raises ValueError if no element has this type and name.
        """
        found = mujoco.mj_name2id(self._wrapped, _type(object_type), name)
        if found < 0:
            raise ValueError(f'unknown {object_type} {name!r}')
        return int(found)

    def id2name(self, object_id: int, object_type: str | int) -> str:
        """Returns the name of an element; empty if the element is unnamed or does not exist."""
        return mujoco.mj_id2name(self._wrapped, _type(object_type), object_id) or ''

    @contextmanager
    def disable(self, *flags: str | int) -> Iterator[None]:
        """Disables flags inside the context: names like `'gravity'`, or values of mjtDisableBit.

        Raises ValueError for an unknown flag.
        """
        option = self._wrapped.opt
        before = option.disableflags
        for flag in flags:
            option.disableflags |= _bit(flag)
        try:
            yield
        finally:
            option.disableflags = before

    def to_bytes(self) -> bytes:
        """Returns the model as MJB bytes."""
        buffer = np.zeros(mujoco.mj_sizeModel(self._wrapped), np.uint8)
        mujoco.mj_saveModel(self._wrapped, None, buffer)
        return buffer.tobytes()

    def save_binary(self, binary_path: str) -> None:
        """Writes the model to an MJB file."""
        mujoco.mj_saveModel(self._wrapped, binary_path, None)


class MjData(_Wrapper):
    """A `mujoco.MjData` with dm_control's methods."""

    __slots__ = ()

    @property
    def model(self) -> MjModel:
        """The model that the data belongs to."""
        return MjModel(self._wrapped.model)

    @property
    def contact(self) -> Any:
        """The currently active contacts."""
        return self._wrapped.contact[: self._wrapped.ncon]

    def contact_force(self, contact_id: int) -> Any:
        """Returns the force (N) and torque (N m) of a contact, shape (2, 3).

        Both are in the contact frame (normal, tangent, tangent). Raises ValueError for an unknown
        contact.
        """
        data = self._wrapped
        if not 0 <= contact_id < data.ncon:
            raise ValueError(f'contact_id must be in 0..{data.ncon - 1}, got {contact_id}')
        for compute in (mujoco.mj_fwdActuation, mujoco.mj_fwdAcceleration):
            compute(data.model, data)
        mujoco.mj_fwdConstraint(data.model, data)
        wrench = np.empty(6)
        mujoco.mj_contactForce(data.model, data, contact_id, wrench)
        return wrench.reshape(2, 3)

    def object_velocity(
        self, object_id: int | str, object_type: str | int, local_frame: bool = False
    ) -> Any:
        """Returns linear and angular velocity of an element in m/s and rad/s, shape (2, 3).

        The axes are the world's, or the element's if `local_frame` is true. Raises ValueError for
        an unknown element.
        """
        if isinstance(object_id, str):
            object_id = self.model.name2id(object_id, object_type)
        velocity, data = np.empty(6), self._wrapped
        kind = _type(object_type)
        mujoco.mj_objectVelocity(data.model, data, kind, object_id, velocity, local_frame)
        return velocity.reshape(2, 3)[::-1]


def _type(object_type: str | int) -> int:
    if not isinstance(object_type, str):
        return int(object_type)
    found = int(mujoco.mju_str2Type(object_type))
    if not found:
        raise ValueError(f'MuJoCo has no object type {object_type!r}')
    return found


def _bit(flag: str | int) -> int:
    if not isinstance(flag, str):
        return int(mujoco.mjtDisableBit(flag).value)
    bits = mujoco.mjtDisableBit.__members__
    found = bits.get(f'{_FLAG}{flag.upper()}')
    if found is None:
        known = ', '.join(name.removeprefix(_FLAG).lower() for name in bits if _FLAG in name)
        raise ValueError(f'unknown flag {flag!r}; known: {known}')
    return int(found.value)
