"""The length of a sequence or a text in a message, which compiled code may change."""

from __future__ import annotations

from typing import Any

from ..errors import RoomError


def set_length(message: Any, field: str, count: int) -> None:
    """Sets the number of elements of a sequence, or of bytes of a text, in a message.

    The template of the message has the largest number, and memory for it: elements beyond the
    length keep their content for later, and are not sent. `field` is written out where this is
    called, as `set_length(message, 'contacts', 3)`. Raises RoomError, a ValueError, for more
    elements than there is room for.

    Python may call this with a message of rclpy, which it can only make shorter.
    """
    elements = getattr(message, field)
    if not 0 <= count <= len(elements):
        raise RoomError(field, count, len(elements))
    setattr(message, field, elements[:count])
