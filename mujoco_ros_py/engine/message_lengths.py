"""Sets the length of a sequence or string in a message, in compiled code or in Python."""

from __future__ import annotations

from typing import Any

from ..errors import RoomError


def set_length(message: Any, field: str, count: int) -> None:
    """Sets the number of elements of a sequence, or of bytes of a string, in a message.

    The template of the message determines the maximum number of elements and reserves the memory.
    Elements beyond the length are not sent and keep their content. `field` must be a literal at
    the call: `set_length(message, 'contacts', 3)`. Raises RoomError, a ValueError, if the elements
    do not fit.

    Called from Python with a message of rclpy, this function can only shorten the sequence.
    """
    elements = getattr(message, field)
    if not 0 <= count <= len(elements):
        raise RoomError(field, count, len(elements))
    setattr(message, field, elements[:count])
