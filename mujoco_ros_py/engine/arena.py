"""The arena of mjData: memory for contacts, constraints and the stack of a step."""

from __future__ import annotations

import ctypes

import mujoco

from ..mujoco_internals import address_of
from .struct_layout import struct_layout


def arena(data: mujoco.MjData) -> tuple[int, int]:
    """Returns the arena's address and its size in bytes; MuJoCo never moves the arena."""
    pointer = address_of(data) + struct_layout('mjData').fields['arena'].offset
    return ctypes.c_uint64.from_address(pointer).value, int(data.narena)
