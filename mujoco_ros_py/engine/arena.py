"""The arena of mjData: the memory for contacts, constraints and the stack of a step."""

from __future__ import annotations

import ctypes

import mujoco

from ..mujoco_internals import address_of
from .struct_layout import struct_layout


def arena(data: mujoco.MjData) -> tuple[int, int]:
    """Returns the address and the size in bytes of the arena, which stays where it is."""
    pointer = address_of(data) + struct_layout('mjData').fields['arena'].offset
    return ctypes.c_uint64.from_address(pointer).value, int(data.narena)
