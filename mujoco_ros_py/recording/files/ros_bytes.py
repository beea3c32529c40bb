"""Wraps bytes and strings in serialized std_msgs messages, which all MCAP readers accept."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from ...errors import RecordingError

_LITTLE_ENDIAN = b'\x00\x01\x00\x00'
_BYTES_HEAD = struct.Struct('<4sIII')
_TEXT_HEAD = struct.Struct('<4sI')


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageType:
    """A message type with its definition."""

    name: str
    """The name, for example `std_msgs/msg/String`."""
    definition: str
    """The text of the definition, followed by the definitions of the nested types."""


BYTES = MessageType(
    name='std_msgs/msg/UInt8MultiArray',
    definition=f"""std_msgs/MultiArrayLayout layout
uint8[] data
{'=' * 80}
MSG: std_msgs/MultiArrayLayout
std_msgs/MultiArrayDimension[] dim
uint32 data_offset
{'=' * 80}
MSG: std_msgs/MultiArrayDimension
string label
uint32 size
uint32 stride
""",
)
"""The message type for recorded bytes."""
TEXT = MessageType(name='std_msgs/msg/String', definition='string data\n')
"""The message type for recorded strings."""


def write_bytes(content: bytes) -> bytes:
    """Returns the bytes as a serialized std_msgs/UInt8MultiArray."""
    return _BYTES_HEAD.pack(_LITTLE_ENDIAN, 0, 0, len(content)) + content


def read_bytes(message: bytes) -> memoryview:
    """Returns the bytes in a message of `write_bytes`. Raises RecordingError for other input."""
    content = memoryview(message)[_BYTES_HEAD.size :]
    if len(message) < _BYTES_HEAD.size or _BYTES_HEAD.unpack_from(message) != (
        _LITTLE_ENDIAN, 0, 0, len(content),
    ):  # fmt: skip
        raise RecordingError('a message of bytes is damaged: its length or its head is wrong')
    return content


def write_text(content: str) -> bytes:
    """Returns the text as a serialized std_msgs/String."""
    encoded = content.encode() + b'\0'
    return _TEXT_HEAD.pack(_LITTLE_ENDIAN, len(encoded)) + encoded


def read_text(message: bytes) -> str:
    """Returns the text of a std_msgs/String. Raises RecordingError for a damaged message."""
    encoded = bytes(message[_TEXT_HEAD.size :])
    if len(message) < _TEXT_HEAD.size or _TEXT_HEAD.unpack_from(message)[1] > len(encoded):
        raise RecordingError('a std_msgs/String message is damaged: its length is wrong')
    try:
        return encoded[: _TEXT_HEAD.unpack_from(message)[1]].rstrip(b'\0').decode()
    except UnicodeDecodeError as error:
        raise RecordingError(f'a std_msgs/String message is damaged: {error}') from None
