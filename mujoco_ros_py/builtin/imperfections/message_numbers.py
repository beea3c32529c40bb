"""Compiled: applies faults to numbers in messages, such as encoder faults to joint states."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...plugins import State
from ...plugins.compiled_code import inlined, numbers_at
from .numbers import NUMBER, impaired, impaired_velocity

MESSAGE_NUMBER = np.dtype(
    [
        ('entry', np.int64),  # index in the timeline; -1: unused row
        ('key', np.int64),  # hash of entry and topic
        # offset of the number from the start of the message, in bytes; for an element of a
        # sequence, offset of the sequence
        ('place', np.int64),
        ('index', np.int64),  # index of the element; -1: the number is not in a sequence
        ('stride', np.int64),  # size of an element of the sequence in bytes
        ('inner', np.int64),  # offset of the number in the element
        ('single', np.int64),  # whether the number is a float32 instead of a float64
        *((name, NUMBER[name]) for name in NUMBER.names or ()),
    ]
)
"""A number in the messages of a topic, and its faults."""

MESSAGE_JOINT = np.dtype(
    [
        ('entry', np.int64),  # index in the timeline; -1: unused row
        ('key', np.int64),  # hash of entry and topic
        ('name_place', np.int64),  # offset of `name` in sensor_msgs/JointState, in bytes
        ('position_place', np.int64),
        ('velocity_place', np.int64),
        ('first_letter', np.int64),  # index of the joint's name in `joint_letters`
        ('letters', np.int64),  # length of the name in bytes
        ('last_index', np.int64),  # memory: index of the joint in the last message
        *((name, NUMBER[name]) for name in NUMBER.names or ()),
    ]
)
"""A joint in the joint states of a topic, and the faults of its encoder."""

_SIZE, _TEXT_SIZE = 8, 24
"""The memory layout of strings and sequences in ROS messages, in bytes: the address of the
elements is at offset 0, and their number at offset `_SIZE`; a string takes `_TEXT_SIZE` bytes."""


@inlined
def integer_at(address: int) -> Any:
    """Returns the 64-bit integer at an address."""
    return numbers_at(address, 1).view(np.int64)[0]


@inlined
def element_at(message: int, place: int, index: int, stride: int) -> Any:
    """Returns the address of an element of a sequence in a message; 0 if it does not exist."""
    sequence = message + place
    if index < 0 or index >= integer_at(sequence + _SIZE):
        return 0
    return integer_at(sequence) + index * stride


@inlined
def change_numbers(state: State, pipe: Any, transit: Any) -> None:
    """Applies faults to numbers in a message; skips sequence elements that do not exist."""
    for k in range(pipe.first_number, pipe.first_number + pipe.number_count):
        row = state.message_numbers[k]
        address = transit.message + row.place
        if row.index >= 0:
            address = element_at(transit.message, row.place, row.index, row.stride)
            if address == 0:
                continue
            address += row.inner
        numbers = numbers_at(address, 1)
        if row.single != 0:
            singles = numbers.view(np.float32)
            singles[0] = impaired(row, np.float64(singles[0]), transit.time)
        else:
            numbers[0] = impaired(row, numbers[0], transit.time)


@inlined
def change_joints(state: State, pipe: Any, transit: Any) -> None:
    """Applies the faults of encoders to joint states; skips joints that the message lacks."""
    for k in range(pipe.first_joint, pipe.first_joint + pipe.joint_count):
        row = state.message_joints[k]
        row.last_index = _joint_index(row, state.joint_letters, transit.message)
        position = element_at(transit.message, row.position_place, row.last_index, 8)
        if position != 0:
            numbers = numbers_at(position, 1)
            numbers[0] = impaired(row, numbers[0], transit.time)
        velocity = element_at(transit.message, row.velocity_place, row.last_index, 8)
        if velocity != 0:
            numbers = numbers_at(velocity, 1)
            numbers[0] = impaired_velocity(row, numbers[0], transit.time)


@inlined
def _joint_index(row: Any, letters: Any, message: int) -> Any:
    """Returns the index of a joint in joint states; -1 if the message does not contain the joint.

    The joint usually has the same index as in the last message, so this index is tried first.
    """
    if _has_name(row, letters, message, row.last_index):
        return row.last_index
    for index in range(integer_at(message + row.name_place + _SIZE)):
        if _has_name(row, letters, message, index):
            return index
    return -1


@inlined
def _has_name(row: Any, letters: Any, message: int, index: int) -> Any:
    """Returns whether the joint at an index of the joint states is the joint of a row."""
    text = element_at(message, row.name_place, index, _TEXT_SIZE)
    if text == 0 or integer_at(text + _SIZE) != row.letters:
        return False
    words = (row.letters + 7) // 8
    found = numbers_at(integer_at(text), words).view(np.uint8)
    for k in range(row.letters):  # noqa: SIM110  (numba does not support generators)
        if found[k] != letters[row.first_letter + k]:
            return False
    return True
